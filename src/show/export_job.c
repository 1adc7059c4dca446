// Functions that the writers of exports share.
#include "show/export_job.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

double st_export_time(const StExportJob *job, int index) {
  return st_recording_frame_time(job->recording, job->frame[index]);
}

StStatus st_export_positions(const StExportJob *job, int index, double **position, StError *error) {
  double *all = NULL, *own = ST_NEW(double, 3 * (size_t)job->skin.vertex_count);
  StStatus status = own ? st_recording_frame(job->recording, job->frame[index], &all, error)
                        : st_fail_memory(error);
  if (status == ST_OK) {
    st_skin_take(&job->skin, all, 3, own);
    *position = own;
  } else {
    free(own);
  }
  free(all);
  return status;
}

StStatus st_export_ranges(const StExportJob *job, StExportRange **range, StError *error) {
  const StSkin *skin = &job->skin;
  int count = job->recording->description->body_count;
  StExportRange *made = *range = ST_NEW(StExportRange, count);
  ST_TRY_MEMORY(made, error);
  for (int t = 0; t < skin->triangle_count; t++) {
    StExportRange *body = &made[skin->body[t]];
    if (body->triangle_count++ == 0)
      body->first_triangle = t, body->first_vertex = skin->vertex_count;
    for (int i = 0; i < 3; i++) {
      int vertex = skin->triangle[3 * t + i];
      body->first_vertex = vertex < body->first_vertex ? vertex : body->first_vertex;
      body->vertex_count = vertex >= body->vertex_count ? vertex + 1 : body->vertex_count;
    }
  }
  for (int b = 0; b < count; b++)
    made[b].vertex_count -= made[b].first_vertex;
  return ST_OK;
}

double st_export_linear(int byte) {
  double s = byte / 255.0;
  return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

StStatus st_export_mesh(const StExportJob *job, StMesh **mesh, StError *error) {
  const StSkin *skin = &job->skin;
  StMesh *made = *mesh = st_mesh_create(skin->vertex_count, 0, skin->triangle_count);
  ST_TRY_MEMORY(made, error);
  if (skin->triangle_count)
    memcpy(made->triangle, skin->triangle, 3 * (size_t)skin->triangle_count * sizeof(int));
  for (int t = 0, label = -1; t < skin->triangle_count; t++) {
    if (t == 0 || skin->body[t] != skin->body[t - 1])
      label = st_mesh_label(made, job->recording->description->body[skin->body[t]].name);
    if (label < 0) {
      st_mesh_destroy(made);
      *mesh = NULL;
      return st_fail_memory(error);
    }
    made->triangle_label[t] = label;
  }
  return ST_OK;
}

char *st_export_file(const StExportJob *job, const char *prefix, int index, const char *ending) {
  return st_format("%s/%s_%05d.%s", job->path, prefix, index, ending);
}

void st_export_drop_rest(const StExportJob *job, const char *prefix, const char *ending) {
  bool dropped = true;
  for (int i = job->frame_count; dropped; i++) {
    char *path = st_export_file(job, prefix, i, ending);
    dropped = path && unlink(path) == 0;
    free(path);
  }
}

char *st_export_beside(const char *path, const char *ending) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t length = dot && dot > slash ? (size_t)(dot - path) : strlen(path);
  return st_format("%.*s.%s", (int)length, path, ending);
}
