// Merges vertices closer than a millionth of the surface's size, because files round coordinates.
// Compares cells of a grid of that size with their neighbours.
#include "fill/fill.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/table.h"
#include "mesh/tuple.h"

#include <string.h>

static const double SAME = 1e-6; // of the diagonal

static void find_cell(const double x[3], double size, int64_t cell[3]) {
  for (int c = 0; c < 3; c++)
    cell[c] = (int64_t)floor(x[c] / size);
}

// The first vertex of a cell's list that is near enough; -1: none.
static int find_in_cell(const StMesh *mesh, const StTable *table, const int *head, const int *next,
                        const int64_t cell[3], const double x[3], double size) {
  int at = st_table_find(table, cell, 3 * sizeof *cell);
  for (int v = at < 0 ? -1 : head[at]; v >= 0; v = next[v]) {
    double way[3];
    vec3_sub(mesh->position + 3 * (size_t)v, x, way);
    if (vec3_length(way) <= size)
      return v;
  }
  return -1;
}

static int find_same(const StMesh *mesh, const StTable *table, const int *head, const int *next,
                     const double x[3], double size) {
  int64_t cell[3], near[3];
  int same = -1;
  find_cell(x, size, cell);
  for (int k = 0; k < 27; k++) {
    near[0] = cell[0] + k % 3 - 1, near[1] = cell[1] + k / 3 % 3 - 1, near[2] = cell[2] + k / 9 - 1;
    int v = find_in_cell(mesh, table, head, next, near, x, size);
    if (v >= 0 && (same < 0 || v < same))
      same = v;
  }
  return same;
}

// stands[v]: the vertex that represents v; itself if there is no other.
static StStatus find_twins(const StMesh *mesh, int *stands, StError *error) {
  double size = SAME * st_fill_size(mesh);
  ST_FINALLY(st_table_free) StTable table = {0};
  ST_FREE int *head = ST_NEW(int, mesh->vertex_count), *next = ST_NEW(int, mesh->vertex_count);
  ST_TRY_MEMORY(head && next, error);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * (size_t)v;
    int same = size > 0 ? find_same(mesh, &table, head, next, x, size) : v ? 0 : -1;
    stands[v] = same < 0 ? v : same;
    if (same >= 0)
      continue;
    int64_t cell[3];
    find_cell(x, size > 0 ? size : 1, cell);
    size_t cells = table.count;
    int at = st_table_add(&table, cell, sizeof cell);
    if (at < 0) {
      return st_fail_memory(error);
    } else {
      next[v] = (size_t)at < cells ? head[at] : -1;
      head[at] = v;
    }
  }
  return ST_OK;
}

// keep[t]: whether no triangle before has the same corners and no two corners are one.
static StStatus find_kept(const int *triangle, int count, bool *keep, StRepair *repair,
                          StError *error) {
  ST_FINALLY(st_table_free) StTable table = {0};
  StStatus status = ST_OK;
  for (int t = 0; t < count && status == ST_OK; t++) {
    int corner[3];
    memcpy(corner, triangle + 3 * (size_t)t, sizeof corner);
    st_tuple_ascend(corner, 3);
    if (corner[0] == corner[1] || corner[1] == corner[2]) {
      repair->empty++;
      continue;
    }
    size_t before = table.count;
    if (st_table_add(&table, corner, sizeof corner) < 0)
      status = st_fail_memory(error);
    keep[t] = table.count > before;
    repair->repeated += status == ST_OK && !keep[t];
  }
  return status;
}

static StStatus copy_kept(const StMesh *mesh, const int *triangle, const bool *keep,
                          StMesh **result, StError *error) {
  int *number = ST_NEW(int, mesh->vertex_count), vertices = 0, triangles = 0;
  ST_TRY_MEMORY(number, error);
  for (int t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3 && keep[t]; i++)
      number[triangle[3 * t + i]] = 1;
  for (int v = 0; v < mesh->vertex_count; v++)
    number[v] = number[v] ? vertices++ : -1;
  for (int t = 0; t < mesh->triangle_count; t++)
    triangles += keep[t];
  StMesh *made = st_mesh_create(vertices, 0, triangles);
  bool good = made;
  for (int i = 0; i < mesh->label_count && good; i++)
    good = st_mesh_label(made, mesh->label_name[i]) >= 0;
  triangles = 0;
  for (int v = 0; v < mesh->vertex_count && good; v++)
    if (number[v] >= 0)
      vec3_copy(mesh->position + 3 * (size_t)v, made->position + 3 * (size_t)number[v]);
  for (int t = 0; t < mesh->triangle_count && good; t++)
    if (keep[t]) {
      made->triangle_label[triangles] = mesh->triangle_label[t];
      for (int i = 0; i < 3; i++)
        made->triangle[3 * triangles + i] = number[triangle[3 * t + i]];
      triangles++;
    }
  free(number);
  if (!good) {
    st_mesh_destroy(made);
    return st_fail_memory(error);
  }
  *result = made;
  return ST_OK;
}

StStatus st_repair_weld(const StMesh *surface, StMesh **result, StRepair *repair, StError *error) {
  ST_FREE int *stands = ST_NEW(int, surface->vertex_count);
  ST_FREE int *triangle = ST_NEW(int, 3 * (size_t)surface->triangle_count);
  ST_FREE bool *keep = ST_NEW(bool, surface->triangle_count);
  ST_TRY_MEMORY(stands && triangle && keep, error);
  ST_TRY(find_twins(surface, stands, error));
  for (int v = 0; v < surface->vertex_count; v++)
    repair->joined += stands[v] != v;
  for (int i = 0; i < 3 * surface->triangle_count; i++)
    triangle[i] = stands[surface->triangle[i]];
  ST_TRY(find_kept(triangle, surface->triangle_count, keep, repair, error));
  return copy_kept(surface, triangle, keep, result, error);
}
