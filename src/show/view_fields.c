// Reads fields of frames, according to the table of what can be shown.
#include "show/view_fields.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// false: out of memory.
typedef bool Reader(const StViewSurface *surface, const double *from, float *to);

static bool read_scalar(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] = (float)from[surface->vertex[v]];
  return true;
}

// A signed length as two amounts: one plane for positive values and one for the depth below zero.
static bool read_sides(const StViewSurface *surface, const double *from, float *to) {
  size_t count = (size_t)surface->vertex_count;
  for (size_t v = 0; v < count; v++) {
    double value = from[surface->vertex[v]];
    to[v] = (float)fmax(value, 0);
    to[count + v] = (float)fmax(-value, 0);
  }
  return true;
}

// The vector's point on the octahedron |x| + |y| + |z| = 1, with the lower half unfolded.
static void unfold(const double x[3], double point[2]) {
  double sum = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
  double a = x[0] / sum, b = x[1] / sum;
  point[0] = x[2] < 0 ? copysign(1 - fabs(b), x[0]) : a;
  point[1] = x[2] < 0 ? copysign(1 - fabs(a), x[1]) : b;
}

// Planes for the length and the two numbers of the direction are consecutive.
static bool read_vector(const StViewSurface *surface, const double *from, float *to) {
  size_t count = (size_t)surface->vertex_count;
  for (size_t v = 0; v < count; v++) {
    const double *x = from + 3 * (size_t)surface->vertex[v];
    double length = vec3_length(x), point[2];
    to[v] = (float)length;
    if (!(length > 0))
      continue;
    unfold(x, point);
    for (size_t i = 0; i < 2; i++)
      to[(1 + i) * count + v] = (float)(127.5 * (point[i] + 1));
  }
  return true;
}

// Cells to vertices: mean over the adjacent triangles, by the cell behind each; for inner vertices,
// over the adjacent tets.
static bool read_cells(const StViewSurface *surface, const double *from, float *to) {
  const StSkin *skin = &surface->skin;
  float *weight = ST_NEW(float, surface->vertex_count);
  if (!weight)
    return false;
  for (int c = 0; c < 3 * skin->triangle_count; c++) {
    to[surface->triangle[c]] += (float)from[skin->cell[c / 3]];
    weight[surface->triangle[c]] += 1;
  }
  for (int i = 0; i < 4 * surface->tet_count; i++)
    if (surface->tet[i] >= surface->outer_count) {
      to[surface->tet[i]] += (float)from[i / 4];
      weight[surface->tet[i]] += 1;
    }
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] /= weight[v] > 0 ? weight[v] : 1;
  free(weight);
  return true;
}

// If a vertex has several findings, the last kind, which is the most serious; 0: none.
static bool read_finding(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    for (int marks = (int)from[surface->vertex[v]]; marks > 0; marks >>= 1)
      to[v]++;
  return true;
}

typedef struct Source {
  const char *field; // of a frame
  Reader *read;
  int plane_count;
  StViewPlane plane[3];
} Source;

static const Source sources[] = {
    {"velocity",
     read_vector,
     3,
     {{"speed", "Speed", "m/s", ST_VIEW_AMOUNT},
      {"speed_a", NULL, NULL, ST_VIEW_NUMBER},
      {"speed_b", NULL, NULL, ST_VIEW_NUMBER}}},
    {"force_contact",
     read_vector,
     3,
     {{"contact", "Contact force", "N", ST_VIEW_AMOUNT},
      {"contact_a", NULL, NULL, ST_VIEW_NUMBER},
      {"contact_b", NULL, NULL, ST_VIEW_NUMBER}}},
    {"force_friction",
     read_vector,
     3,
     {{"friction", "Friction force", "N", ST_VIEW_AMOUNT},
      {"friction_a", NULL, NULL, ST_VIEW_NUMBER},
      {"friction_b", NULL, NULL, ST_VIEW_NUMBER}}},
    {"contact_state", read_scalar, 1, {{"state", "Stick or slip", "", ST_VIEW_NUMBER}}},
    {"findings", read_finding, 1, {{"findings", "Findings of the judge", "", ST_VIEW_NUMBER}}},
    {"contact_gap",
     read_sides,
     2,
     {{"gap", "Contact gap", "m", ST_VIEW_AMOUNT}, {"overlap", "Overlap", "m", ST_VIEW_AMOUNT}}},
    {"slip_speed", read_scalar, 1, {{"slip_speed", "Slip speed", "m/s", ST_VIEW_AMOUNT}}},
    {"held_displacement", read_scalar, 1, {{"held", "Held displacement", "m", ST_VIEW_AMOUNT}}},
    {"von_mises", read_cells, 1, {{"von_mises", "Stress (von Mises)", "Pa", ST_VIEW_AMOUNT}}},
};

static const Source *source_of(const char *plane) {
  for (int i = 0; i < ST_LENGTH(sources); i++)
    if (strcmp(sources[i].plane[0].name, plane) == 0)
      return &sources[i];
  return NULL;
}

// Shells have no stress, so a run with shells only has none to show.
static bool has_tets(const StDescription *description) {
  for (int b = 0; b < description->body_count; b++)
    if (description->body[b].mesh->tet_count > 0)
      return true;
  return false;
}

static StStatus mark_found(const StRecording *recording, int frame, bool *found, StError *error) {
  StFrameFields *fields = NULL;
  ST_TRY(st_frame_fields_open(recording, frame, &fields, error));
  for (int i = 0; i < ST_LENGTH(sources); i++)
    if (st_frame_fields_find(fields, sources[i].field))
      found[i] = sources[i].read != read_cells || has_tets(recording->description);
  st_frame_fields_close(fields);
  return ST_OK;
}

StStatus st_view_planes_choose(const StRecording *recording, StViewPlanes *planes, StError *error) {
  bool found[ST_LENGTH(sources)] = {false};
  planes->count = 0;
  ST_TRY(mark_found(recording, 0, found, error));
  ST_TRY(mark_found(recording, recording->frame_count - 1, found, error));
  for (int i = 0; i < ST_LENGTH(sources); i++)
    for (int k = 0; found[i] && k < sources[i].plane_count; k++) {
      ST_CHECK(planes->count < ST_VIEW_PLANES, error);
      planes->plane[planes->count++] = sources[i].plane[k];
    }
  return ST_OK;
}

static StStatus read_position(const StFrameFields *fields, const StViewSurface *surface,
                              double *position, StError *error) {
  ST_FREE double *all = NULL;
  ST_TRY(st_frame_fields_position(fields, &all, error));
  for (int v = 0; v < surface->vertex_count; v++)
    vec3_copy(all + 3 * (size_t)surface->vertex[v], position + 3 * (size_t)v);
  return ST_OK;
}

static StStatus read_source(const StFrameFields *fields, const Source *source,
                            const StViewSurface *surface, float *value, StError *error) {
  const StGridArray *field = st_frame_fields_find(fields, source->field);
  size_t count = (size_t)source->plane_count * (size_t)surface->vertex_count;
  memset(value, 0, count * sizeof *value);
  if (!field)
    return ST_OK;
  ST_FREE double *from = NULL;
  ST_TRY(st_frame_fields_read(fields, field, &from, error));
  bool good = source->read(surface, from, value);
  return good ? ST_OK : st_fail_memory(error);
}

StStatus st_view_fields_read(const StRecording *recording, int frame, const StViewSurface *surface,
                             const StViewPlanes *planes, double *position, float *value,
                             StError *error) {
  StFrameFields *fields = NULL;
  ST_TRY(st_frame_fields_open(recording, frame, &fields, error));
  StStatus status = read_position(fields, surface, position, error);
  for (int p = 0; p < planes->count && status == ST_OK; p++) {
    const Source *source = source_of(planes->plane[p].name);
    if (source)
      status = read_source(fields, source, surface,
                           value + (size_t)p * (size_t)surface->vertex_count, error);
  }
  st_frame_fields_close(fields);
  return status;
}
