// PLY, binary: the surface in a file per frame; vertices with their fields and the colour of their
// body, faces with the numbers of body, material and label.
#include "base/file.h"
#include "base/memory.h"
#include "plot/palette.h"
#include "show/export_grid.h"

#include <string.h>

static const char *component(const StVtuArray *array, int c) {
  static const char *const vector[] = {"_x", "_y", "_z"};
  static const char *const tensor[] = {"_xx", "_yy", "_zz", "_xy", "_yz", "_zx"};
  if (array->components == 1)
    return "";
  return array->components == 3 ? vector[c] : tensor[c % 6];
}

static void add_properties(StText *text, const StVtuArray *array, int count) {
  for (int i = 0; i < count; i++)
    for (int c = 0; c < array[i].components; c++)
      st_text_add(text, "property %s %s%s\n", array[i].kind == ST_VTU_INT32 ? "int" : "float",
                  array[i].name, component(&array[i], c));
}

static void add_header(StText *text, const StVtu *content) {
  st_text_add(text, "ply\nformat binary_little_endian 1.0\ncomment time %.9g s\n", content->time);
  for (int i = 0; i < content->label_count; i++)
    st_text_add(text, "comment label %d %.*s\n", i, (int)strcspn(content->label_name[i], "\n"),
                content->label_name[i]);
  st_text_add(text,
              "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
              "property uchar red\nproperty uchar green\nproperty uchar blue\n",
              content->point_count);
  add_properties(text, content->point_array, content->point_array_count);
  st_text_add(text, "element face %d\nproperty list uchar int vertex_indices\n",
              content->triangle_count);
  add_properties(text, content->cell_array, content->cell_array_count);
  st_text_add(text, "end_header\n");
}

static void add_values(StText *text, const StVtuArray *array, int count, int item) {
  for (int i = 0; i < count; i++)
    for (int c = 0; c < array[i].components; c++) {
      size_t at = (size_t)item * (size_t)array[i].components + (size_t)c;
      if (array[i].kind == ST_VTU_INT32)
        st_text_add_u32(text, (unsigned)array[i].integer[at], false);
      else
        st_text_add_f32(text, array[i].real[at], false);
    }
}

static void add_vertices(StText *text, const StVtu *content, const int *body) {
  for (int v = 0; v < content->point_count; v++) {
    for (int k = 0; k < 3; k++)
      st_text_add_f32(text, content->position[3 * v + k], false);
    st_text_add_bytes(text, st_palette[body[v] % ST_PALETTE_SIZE], 3);
    add_values(text, content->point_array, content->point_array_count, v);
  }
}

static void add_faces(StText *text, const StVtu *content) {
  for (int t = 0; t < content->triangle_count; t++) {
    st_text_add_bytes(text, "\3", 1);
    for (int i = 0; i < 3; i++)
      st_text_add_u32(text, (unsigned)content->triangle[3 * t + i], false);
    add_values(text, content->cell_array, content->cell_array_count, t);
  }
}

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  ST_FREE int *body = ST_NEW(int, job->skin.vertex_count);
  ST_FREE char *path = st_export_file(job, job->name, index, "ply");
  ST_FINALLY(st_text_free) StText text = {0};
  for (int i = 0; body && i < 3 * job->skin.triangle_count; i++)
    body[job->skin.triangle[i]] = job->skin.body[i / 3];
  if (body) {
    add_header(&text, content);
    add_vertices(&text, content, body);
    add_faces(&text, content);
  }
  ST_TRY_MEMORY(body && path && !text.failed, error);
  return st_file_write(path, text.data, text.length, error);
}

static StStatus write_ply(StExportJob *job, StError *error) {
  ST_TRY(st_export_frames(job, write_frame, error));
  st_export_drop_rest(job, job->name, "ply");
  return ST_OK;
}

const StExportFormat st_export_ply = {
    .name = "ply",
    .summary =
        "surface with colours and fields, a binary file per frame: MeshLab, Houdini, Blender",
    .folder = true,
    .fields = true,
    .write = write_ply,
};
