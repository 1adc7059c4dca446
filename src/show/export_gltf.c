// glTF animation. A body is a mesh whose first frame is its shape; every other frame is a morph
// target, faded in and out in turn and interpolated linearly: the only way to move single vertices
// that all players support. Obstacles are rigid nodes. The scene's z axis becomes glTF's y.
#include "base/memory.h"
#include "plot/palette.h"
#include "replay/obstacle_shape.h"
#include "show/export_job.h"
#include "show/gltf.h"
#include "show/rotation.h"

#include <math.h>
#include <string.h>

static const double most_bytes = 2e9; // offsets in a .glb have 32 bits

typedef struct Body {
  StExportRange at;
  int node, material;
  int *shape; // [frame_count] accessors of its positions, then of the differences to them
} Body;

typedef struct Film {
  const StExportJob *job;
  StGltf gltf;
  int body_count;
  Body *body;
  double *base; // positions of the first frame
  float *room;  // buffer for the vertices of one frame
  StText children;
  int times; // accessor
} Film;

static void film_free(Film *film) {
  for (int b = 0; b < film->body_count; b++)
    free(film->body[b].shape);
  free(film->body);
  free(film->base);
  free(film->room);
  st_text_free(&film->children);
  st_gltf_free(&film->gltf);
}

static StStatus find_bodies(Film *film, StError *error) {
  film->body_count = film->job->recording->description->body_count;
  film->body = ST_NEW(Body, film->body_count);
  ST_FREE StExportRange *range = NULL;
  ST_TRY_MEMORY(film->body, error);
  ST_TRY(st_export_ranges(film->job, &range, error));
  for (int b = 0; b < film->body_count; b++) {
    film->body[b].at = range[b];
    film->body[b].shape = ST_NEW(int, film->job->frame_count);
    if (!film->body[b].shape)
      return st_fail_memory(error);
  }
  return ST_OK;
}

static StStatus add_frame(Film *film, int index, StError *error) {
  double *position = NULL;
  ST_TRY(st_export_positions(film->job, index, &position, error));
  for (int b = 0; b < film->body_count; b++) {
    const Body *body = &film->body[b];
    for (int i = 0; i < 3 * body->at.vertex_count; i++) {
      int at = 3 * body->at.first_vertex + i;
      // Relative to the base as players have it, so that rounding errors do not accumulate.
      film->room[i] = (float)(position[at] - (index ? (double)(float)film->base[at] : 0));
    }
    body->shape[index] =
        st_gltf_add_floats(&film->gltf, film->room, body->at.vertex_count, 3, ST_GLTF_VERTICES);
  }
  if (index == 0)
    film->base = position;
  else
    free(position);
  return ST_OK;
}

static StStatus add_frames(Film *film, StError *error) {
  ST_TRY_MEMORY(film->room = ST_NEW(float, 3 * (size_t)film->job->skin.vertex_count), error);
  for (int i = 0; i < film->job->frame_count; i++)
    ST_TRY(add_frame(film, i, error));
  return ST_OK;
}

static int begin_node(Film *film, const char *name, int mesh) {
  StText *text;
  int node = st_gltf_next(&film->gltf, ST_GLTF_NODES, &text);
  st_text_add(&film->children, "%s%d", film->children.length ? "," : "", node);
  st_text_add(text, "{\"name\":");
  st_gltf_add_string(text, name);
  st_text_add(text, ",\"mesh\":%d", mesh);
  return node;
}

static void end_node(Film *film) {
  st_text_add(&film->gltf.list[ST_GLTF_NODES].text, "}");
}

static int add_mesh(Film *film, const char *name, int position, int indices, int material,
                    StText **text) {
  int mesh = st_gltf_next(&film->gltf, ST_GLTF_MESHES, text);
  st_text_add(*text, "{\"name\":");
  st_gltf_add_string(*text, name);
  st_text_add(*text,
              ",\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d",
              position, indices, material);
  return mesh;
}

static void add_targets(const Film *film, const Body *body, StText *text) {
  int count = film->job->frame_count;
  st_text_add(text, ",\"targets\":[");
  for (int i = 1; i < count; i++)
    st_text_add(text, "%s{\"POSITION\":%d}", i > 1 ? "," : "", body->shape[i]);
  st_text_add(text, "]}],\"extras\":{\"targetNames\":[");
  for (int i = 1; i < count; i++)
    st_text_add(text, "%s\"%g s\"", i > 1 ? "," : "", st_export_time(film->job, i));
  st_text_add(text, "]}");
}

static void add_body(Film *film, int index) {
  const StSkin *skin = &film->job->skin;
  const char *name = film->job->recording->description->body[index].name;
  Body *body = &film->body[index];
  const unsigned char *srgb = st_palette[index % ST_PALETTE_SIZE];
  const double colour[3] = {st_export_linear(srgb[0]), st_export_linear(srgb[1]),
                            st_export_linear(srgb[2])};
  StText *text;
  if (body->at.triangle_count == 0)
    return;
  int indices = st_gltf_add_indices(&film->gltf, skin->triangle + 3 * body->at.first_triangle,
                                    3 * body->at.triangle_count, body->at.first_vertex);
  int mesh = add_mesh(film, name, body->shape[0], indices,
                      st_gltf_add_material(&film->gltf, name, colour, false), &text);
  if (film->job->frame_count > 1)
    add_targets(film, body, text);
  else
    st_text_add(text, "}]");
  st_text_add(text, "}");
  body->node = begin_node(film, name, mesh);
  end_node(film);
}

static void add_channel(Film *film, int sampler, int node, const char *path) {
  StText *text;
  st_gltf_next(&film->gltf, ST_GLTF_CHANNELS, &text);
  st_text_add(text, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node,
              path);
}

static int add_sampler(Film *film, int output) {
  StText *text;
  int sampler = st_gltf_next(&film->gltf, ST_GLTF_SAMPLERS, &text);
  st_text_add(text, "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", film->times,
              output);
  return sampler;
}

// At its time each frame has weight 1 and all others 0; the first is the base shape.
static StStatus animate_bodies(Film *film, StError *error) {
  int frames = film->job->frame_count, targets = frames - 1;
  ST_FREE float *weight = ST_NEW(float, (size_t)frames *(size_t)targets);
  ST_TRY_MEMORY(weight, error);
  for (int i = 1; i < frames; i++)
    weight[i * targets + i - 1] = 1;
  int sampler = add_sampler(
      film, st_gltf_add_floats(&film->gltf, weight, frames * targets, 1, ST_GLTF_ANIMATION));
  for (int b = 0; b < film->body_count; b++)
    if (film->body[b].at.triangle_count)
      add_channel(film, sampler, film->body[b].node, "weights");
  return ST_OK;
}

static StStatus add_times(Film *film, StError *error) {
  ST_FREE float *time = ST_NEW(float, film->job->frame_count);
  ST_TRY_MEMORY(time, error);
  for (int i = 0; i < film->job->frame_count; i++)
    time[i] = (float)(st_export_time(film->job, i) - st_export_time(film->job, 0));
  film->times = st_gltf_add_floats(&film->gltf, time, film->job->frame_count, 1, ST_GLTF_ANIMATION);
  return ST_OK;
}

// Walls and ceilings are transparent from behind, so that they do not hide the scene.
static int add_obstacle_mesh(Film *film, const StObstacleDesc *obstacle, const StMesh *shape,
                             float *room) {
  static const double grey[3] = {0.45, 0.45, 0.45};
  const char *name = obstacle->name;
  bool endless = strcmp(obstacle->shape.name, "half_space") == 0;
  StText *text;
  for (int i = 0; i < 3 * shape->vertex_count; i++)
    room[i] = (float)shape->position[i];
  int position = st_gltf_add_floats(&film->gltf, room, shape->vertex_count, 3, ST_GLTF_VERTICES);
  int indices = st_gltf_add_indices(&film->gltf, shape->triangle, 3 * shape->triangle_count, 0);
  int mesh = add_mesh(film, name, position, indices,
                      st_gltf_add_material(&film->gltf, name, grey, endless), &text);
  st_text_add(text, "}]}");
  return mesh;
}

static void add_vector(StText *text, const char *name, const float *value, int width) {
  st_text_add(text, ",\"%s\":[", name);
  for (int k = 0; k < width; k++)
    st_text_add(text, "%s%.9g", k ? "," : "", (double)value[k]);
  st_text_add(text, "]");
}

static StStatus animate_obstacle(Film *film, const StObstacleDesc *obstacle, int node,
                                 StError *error) {
  int frames = film->job->frame_count;
  ST_FREE float *turn = ST_NEW(float, 4 * (size_t)frames),
                *shift = ST_NEW(float, 3 * (size_t)frames);
  ST_TRY_MEMORY(turn && shift, error);
  for (int i = 0; i < frames; i++) {
    StObstacleNow now;
    st_obstacle_at(obstacle, st_export_time(film->job, i), &now);
    st_rotation_quaternion(now.rotation, i ? turn + 4 * (i - 1) : NULL, turn + 4 * i);
    for (int k = 0; k < 3; k++)
      shift[3 * i + k] = (float)now.origin[k];
  }
  add_vector(&film->gltf.list[ST_GLTF_NODES].text, "rotation", turn, 4);
  add_vector(&film->gltf.list[ST_GLTF_NODES].text, "translation", shift, 3);
  if (frames > 1 && st_motion_moves(&obstacle->motion)) {
    int rotation = st_gltf_add_floats(&film->gltf, turn, frames, 4, ST_GLTF_ANIMATION);
    add_channel(film, add_sampler(film, rotation), node, "rotation");
    int translation = st_gltf_add_floats(&film->gltf, shift, frames, 3, ST_GLTF_ANIMATION);
    add_channel(film, add_sampler(film, translation), node, "translation");
  }
  return ST_OK;
}

static StStatus add_obstacle(Film *film, const StObstacleDesc *obstacle, const double low[3],
                             const double high[3], StError *error) {
  ST_FINALLY(st_mesh_destroy_at) StMesh *shape = NULL;
  ST_TRY(st_obstacle_shape_create(obstacle, low, high, &shape, error));
  ST_FREE float *room = ST_NEW(float, 3 * (size_t)shape->vertex_count);
  StStatus status = room ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    int node = begin_node(film, obstacle->name, add_obstacle_mesh(film, obstacle, shape, room));
    status = animate_obstacle(film, obstacle, node, error);
    end_node(film);
  }
  return status;
}

// Rotates z up to y up.
static int add_root(Film *film) {
  StText *text;
  int root = st_gltf_next(&film->gltf, ST_GLTF_NODES, &text);
  st_text_add(text, "{\"name\":");
  st_gltf_add_string(text, film->job->name);
  st_text_add(text, ",\"rotation\":[-0.707106769,0,0,0.707106769],\"children\":[%s]}",
              film->children.data ? film->children.data : "");
  return root;
}

static StStatus shoot(Film *film, StError *error) {
  const StRecording *recording = film->job->recording;
  double low[3], high[3];
  ST_TRY(find_bodies(film, error));
  ST_TRY(add_frames(film, error));
  ST_TRY(add_times(film, error));
  for (int b = 0; b < film->body_count; b++)
    add_body(film, b);
  if (film->job->frame_count > 1)
    ST_TRY(animate_bodies(film, error));
  st_recording_bounds(recording, low, high);
  for (int o = 0; o < recording->description->obstacle_count; o++)
    ST_TRY(add_obstacle(film, &recording->description->obstacle[o], low, high, error));
  ST_TRY_MEMORY(!film->children.failed, error);
  return st_gltf_write(&film->gltf, film->job->path, film->job->name, add_root(film), error);
}

static StStatus write_gltf(StExportJob *job, StError *error) {
  double bytes = 12.0 * job->skin.vertex_count * job->frame_count;
  if (bytes > most_bytes)
    return st_fail(error, ST_BAD_INPUT,
                   "%d frames of %d vertices are %.1f GB, more than a glTF file holds; take fewer "
                   "with --every %d, or --from and --until",
                   job->frame_count, job->skin.vertex_count, bytes * 1e-9,
                   (int)ceil(bytes / most_bytes) *
                       (job->settings->every ? job->settings->every : 1));
  ST_FINALLY(film_free) Film film = {.job = job};
  return shoot(&film, error);
}

const StExportFormat st_export_gltf = {
    .name = "gltf",
    .summary = "animation as text with its numbers in a .bin beside it: as glb",
    .animation = true,
    .write = write_gltf,
};

const StExportFormat st_export_glb = {
    .name = "glb",
    .summary = "animation with colours and obstacles in one file: Blender, Windows, macOS, the web",
    .animation = true,
    .write = write_gltf,
};
