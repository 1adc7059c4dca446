// Collects cells once, and points and fields for every frame.
#include "show/export_grid.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/second_order.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "replay/frame_fields.h"

#include <string.h>

// Shared by all frames.
typedef struct Grid {
  const StExportJob *job;
  int point_count, tet_count, triangle_count;
  int *tet, *triangle; // NULL if the cells are the skin's
  int *tet_start;      // [tet_count + 1] where each begins in `tet`
} Grid;

typedef struct Frame {
  StFrameFields *fields; // names belong to it
  StVtu content;
  double *position;
  int array_count;
  StVtuArray *array; // of points, then of cells
} Frame;

static void shift(const int *from, int count, int first, int *to) {
  for (int i = 0; i < count; i++)
    to[i] = first + from[i];
}

static StStatus gather_cells(const StDescription *description, Grid *grid, StError *error) {
  size_t corners = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    grid->tet_count += st_mesh_element_count(mesh);
    grid->triangle_count += mesh->triangle_count;
    corners += (size_t)st_mesh_element_count(mesh) * (size_t)st_mesh_node_count(mesh);
  }
  grid->tet = ST_NEW(int, corners);
  grid->tet_start = ST_NEW(int, (size_t)grid->tet_count + 1);
  grid->triangle = ST_NEW(int, 3 * (size_t)grid->triangle_count);
  ST_TRY_MEMORY(grid->tet && grid->tet_start && grid->triangle, error);
  int *start = grid->tet_start, *triangle = grid->triangle;
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    for (int e = 0; e < st_mesh_element_count(mesh); e++, start++) {
      int point[ST_SECOND_NODES], count = st_mesh_node_count(mesh);
      st_mesh_element_points(mesh, e, point);
      shift(point, count, first, grid->tet + start[0]);
      start[1] = start[0] + count;
    }
    shift(mesh->triangle, 3 * mesh->triangle_count, first, triangle);
    triangle += 3 * mesh->triangle_count;
    first += mesh->vertex_count;
  }
  return ST_OK;
}

static void grid_free(Grid *grid) {
  free(grid->tet);
  free(grid->tet_start);
  free(grid->triangle);
  *grid = (Grid){0};
}

static StStatus grid_create(const StExportJob *job, Grid *grid, StError *error) {
  *grid = (Grid){.job = job};
  if (!job->volume) {
    grid->point_count = job->skin.vertex_count;
    grid->triangle_count = job->skin.triangle_count;
    return ST_OK;
  }
  grid->point_count = st_description_vertex_count(job->recording->description);
  StStatus status = gather_cells(job->recording->description, grid, error);
  if (status != ST_OK)
    grid_free(grid);
  return status;
}

static void frame_free(Frame *frame) {
  if (!frame)
    return;
  for (int i = 0; i < frame->array_count; i++) {
    free((void *)frame->array[i].real);
    free((void *)frame->array[i].integer);
  }
  free(frame->array);
  free(frame->position);
  st_frame_fields_close(frame->fields);
  free(frame);
}

static bool wanted(const StExportSettings *settings, const char *name) {
  for (int i = 0; i < settings->field_count; i++)
    if (strcmp(settings->field[i], name) == 0)
      return true;
  return settings->field_count == 0;
}

static StStatus check_wanted(const StExportSettings *settings, const StFrameFields *fields,
                             StError *error) {
  const StGridArray *field;
  for (int i = 0; i < settings->field_count; i++)
    ST_TRY(st_frame_fields_need(fields, settings->field[i], &field, error));
  return ST_OK;
}

// Values of the whole run to those of the grid. Takes ownership; NULL: out of memory.
static double *take(const Grid *grid, bool of_cells, size_t width, double *value) {
  const StSkin *skin = &grid->job->skin;
  const int *item = of_cells ? skin->cell : skin->vertex;
  int count = of_cells ? skin->triangle_count : skin->vertex_count;
  if (grid->job->volume)
    return value;
  double *own = ST_NEW(double, width *(size_t)count);
  for (int i = 0; own && i < count; i++)
    memcpy(own + width * (size_t)i, value + width * (size_t)item[i], width * sizeof(double));
  free(value);
  return own;
}

static int *whole_numbers(const double *value, size_t count) {
  int *number = ST_NEW(int, count);
  for (size_t i = 0; number && i < count; i++)
    number[i] = (int)value[i];
  return number;
}

static StStatus add_field(const Grid *grid, const StGridArray *field, Frame *frame,
                          StError *error) {
  double *value = NULL;
  ST_TRY(grid->job->volume ? st_frame_fields_read_elements(frame->fields, field, &value, error)
                           : st_frame_fields_read(frame->fields, field, &value, error));
  size_t width = (size_t)field->components;
  int items = field->of_cells ? grid->tet_count + grid->triangle_count : grid->point_count;
  value = take(grid, field->of_cells, width, value);
  StVtuArray *array = &frame->array[frame->array_count++];
  *array = (StVtuArray){.name = field->name, .components = field->components};
  if (value && field->integer) {
    array->kind = ST_VTU_INT32;
    array->integer = whole_numbers(value, width * (size_t)items);
    free(value);
  } else {
    array->kind = ST_VTU_FLOAT32;
    array->real = value;
  }
  return array->integer || array->real ? ST_OK : st_fail_memory(error);
}

// Fields of points first, then those of cells.
static StStatus add_fields(const Grid *grid, Frame *frame, StError *error) {
  int count = st_frame_fields_count(frame->fields);
  ST_TRY(check_wanted(grid->job->settings, frame->fields, error));
  ST_TRY_MEMORY(frame->array = ST_NEW(StVtuArray, count), error);
  for (int of_cells = 0; of_cells < 2; of_cells++) {
    for (int i = 0; i < count; i++) {
      const StGridArray *field = st_frame_fields_at(frame->fields, i);
      if (field->of_cells == (of_cells == 1) && wanted(grid->job->settings, field->name))
        ST_TRY(add_field(grid, field, frame, error));
    }
    if (!of_cells)
      frame->content.point_array_count = frame->array_count;
  }
  frame->content.cell_array_count = frame->array_count - frame->content.point_array_count;
  frame->content.point_array = frame->array;
  frame->content.cell_array = frame->array + frame->content.point_array_count;
  return ST_OK;
}

static StStatus fill(const Grid *grid, int index, Frame *frame, StError *error) {
  const StExportJob *job = grid->job;
  ST_TRY(st_frame_fields_open(job->recording, job->frame[index], &frame->fields, error));
  ST_TRY(st_frame_fields_position(frame->fields, &frame->position, error));
  ST_TRY_MEMORY(frame->position = take(grid, false, 3, frame->position), error);
  char *const *label = st_frame_fields_labels(frame->fields);
  frame->content = (StVtu){.point_count = grid->point_count,
                           .position = frame->position,
                           .tet_count = grid->tet_count,
                           .tet = grid->tet,
                           .tet_start = grid->tet_start,
                           .triangle_count = grid->triangle_count,
                           .triangle = job->volume ? grid->triangle : job->skin.triangle,
                           .label_name = label,
                           .has_time = true,
                           .time = st_frame_fields_time(frame->fields)};
  while (label[frame->content.label_count])
    frame->content.label_count++;
  return add_fields(grid, frame, error);
}

static StStatus frame_read(const Grid *grid, int index, Frame **frame, StError *error) {
  *frame = ST_NEW(Frame, 1);
  StStatus status = *frame ? fill(grid, index, *frame, error) : st_fail_memory(error);
  if (status != ST_OK) {
    frame_free(*frame);
    *frame = NULL;
  }
  return status;
}

StStatus st_export_frames(const StExportJob *job, StExportFrameWriter write, StError *error) {
  ST_FINALLY(grid_free) Grid grid = {0};
  ST_TRY(grid_create(job, &grid, error));
  StStatus status = ST_OK;
  for (int i = 0; i < job->frame_count && status == ST_OK; i++) {
    Frame *frame = NULL;
    status = frame_read(&grid, i, &frame, error);
    if (status == ST_OK)
      status = write(job, i, &frame->content, error);
    frame_free(frame);
  }
  return status;
}

StStatus st_export_series(StExportJob *job, const char *list, const char *prefix,
                          const char *ending, StExportFrameWriter write, StError *error) {
  ST_FREE double *time = ST_NEW(double, job->frame_count);
  ST_FREE char *first = st_export_file(job, prefix, 0, ending);
  job->opening = st_format("%s/%s%s", job->path, job->name, list);
  ST_TRY_MEMORY(time && first && job->opening, error);
  ST_TRY(st_folder_create_above(first, error));
  ST_TRY(st_export_frames(job, write, error));
  st_export_drop_rest(job, prefix, ending);
  for (int i = 0; i < job->frame_count; i++)
    time[i] = st_export_time(job, i);
  return st_series_write_as(job->opening, prefix, ending, time, job->frame_count, error);
}
