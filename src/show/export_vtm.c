// VTM: named blocks, one for each body with its fields and one for each obstacle at its current
// pose. A small file per frame refers to the parts, which are VTU files.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/second_order.h"
#include "mesh/xml.h"
#include "replay/obstacle_shape.h"
#include "show/export_grid.h"

#include <stdio.h>
#include <string.h>

// One body's range of a frame's points, tets and triangles.
typedef struct Part {
  int first_point, first_tet, first_triangle;
  StVtu content;
  int *tet, *tet_start, *triangle;
  StVtuArray *array;
  void **owned; // values of cells, [cell_array_count]
} Part;

static void part_free(Part *part) {
  for (int i = 0; part->owned && i < part->content.cell_array_count; i++)
    free(part->owned[i]);
  free(part->owned);
  free(part->array);
  free(part->tet);
  free(part->tet_start);
  free(part->triangle);
}

static int *shifted(const int *from, int count, int first) {
  int *to = ST_NEW(int, count);
  for (int i = 0; to && i < count; i++)
    to[i] = from[i] - first;
  return to;
}

static void take_points(const StVtu *whole, const Part *part, int index, StVtuArray *array) {
  *array = whole->point_array[index];
  size_t skip = (size_t)part->first_point * (size_t)array->components;
  array->real = array->real ? array->real + skip : NULL;
  array->integer = array->integer ? array->integer + skip : NULL;
}

// Tets and triangles are separate in the whole frame, so a body's cells are copied together.
static bool take_cells(const StVtu *whole, Part *part, int index, StVtuArray *array) {
  *array = whole->cell_array[index];
  size_t item = array->integer ? sizeof(int) : sizeof(double), width = (size_t)array->components;
  size_t tets = (size_t)part->content.tet_count * width;
  size_t triangles = (size_t)part->content.triangle_count * width;
  const char *from = array->integer ? (const char *)array->integer : (const char *)array->real;
  char *own = part->owned[index] = ST_NEW(char, (tets + triangles) * item + 1);
  if (!own)
    return false;
  memcpy(own, from + (size_t)part->first_tet * width * item, tets * item);
  size_t skip = (size_t)(whole->tet_count + part->first_triangle) * width;
  memcpy(own + tets * item, from + skip * item, triangles * item);
  *(array->integer ? (const void **)&array->integer : (const void **)&array->real) = own;
  return true;
}

static StStatus fill(const StVtu *whole, Part *part, StError *error) {
  StVtu *content = &part->content;
  content->position = whole->position + 3 * (size_t)part->first_point;
  int begin = (int)st_vtu_tet_start(whole, (size_t)part->first_tet);
  int end = (int)st_vtu_tet_start(whole, (size_t)(part->first_tet + content->tet_count));
  content->tet = part->tet = shifted(whole->tet + begin, end - begin, part->first_point);
  if (whole->tet_start)
    content->tet_start = part->tet_start =
        shifted(whole->tet_start + part->first_tet, content->tet_count + 1, begin);
  content->triangle = part->triangle = shifted(whole->triangle + 3 * (size_t)part->first_triangle,
                                               3 * content->triangle_count, part->first_point);
  part->array = ST_NEW(StVtuArray, whole->point_array_count + whole->cell_array_count);
  part->owned = ST_NEW(void *, whole->cell_array_count);
  bool good = part->tet && (part->tet_start || !whole->tet_start) && part->triangle &&
              part->array && part->owned;
  for (int i = 0; i < whole->point_array_count && good; i++)
    take_points(whole, part, i, &part->array[i]);
  for (int i = 0; i < whole->cell_array_count && good; i++)
    good = take_cells(whole, part, i, &part->array[whole->point_array_count + i]);
  content->point_array = part->array;
  content->cell_array = good ? part->array + whole->point_array_count : NULL;
  return good ? ST_OK : st_fail_memory(error);
}

// How many points, tets and triangles each body has; the caller sums up the offsets.
static void measure(const StExportJob *job, const StExportRange *range, int body, StVtu *content) {
  const StMesh *mesh = job->recording->description->body[body].mesh;
  content->point_count = job->volume ? mesh->vertex_count : range[body].vertex_count;
  content->tet_count = job->volume ? st_mesh_element_count(mesh) : 0;
  content->triangle_count = job->volume ? mesh->triangle_count : range[body].triangle_count;
}

// job->path/frames/frame_00012/KIND_3.vtu; without a frame number (-1) for parts that all frames
// share.
static char *part_path(const StExportJob *job, int frame, const char *kind, int number) {
  StText path = {0};
  st_text_add(&path, "%s/frames/", job->path);
  if (frame >= 0)
    st_text_add(&path, "frame_%05d/", frame);
  st_text_add(&path, "%s_%d.vtu", kind, number);
  return st_text_take(&path);
}

static StStatus write_part(const StExportJob *job, int frame, const char *kind, int number,
                           const StVtu *content, StError *error) {
  ST_FREE char *path = part_path(job, frame, kind, number);
  ST_TRY_MEMORY(path, error);
  ST_TRY(st_folder_create_above(path, error));
  return st_vtu_write(path, content, error);
}

static void list_part(const char *name, int frame, const char *kind, int number, StText *list) {
  st_text_add(list, "      <DataSet index=\"%d\" name=\"", number);
  st_xml_add_escaped(list, name);
  st_text_add(list, "\" file=\"");
  if (frame >= 0)
    st_text_add(list, "frame_%05d/", frame);
  st_text_add(list, "%s_%d.vtu\"/>\n", kind, number);
}

static StStatus write_bodies(const StExportJob *job, int index, const StVtu *whole, StText *list,
                             StError *error) {
  const StDescription *description = job->recording->description;
  ST_FREE StExportRange *range = NULL;
  Part next = {0};
  StStatus status = st_export_ranges(job, &range, error);
  for (int b = 0; b < description->body_count && status == ST_OK; b++) {
    Part part = {next.first_point, next.first_tet, next.first_triangle, .content = *whole};
    measure(job, range, b, &part.content);
    status = fill(whole, &part, error);
    if (status == ST_OK)
      status = write_part(job, index, "body", b, &part.content, error);
    list_part(description->body[b].name, index, "body", b, list);
    next.first_point += part.content.point_count;
    next.first_tet += part.content.tet_count;
    next.first_triangle += part.content.triangle_count;
    part_free(&part);
  }
  return status;
}

// A fixed obstacle is written with the first frame, and all frames refer to that file.
static StStatus write_obstacle(const StExportJob *job, int index, int number, double time,
                               StText *list, StError *error) {
  const StObstacleDesc *obstacle = &job->recording->description->obstacle[number];
  bool moves = st_motion_moves(&obstacle->motion);
  double low[3], high[3];
  StMesh *mesh = NULL;
  list_part(obstacle->name, moves ? index : -1, "obstacle", number, list);
  if (!moves && index > 0)
    return ST_OK;
  st_recording_bounds(job->recording, low, high);
  ST_TRY(st_obstacle_shape_create(obstacle, low, high, &mesh, error));
  StObstacleNow now;
  st_obstacle_at(obstacle, time, &now);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double own[3];
    memcpy(own, mesh->position + 3 * v, sizeof own);
    st_obstacle_to_world(&now, own, mesh->position + 3 * v);
  }
  const StVtu content = {.point_count = mesh->vertex_count,
                         .position = mesh->position,
                         .triangle_count = mesh->triangle_count,
                         .triangle = mesh->triangle,
                         .has_time = moves,
                         .time = time};
  StStatus status = write_part(job, moves ? index : -1, "obstacle", number, &content, error);
  st_mesh_destroy(mesh);
  return status;
}

static StStatus write_list(const StExportJob *job, int index, const StText *list, StError *error) {
  ST_FREE char *path = st_export_file(job, "frames/frame", index, "vtm");
  ST_TRY_MEMORY(path && !list->failed, error);
  return st_file_write(path, list->data, list->length, error);
}

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  ST_FINALLY(st_text_free) StText list = {0};
  st_text_add(&list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" "
                     "version=\"1.0\" byte_order=\"LittleEndian\">\n  <vtkMultiBlockDataSet>\n"
                     "    <Block index=\"0\" name=\"bodies\">\n");
  StStatus status = write_bodies(job, index, content, &list, error);
  st_text_add(&list, "    </Block>\n    <Block index=\"1\" name=\"obstacles\">\n");
  for (int o = 0; o < job->recording->description->obstacle_count && status == ST_OK; o++)
    status = write_obstacle(job, index, o, content->time, &list, error);
  st_text_add(&list, "    </Block>\n  </vtkMultiBlockDataSet>\n</VTKFile>\n");
  if (status == ST_OK)
    status = write_list(job, index, &list, error);
  return status;
}

static bool drop(char *path) {
  bool dropped = path && remove(path) == 0;
  free(path);
  return dropped;
}

// Removes the parts of frames left by a longer export.
static void drop_rest(const StExportJob *job) {
  bool dropped = true;
  for (int i = job->frame_count; dropped; i++) {
    dropped = false;
    for (int b = 0; b < job->recording->description->body_count; b++)
      dropped = drop(part_path(job, i, "body", b)) || dropped;
    for (int o = 0; o < job->recording->description->obstacle_count; o++)
      drop(part_path(job, i, "obstacle", o));
    drop(st_format("%s/frames/frame_%05d", job->path, i));
  }
}

static StStatus write_vtm(StExportJob *job, StError *error) {
  ST_TRY(st_export_series(job, ".pvd", "frames/frame", "vtm", write_frame, error));
  drop_rest(job);
  return ST_OK;
}

const StExportFormat st_export_vtm = {
    .name = "vtm",
    .summary = "fields on cells, a named block per body and obstacle: ParaView, VTK",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtm,
};
