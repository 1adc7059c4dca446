// A run opened for the viewer's page, and its binary blocks.
#include "show/view_run.h"

#include "base/memory.h"
#include "replay/obstacle_shape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static StStatus prepare(StViewRun *run, StError *error) {
  if (run->recording.frame_count < 1)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: there is no frame yet; try again once the run has written its first",
                   run->recording.folder);
  ST_TRY(st_view_surface_create(run->recording.description, run->hollow, &run->surface, error));
  return st_view_fields_choose(&run->recording, &run->fields, error);
}

StStatus st_view_run_open(const char *folder, bool hollow, const StLog *log, StViewRun *run,
                          StError *error) {
  *run = (StViewRun){.every = 1, .hollow = hollow};
  ST_TRY(st_recording_load(folder, log, &run->recording, error));
  StStatus status = prepare(run, error);
  if (status != ST_OK)
    st_view_run_close(run);
  return status;
}

void st_view_run_close(StViewRun *run) {
  st_view_surface_free(&run->surface);
  st_recording_close(&run->recording);
}

StStatus st_view_run_drop_interior(StViewRun *run, StError *error) {
  StViewSurface surface;
  ST_TRY(st_view_surface_create(run->recording.description, true, &surface, error));
  st_view_surface_free(&run->surface);
  run->surface = surface;
  run->hollow = true;
  return ST_OK;
}

// Always includes the last frame: most users want to see how it ends.
int st_view_run_frames(const StViewRun *run) {
  return 1 + (run->recording.frame_count - 2 + run->every) / run->every;
}

int st_view_run_frame(const StViewRun *run, int shown) {
  int frame = shown * run->every, last = run->recording.frame_count - 1;
  return frame < last ? frame : last;
}

static void add_wholes(StText *text, const int *value, int count) {
  for (int i = 0; i < count; i++)
    st_text_add_u32(text, (uint32_t)value[i], false);
}

static void add_shorts(StText *text, const int *value, int count) {
  for (int i = 0; i < count; i++) {
    uint16_t number = (uint16_t)value[i];
    st_text_add_bytes(text, &number, sizeof number);
  }
}

static void add_reals(StText *text, const double *value, size_t count) {
  for (size_t i = 0; i < count; i++)
    st_text_add_f32(text, value[i], false);
}

static void add_surface(const StViewSurface *surface, StText *text) {
  add_wholes(text, surface->triangle, 3 * surface->skin.triangle_count);
  add_wholes(text, surface->skin.cell, surface->skin.triangle_count);
  add_wholes(text, surface->vertex, surface->vertex_count);
  add_shorts(text, surface->body, surface->vertex_count);
  add_shorts(text, surface->material, surface->vertex_count);
  for (size_t i = 0; i < 3 * (size_t)surface->vertex_count; i++)
    st_text_add_f32(text, surface->rest[i], false);
}

static void add_held(const StDescription *description, StText *text) {
  for (int i = 0; i < description->boundary_count; i++)
    add_wholes(text, description->boundary[i].vertex, description->boundary[i].vertex_count);
}

static void add_inside(const StViewSurface *surface, StText *text) {
  add_wholes(text, surface->tet, 4 * surface->tet_count);
  add_shorts(text, surface->tet_material, surface->tet_count);
}

static StStatus add_obstacle(const StViewRun *run, int obstacle, StText *text, StError *error) {
  double low[3], high[3];
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  st_recording_bounds(&run->recording, low, high);
  ST_TRY(st_obstacle_shape_create(&run->recording.description->obstacle[obstacle], low, high, &mesh,
                                  error));
  add_wholes(text, &mesh->vertex_count, 1);
  add_wholes(text, &mesh->triangle_count, 1);
  add_reals(text, mesh->position, 3 * (size_t)mesh->vertex_count);
  add_wholes(text, mesh->triangle, 3 * mesh->triangle_count);
  return ST_OK;
}

static void add_history(const StRecording *recording, StText *text) {
  add_reals(text, recording->value, (size_t)recording->column_count * (size_t)recording->rows);
}

// The number at the end of "obstacle-12"; -1 if the run has no such obstacle.
static int obstacle_number(const StViewRun *run, const char *name) {
  int number = -1, length = 0;
  if (sscanf(name, "obstacle-%9d%n", &number, &length) != 1 || name[length])
    return -1;
  return number < run->recording.description->obstacle_count ? number : -1;
}

static StStatus build(const StViewRun *run, const char *name, StText *text, StError *error) {
  int obstacle = obstacle_number(run, name);
  if (obstacle >= 0)
    return add_obstacle(run, obstacle, text, error);
  if (strcmp(name, "surface") == 0)
    add_surface(&run->surface, text);
  else if (strcmp(name, "inside") == 0)
    add_inside(&run->surface, text);
  else if (strcmp(name, "held") == 0)
    add_held(run->recording.description, text);
  else if (strcmp(name, "history") == 0)
    add_history(&run->recording, text);
  else
    return st_fail(error, ST_BAD_INPUT, "there is no block '%s'", name);
  return ST_OK;
}

StStatus st_view_run_block(const StViewRun *run, const char *name, StText *bytes, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  ST_TRY(build(run, name, &text, error));
  if (text.failed)
    return st_fail_memory(error);
  return st_view_deflate(text.data ? text.data : "", text.length, bytes, error);
}
