// VTK cells to tets, triangles and tags.
#include "mesh/vtk_grid.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef enum Shape {
  POINTS,
  LINE,
  TRIANGLE,
  POLYGON,
  PIXEL,
  STRIP,
  TET,
  SECOND_ORDER,
  NOTHING
} Shape;

typedef struct CellType {
  int type;
  Shape shape;
  int least, most; // points such a cell may have; most 0: any number
  bool curved;     // has points beyond its corners, which come first
} CellType;

static const CellType cell_types[] = {
    {0, NOTHING, 0, 0, false},  {1, POINTS, 1, 1, false},         {2, POINTS, 1, 0, false},
    {3, LINE, 2, 2, false},     {4, LINE, 2, 0, false},           {5, TRIANGLE, 3, 3, false},
    {6, STRIP, 3, 0, false},    {7, POLYGON, 3, 0, false},        {8, PIXEL, 4, 4, false},
    {9, POLYGON, 4, 4, false},  {10, TET, 4, 4, false},           {21, LINE, 3, 3, false},
    {22, TRIANGLE, 6, 6, true}, {24, SECOND_ORDER, 10, 10, true}, {34, TRIANGLE, 7, 7, true},
    {68, LINE, 2, 0, false},    {69, TRIANGLE, 3, 0, true},       {71, TET, 4, 0, true},
};

static const CellType *find_type(int64_t type) {
  for (int i = 0; i < ST_LENGTH(cell_types); i++)
    if (cell_types[i].type == type)
      return &cell_types[i];
  return NULL;
}

int st_vtk_label_rank(StSpan name) {
  static const char *const known[] = {"attribute", "part",          "region",        "medit:ref",
                                      "cell_tags", "CellEntityIds", "MaterialIds",   "material_id",
                                      "materials", "material",      "gmsh:physical", "labels",
                                      "label"};
  for (int i = ST_LENGTH(known); i > 0; i--)
    if (st_span_is_word(name, known[i - 1]))
      return i;
  return 0;
}

static StStatus cell_fail(const StScan *scan, size_t cell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static StStatus cell_fail(const StScan *scan, size_t cell, const char *format, ...) {
  StError text = {0};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text.text, sizeof text.text, format, arguments);
  va_end(arguments);
  return st_fail(scan->error, ST_BAD_INPUT, "%s: cell %zu (counted from 0) %.1500s", scan->name,
                 cell, text.text);
}

static StStatus check_cell(const StVtkGrid *grid, size_t cell, const StScan *scan,
                           const CellType **type) {
  int64_t begin = cell ? grid->end[cell - 1] : 0, end = grid->end[cell];
  if (end < begin || (uint64_t)end > grid->connectivity_count)
    return cell_fail(scan, cell,
                     "ends at %lld in the connectivity: it must lie in %lld … %zu, where the "
                     "cell before ends and where the connectivity does",
                     (long long)end, (long long)begin, grid->connectivity_count);
  if (!(*type = find_type(grid->type[cell])))
    return cell_fail(scan, cell,
                     "has VTK type %lld: only tetrahedra and triangles (types 10 and 5, also "
                     "polygons) can be simulated",
                     (long long)grid->type[cell]);
  if (end - begin < (*type)->least || ((*type)->most && end - begin > (*type)->most))
    return cell_fail(scan, cell, "has VTK type %d and so needs %d points%s, not %lld",
                     (*type)->type, (*type)->least, (*type)->most ? "" : " or more",
                     (long long)(end - begin));
  for (int64_t i = begin; i < end; i++)
    if (grid->connectivity[i] < 0 || (uint64_t)grid->connectivity[i] >= grid->point_count)
      return cell_fail(scan, cell, "refers to point %lld, but the %zu points are numbered from 0",
                       (long long)grid->connectivity[i], grid->point_count);
  return ST_OK;
}

static StStatus add_strip(StBuilder *builder, size_t count, const int *vertex, int label,
                          StError *error) {
  for (size_t i = 2; i < count; i++) {
    bool odd = i % 2;
    int triangle[3] = {vertex[i - 2], vertex[odd ? i : i - 1], vertex[odd ? i - 1 : i]};
    ST_TRY(st_builder_add(builder, 3, triangle, label, error));
  }
  return ST_OK;
}

static StStatus add_shape(StBuilder *builder, Shape shape, size_t count, const int *vertex,
                          int label, StError *error) {
  switch (shape) {
  case SECOND_ORDER:
    return st_builder_add_second_order(builder,
                                       (int[]){vertex[0], vertex[1], vertex[2], vertex[3],
                                               vertex[4], vertex[6], vertex[7], vertex[5],
                                               vertex[8], vertex[9]},
                                       label, error);
  case TET: return st_builder_add(builder, 4, vertex, label, error);
  case TRIANGLE: return st_builder_add(builder, 3, vertex, label, error);
  case POLYGON: return st_builder_add_polygon(builder, count, vertex, label, error);
  case PIXEL:
    return st_builder_add_polygon(builder, 4, (int[]){vertex[0], vertex[1], vertex[3], vertex[2]},
                                  label, error);
  case STRIP: return add_strip(builder, count, vertex, label, error);
  case LINE:
  case POINTS: return st_builder_add_tags(builder, (int)count, vertex, label, error);
  case NOTHING: break;
  }
  return ST_OK;
}

static int add_name(StBuilder *builder, const char *name) {
  return st_builder_label(builder, (StSpan){name, strlen(name)});
}

static StStatus find_label(const StVtkGrid *grid, size_t cell, size_t names, char *const *name,
                           StScan *scan, StBuilder *builder, int *label) {
  int64_t number = grid->label ? grid->label[cell] : -1;
  *label = -1;
  if (number < 0)
    return ST_OK;
  *label = (uint64_t)number < names ? add_name(builder, name[number])
                                    : st_builder_number_label(builder, number);
  return *label < 0 ? st_fail_memory(scan->error) : ST_OK;
}

static StStatus add_cells(const StVtkGrid *grid, size_t names, char *const *name, StScan *scan,
                          StBuilder *builder, int first_vertex, int *vertex) {
  size_t curved = 0;
  for (size_t cell = 0; cell < grid->cell_count; cell++) {
    const CellType *type = NULL;
    int label;
    ST_TRY(check_cell(grid, cell, scan, &type));
    ST_TRY(find_label(grid, cell, names, name, scan, builder, &label));
    size_t begin = cell ? (size_t)grid->end[cell - 1] : 0;
    size_t count = (size_t)grid->end[cell] - begin;
    for (size_t i = 0; i < count; i++)
      vertex[i] = first_vertex + (int)grid->connectivity[begin + i];
    curved += type->curved;
    ST_TRY(add_shape(builder, type->shape, count, vertex, label, scan->error));
  }
  if (curved && !builder->second_order)
    st_log(scan->log, ST_WARNING, "%s: %zu cells of higher order: only their corners are used",
           scan->name, curved);
  return ST_OK;
}

StStatus st_vtk_grid_add(const StVtkGrid *grid, char *const *name, StScan *scan,
                         StBuilder *builder) {
  int first_vertex = (int)builder->vertex_count;
  size_t names = 0;
  for (size_t i = 0; i < grid->point_count; i++)
    ST_TRY(st_builder_add_vertex(builder, grid->point + 3 * i, scan->error));
  // Labels keep the order of their names; the first of several pieces determines it.
  for (; name && name[names]; names++)
    if (!first_vertex && add_name(builder, name[names]) < 0)
      return st_fail_memory(scan->error);
  ST_FREE int *vertex = ST_NEW(int, grid->connectivity_count);
  ST_TRY_MEMORY(vertex, scan->error);
  return add_cells(grid, names, name, scan, builder, first_vertex, vertex);
}

void st_vtk_grid_free(StVtkGrid *grid) {
  free(grid->point);
  free(grid->end);
  free(grid->connectivity);
  free(grid->type);
  free(grid->label);
  *grid = (StVtkGrid){0};
}
