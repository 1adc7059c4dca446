// USD as text: every body is a mesh whose points have a sample per frame, every obstacle a mesh
// that a matrix moves. z is up, lengths are metres, and a time code is a frame of the run.
#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "plot/palette.h"
#include "replay/obstacle_shape.h"
#include "show/export_job.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double most_bytes = 2e9; // of numbers, before they become three times as much text

static const char MATERIALS[] = "materials"; // beside bodies and obstacles

typedef struct Film {
  const StExportJob *job;
  StText text;
  double rate;          // time codes per second
  float *position;      // [frame_count][skin.vertex_count][3]
  StExportRange *range; // [bodies]
  StText *name;         // [bodies + obstacles] valid USD names
} Film;

static int thing_count(const StExportJob *job) {
  const StDescription *description = job->recording->description;
  return description->body_count + description->obstacle_count;
}

static void film_free(Film *film) {
  for (int i = 0; film->name && i < thing_count(film->job); i++)
    st_text_free(&film->name[i]);
  free(film->name);
  free(film->position);
  free(film->range);
  st_text_free(&film->text);
}

static const char *name_of(const StExportJob *job, int thing) {
  const StDescription *description = job->recording->description;
  return thing < description->body_count
             ? description->body[thing].name
             : description->obstacle[thing - description->body_count].name;
}

// Letters, digits and _, not starting with a digit.
static void add_identifier(StText *text, const char *name) {
  if (!isalpha((unsigned char)name[0]) && name[0] != '_')
    st_text_add(text, "_");
  for (; *name; name++)
    st_text_add(text, "%c", isalnum((unsigned char)*name) ? *name : '_');
}

// Names must be unique: "a b" and "a-b" become a_b and a_b_2.
static StStatus choose_names(Film *film, StError *error) {
  int count = thing_count(film->job);
  ST_TRY_MEMORY(film->name = ST_NEW(StText, count), error);
  for (int i = 0; i < count; i++) {
    bool taken = true;
    for (int attempt = 1; taken; attempt++) {
      st_text_free(&film->name[i]);
      add_identifier(&film->name[i], name_of(film->job, i));
      if (attempt > 1)
        st_text_add(&film->name[i], "_%d", attempt);
      ST_TRY_MEMORY(!film->name[i].failed, error);
      taken = strcmp(film->name[i].data, MATERIALS) == 0;
      for (int k = 0; k < i && !taken; k++)
        taken = strcmp(film->name[k].data, film->name[i].data) == 0;
    }
  }
  return ST_OK;
}

static StStatus read_frames(Film *film, StError *error) {
  const StExportJob *job = film->job;
  size_t width = 3 * (size_t)job->skin.vertex_count;
  ST_TRY_MEMORY(film->position = ST_NEW(float, width *(size_t)job->frame_count), error);
  for (int f = 0; f < job->frame_count; f++) {
    double *position = NULL;
    ST_TRY(st_export_positions(job, f, &position, error));
    for (size_t i = 0; i < width; i++)
      film->position[(size_t)f * width + i] = (float)position[i];
    free(position);
  }
  return ST_OK;
}

// From the first two frames: later ones may be closer, as the last is at the end of the run.
static double choose_rate(const StExportJob *job) {
  double step = job->frame_count > 1 ? st_export_time(job, 1) - st_export_time(job, 0) : 0;
  return step > 0 ? 1e-6 * round(1e6 / step) : 24;
}

static double code_of(const Film *film, int frame) {
  return 1e-6 * round(1e6 * film->rate * st_export_time(film->job, frame));
}

static void add_head(Film *film) {
  const StExportJob *job = film->job;
  StText *text = &film->text;
  st_text_add(text, "#usda 1.0\n(\n    defaultPrim = \"");
  add_identifier(text, job->name);
  st_text_add(text,
              "\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    timeCodesPerSecond = %.9g\n",
              film->rate);
  st_text_add(text, "    framesPerSecond = %.9g\n    startTimeCode = %.9g\n", film->rate,
              code_of(film, 0));
  st_text_add(text, "    endTimeCode = %.9g\n)\n\ndef Xform \"",
              code_of(film, job->frame_count - 1));
  add_identifier(text, job->name);
  st_text_add(text, "\"\n{\n");
}

// The original name, which may not be valid in USD.
static void add_given_name(StText *text, const char *name) {
  st_text_add(text, "        customData = {\n            string name = ");
  st_json_text_add_string(text, name);
  st_text_add(text, "\n        }\n");
}

static void add_binding(const Film *film, int thing, StText *text) {
  st_text_add(text, "        rel material:binding = </");
  add_identifier(text, film->job->name);
  st_text_add(text, "/%s/%s>\n", MATERIALS, film->name[thing].data);
}

static void add_triangles(StText *text, const int *triangle, int count, int subtract) {
  st_text_add(text, "        int[] faceVertexCounts = [");
  for (int t = 0; t < count; t++)
    st_text_add(text, "%s3", t ? ", " : "");
  st_text_add(text, "]\n        int[] faceVertexIndices = [");
  for (int i = 0; i < 3 * count; i++)
    st_text_add(text, "%s%d", i ? ", " : "", triangle[i] - subtract);
  st_text_add(text, "]\n");
}

static void add_points(StText *text, const float *position, int count) {
  st_text_add(text, "[");
  for (int v = 0; v < count; v++)
    st_text_add(text, "%s(%.8g, %.8g, %.8g)", v ? ", " : "", (double)position[3 * v],
                (double)position[3 * v + 1], (double)position[3 * v + 2]);
  st_text_add(text, "]");
}

static void add_extent(StText *text, const float *position, int count) {
  float low[3] = {0}, high[3] = {0};
  for (int i = 0; i < 3 * count; i++) {
    low[i % 3] = i < 3 || position[i] < low[i % 3] ? position[i] : low[i % 3];
    high[i % 3] = i < 3 || position[i] > high[i % 3] ? position[i] : high[i % 3];
  }
  float corners[6] = {low[0], low[1], low[2], high[0], high[1], high[2]};
  add_points(text, corners, 2);
}

typedef void Sampler(StText *text, const float *position, int count);

static void add_samples(Film *film, const StExportRange *range, const char *name, Sampler *add) {
  size_t width = 3 * (size_t)film->job->skin.vertex_count;
  st_text_add(&film->text, "        %s.timeSamples = {\n", name);
  for (int f = 0; f < film->job->frame_count; f++) {
    st_text_add(&film->text, "            %.9g: ", code_of(film, f));
    add(&film->text, film->position + (size_t)f * width + 3 * (size_t)range->first_vertex,
        range->vertex_count);
    st_text_add(&film->text, ",\n");
  }
  st_text_add(&film->text, "        }\n");
}

static void colour_of(const StExportJob *job, int thing, double colour[3]) {
  bool body = thing < job->recording->description->body_count;
  for (int k = 0; k < 3; k++)
    colour[k] = body ? st_export_linear(st_palette[thing % ST_PALETTE_SIZE][k]) : 0.45;
}

static void add_mesh_head(Film *film, int thing, const char *more) {
  st_text_add(&film->text, "    def Mesh \"%s\" (\n", film->name[thing].data);
  add_given_name(&film->text, name_of(film->job, thing));
  st_text_add(&film->text,
              "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n%s", more);
}

static void add_mesh_tail(Film *film, int thing) {
  double colour[3];
  colour_of(film->job, thing, colour);
  st_text_add(&film->text,
              "        color3f[] primvars:displayColor = [(%.4g, %.4g, %.4g)]\n"
              "        uniform token subdivisionScheme = \"none\"\n",
              colour[0], colour[1], colour[2]);
  add_binding(film, thing, &film->text);
  st_text_add(&film->text, "    }\n\n");
}

static void add_body(Film *film, int body) {
  const StSkin *skin = &film->job->skin;
  const StExportRange *range = &film->range[body];
  if (range->triangle_count == 0)
    return;
  bool shell = skin->shell[range->first_triangle];
  add_mesh_head(film, body, shell ? "        uniform bool doubleSided = 1\n" : "");
  add_triangles(&film->text, skin->triangle + 3 * range->first_triangle, range->triangle_count,
                range->first_vertex);
  add_samples(film, range, "float3[] extent", add_extent);
  add_samples(film, range, "point3f[] points", add_points);
  add_mesh_tail(film, body);
}

// x = R X + o transposed, because USD uses row vectors.
static void add_matrix(StText *text, const StObstacleNow *now) {
  const double *r = now->rotation, *o = now->origin;
  st_text_add(text, "( ");
  for (int i = 0; i < 3; i++)
    st_text_add(text, "(%.9g, %.9g, %.9g, 0), ", r[i], r[3 + i], r[6 + i]);
  st_text_add(text, "(%.9g, %.9g, %.9g, 1) )", o[0], o[1], o[2]);
}

static void add_motion(Film *film, const StObstacleDesc *obstacle) {
  StText *text = &film->text;
  StObstacleNow now;
  bool moves = st_motion_moves(&obstacle->motion);
  st_text_add(text, "        matrix4d xformOp:transform%s", moves ? ".timeSamples = {\n" : " = ");
  for (int f = 0; f < (moves ? film->job->frame_count : 1); f++) {
    st_obstacle_at(obstacle, st_export_time(film->job, f), &now);
    if (moves)
      st_text_add(text, "            %.9g: ", code_of(film, f));
    add_matrix(text, &now);
    st_text_add(text, moves ? ",\n" : "\n");
  }
  st_text_add(text, "%s        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n",
              moves ? "        }\n" : "");
}

static StStatus add_obstacle(Film *film, int number, StError *error) {
  const StDescription *description = film->job->recording->description;
  const StObstacleDesc *obstacle = &description->obstacle[number];
  int thing = description->body_count + number;
  double low[3], high[3];
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  st_recording_bounds(film->job->recording, low, high);
  ST_TRY(st_obstacle_shape_create(obstacle, low, high, &mesh, error));
  ST_FREE float *room = ST_NEW(float, 3 * (size_t)mesh->vertex_count);
  for (int i = 0; room && i < 3 * mesh->vertex_count; i++)
    room[i] = (float)mesh->position[i];
  if (room) {
    StText *text = &film->text;
    add_mesh_head(film, thing, "        uniform bool doubleSided = 1\n");
    add_triangles(text, mesh->triangle, mesh->triangle_count, 0);
    st_text_add(text, "        float3[] extent = ");
    add_extent(text, room, mesh->vertex_count);
    st_text_add(text, "\n        point3f[] points = ");
    add_points(text, room, mesh->vertex_count);
    st_text_add(text, "\n");
    add_motion(film, obstacle);
    add_mesh_tail(film, thing);
  }
  return room ? ST_OK : st_fail_memory(error);
}

static void add_material(Film *film, int thing) {
  StText *text = &film->text;
  const char *name = film->name[thing].data;
  double colour[3];
  colour_of(film->job, thing, colour);
  st_text_add(text, "        def Material \"%s\"\n        {\n", name);
  st_text_add(text, "            token outputs:surface.connect = </");
  add_identifier(text, film->job->name);
  st_text_add(text,
              "/%s/%s/surface.outputs:surface>\n\n"
              "            def Shader \"surface\"\n            {\n"
              "                uniform token info:id = \"UsdPreviewSurface\"\n"
              "                color3f inputs:diffuseColor = (%.4g, %.4g, %.4g)\n"
              "                float inputs:roughness = 0.6\n"
              "                token outputs:surface\n            }\n        }\n",
              MATERIALS, name, colour[0], colour[1], colour[2]);
}

static StStatus write_film(Film *film, StError *error) {
  const StDescription *description = film->job->recording->description;
  film->rate = choose_rate(film->job);
  ST_TRY(choose_names(film, error));
  ST_TRY(st_export_ranges(film->job, &film->range, error));
  ST_TRY(read_frames(film, error));
  add_head(film);
  for (int b = 0; b < description->body_count; b++)
    add_body(film, b);
  for (int o = 0; o < description->obstacle_count; o++)
    ST_TRY(add_obstacle(film, o, error));
  st_text_add(&film->text, "    def Scope \"%s\"\n    {\n", MATERIALS);
  for (int i = 0; i < thing_count(film->job); i++)
    add_material(film, i);
  st_text_add(&film->text, "    }\n}\n");
  ST_TRY_MEMORY(!film->text.failed, error);
  return st_file_write(film->job->path, film->text.data, film->text.length, error);
}

static StStatus write_usda(StExportJob *job, StError *error) {
  double bytes = 12.0 * job->skin.vertex_count * job->frame_count;
  if (bytes > most_bytes)
    return st_fail(error, ST_BAD_INPUT,
                   "%d frames of %d vertices are %.1f GB, too much for a text file; take fewer "
                   "with --every, or --from and --until",
                   job->frame_count, job->skin.vertex_count, bytes * 1e-9);
  ST_FINALLY(film_free) Film film = {.job = job};
  return write_film(&film, error);
}

const StExportFormat st_export_usda = {
    .name = "usda",
    .summary = "USD as text, bodies and obstacles as moving meshes: Houdini, Blender, Omniverse",
    .write = write_usda,
};
