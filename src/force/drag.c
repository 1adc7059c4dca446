// Drag of the surrounding air or water: on a triangle of area A and normal n whose velocity
// relative to the stream is u, −½ρc (n·u)|n·u| A n across it and −½ρc' |u'| u' A along it with u' =
// u − (n·u) n; a third on each corner. Faces of solids get half of that, so that a thin solid and a
// shell of the same shape feel the same. No energy.
#include "base/memory.h"
#include "contact/core/contacts.h"
#include "force/list.h"
#include "math/vec3.h"

#include <string.h>

enum { DENSITY, COEFFICIENT, WIND_X, WIND_Y, WIND_Z, TANGENTIAL };

#define WIND(axis)                                                                                 \
  {                                                                                                \
    .name = "wind_" axis,                                                                          \
    .doc = "Velocity of the stream along " axis "; below that of sound, as the law is.",           \
    .dimension = ST_SPEED, .min = -300, .max = 300, .over_time = true                              \
  }

static const StParam params[] = {
    [DENSITY] =
        ST_PARAM("density", "Density of the medium: 1.2 kg/m^3 for air, 1000 kg/m^3 for water.",
                 .dimension = ST_DENSITY, .fallback = 1.2, .max = INFINITY),
    [COEFFICIENT] =
        ST_PARAM("coefficient", "Drag coefficient; 1.2 for a square plate facing the stream.",
                 .fallback = 1.2, .max = INFINITY),
    [WIND_X] = WIND("x"),
    [WIND_Y] = WIND("y"),
    [WIND_Z] = WIND("z"),
    [TANGENTIAL] =
        ST_PARAM("tangential_coefficient",
                 "Coefficient of tangential drag; 0.005 to 0.05 for smooth to rough cloth.",
                 .max = INFINITY),
};

// A triangle in the stream with a corner of this rank, for one entry of the scene.
typedef struct Panel {
  int corner[3];   // local vertices
  int slot[3][3];  // blocks of corners; -1: not our row
  double strength; // force across over (N·u)|N·u| N/|N|², kg/m³
  double along;    // force along over |u'| u' |N|, kg/m³
  const StForceDesc *desc;
} Panel;

typedef struct Drag {
  const StPiece *piece;
  size_t panel_count, panel_capacity;
  Panel *panel;
} Drag;

#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"
#include "force/drag_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"
#include "force/drag_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "model/body.h"

static void destroy(void *data) {
  Drag *drag = data;
  if (drag)
    free(drag->panel);
  free(drag);
}

// Forces go to owned corners only: other ranks have the same panel for theirs.
static bool is_owned(const Drag *drag, int vertex) {
  return vertex >= 0 && vertex < drag->piece->owned_count;
}

static bool add_panel(Drag *drag, const StForceDesc *desc, const int corner[3], double share) {
  if (!is_owned(drag, corner[0]) && !is_owned(drag, corner[1]) && !is_owned(drag, corner[2]))
    return true;
  if (!st_grow((void **)&drag->panel, &drag->panel_capacity, drag->panel_count + 1, sizeof(Panel)))
    return false;
  const double *value = desc->choice.value;
  Panel *panel = &drag->panel[drag->panel_count++];
  *panel = (Panel){.strength = share * value[DENSITY] * value[COEFFICIENT] / 4,
                   .along = share * value[DENSITY] * value[TANGENTIAL] / 4,
                   .desc = desc};
  memcpy(panel->corner, corner, sizeof panel->corner);
  return true;
}

// first: number of the body's first vertex; local: [vertices of all bodies] local numbers
static StStatus add_body(Drag *drag, const StForceDesc *desc, const StBodyDesc *body,
                         const int *local, int first, StError *error) {
  const StMesh *mesh = body->mesh;
  int *triangle = NULL, count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  bool good = true;
  for (int t = 0; t < count && good; t++) {
    const int *v = triangle + 3 * (size_t)t;
    const int corner[3] = {local[first + v[0]], local[first + v[1]], local[first + v[2]]};
    bool of_solid = st_body_has_surface(body) ? body->closed : t < count - mesh->triangle_count;
    good = add_panel(drag, desc, corner, of_solid ? 0.5 : 1);
  }
  free(triangle);
  return good ? ST_OK : st_fail_memory(error);
}

static StStatus add_request(Drag *drag, const StDescription *description, const StForceDesc *desc,
                            const int *local, StError *error) {
  int first = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    if (desc->body < 0 || desc->body == b)
      ST_TRY(add_body(drag, desc, body, local, first, error));
    first += body->mesh->vertex_count;
  }
  return ST_OK;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Drag *drag = *data;
  drag->piece = site->piece;
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  ST_TRY_MEMORY(local, error);
  for (int i = 0; i < description->force_count; i++)
    if (st_force_is_requested(site->type, &description->force[i]))
      ST_TRY(add_request(drag, description, &description->force[i], local, error));
  return ST_OK;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)error;
  Drag *drag = data;
  for (size_t p = 0; p < drag->panel_count; p++) {
    Panel *panel = &drag->panel[p];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        panel->slot[a][b] = st_block_matrix_slot(matrix, panel->corner[a], panel->corner[b]);
  }
  return ST_OK;
}

// Panels of one entry are consecutive: its wind is evaluated once and kept.
typedef struct Stream {
  const StForceDesc *desc;
  double wind[3]; // m/s
} Stream;

static const double *wind_of(const Panel *panel, double time, Stream *stream) {
  for (int k = 0; k < 3 && stream->desc != panel->desc; k++)
    stream->wind[k] = st_force_value(panel->desc, WIND_X + k, time);
  stream->desc = panel->desc;
  return stream->wind;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)trouble;
  const Drag *drag = data;
  Stream stream = {0};
  for (size_t p = 0; p < drag->panel_count; p++) {
    const Panel *panel = &drag->panel[p];
    double on_corner[3];
    panel_force_real(panel, wind_of(panel, at->time, &stream), at->position, at->velocity,
                     on_corner);
    for (int c = 0; c < 3; c++)
      if (is_owned(drag, panel->corner[c]))
        vec3_add_scaled(1, on_corner, force + 3 * (size_t)panel->corner[c]);
  }
  return true;
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  const Drag *drag = data;
  Stream stream = {0};
  for (size_t p = 0; p < drag->panel_count; p++) {
    const Panel *panel = &drag->panel[p];
    StDual on_corner[3];
    panel_force_complex(panel, wind_of(panel, at->time, &stream), position, velocity, on_corner);
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3 && is_owned(drag, panel->corner[c]); k++)
        force[3 * (size_t)panel->corner[c] + (size_t)k] += on_corner[k];
  }
}

// Derivatives of the force on a corner by N and by u, row-major.
typedef struct Slope {
  double by_normal[9], by_velocity[9];
} Slope;

static void find_across(const Panel *panel, const double N[3], const double u[3], Slope *slope) {
  double across = vec3_dot(N, u), square = vec3_dot(N, N);
  double factor = square > 0 ? -panel->strength / 3 * fabs(across) / square : 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double inward = square > 0 ? 2 * across * N[i] * N[j] / square : 0;
      slope->by_velocity[3 * i + j] = 2 * factor * N[i] * N[j];
      slope->by_normal[3 * i + j] = factor * (2 * N[i] * u[j] + (i == j ? across : 0) - inward);
    }
}

// With P = 1 − nnᵀ, S = |u'| P + u'u'ᵀ/|u'|: of |u'| u' |N| by u it is |N| S, and by N it is
// |u'| u' nᵀ − (n·u) S − |u'| n u'ᵀ.
static void add_along(const Panel *panel, const double N[3], const double u[3], Slope *slope) {
  double size = vec3_length(N), n[3], t[3];
  for (int k = 0; k < 3; k++)
    n[k] = size > 0 ? N[k] / size : 0;
  double across = vec3_dot(n, u), factor = -panel->along / 3;
  for (int k = 0; k < 3; k++)
    t[k] = u[k] - across * n[k];
  double speed = vec3_length(t);
  if (!(size > 0 && speed > 0))
    return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double S = speed * ((i == j) - n[i] * n[j]) + t[i] * t[j] / speed;
      slope->by_velocity[3 * i + j] += factor * size * S;
      slope->by_normal[3 * i + j] +=
          factor * (speed * t[i] * n[j] - across * S - speed * n[i] * t[j]);
    }
}

static void find_slope(const Panel *panel, const double wind[3], const StPoint *at, Slope *slope) {
  double N[3], u[3];
  triangle_normal_real(at->position, panel->corner, N);
  for (int k = 0; k < 3; k++) {
    u[k] = -wind[k];
    for (int c = 0; c < 3; c++)
      u[k] += at->velocity[3 * (size_t)panel->corner[c] + (size_t)k] / 3;
  }
  find_across(panel, N, u, slope);
  if (panel->along > 0)
    add_along(panel, N, u, slope);
}

// The derivatives by position and velocity of a corner, each with its factor. N changes by d × e
// when corner c moves by d: e, from the corner after the next to the next.
static void find_block(const Panel *panel, const StPoint *at, const Slope *slope, int c,
                       double by_position, double by_velocity, double block[9]) {
  double edge[3], unit[3], turned[3], column[3];
  vec3_sub(at->position + 3 * (size_t)panel->corner[(c + 1) % 3],
           at->position + 3 * (size_t)panel->corner[(c + 2) % 3], edge);
  for (int j = 0; j < 3; j++) {
    vec3_set(j == 0, j == 1, j == 2, unit);
    vec3_cross(unit, edge, turned);
    mat3_apply(slope->by_normal, turned, column);
    for (int i = 0; i < 3; i++)
      block[3 * i + j] = by_position * column[i] + by_velocity / 3 * slope->by_velocity[3 * i + j];
  }
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Drag *drag = data;
  Stream stream = {0};
  for (size_t p = 0; p < drag->panel_count; p++) {
    const Panel *panel = &drag->panel[p];
    Slope slope;
    find_slope(panel, wind_of(panel, at->time, &stream), at, &slope);
    for (int b = 0; b < 3; b++) {
      double block[9];
      find_block(panel, at, &slope, b, by_position, by_velocity, block);
      for (int a = 0; a < 3; a++)
        for (int k = 0; k < 9 && panel->slot[a][b] >= 0; k++)
          matrix->value[9 * (size_t)panel->slot[a][b] + (size_t)k] += block[k];
    }
  }
}

const StForceType st_force_drag = {
    .name = "drag",
    .summary = "Drag of the surrounding air or water, at rest or as a wind, on all surfaces; it "
               "grows with the square of the speed, across the surface and along it.",
    .optional = true,
    .param = params,
    .param_count = ST_LENGTH(params),
    .by_velocity = true,
    .of_outside = true,
    .of_load = true,
    .rises = true,
    .present = st_force_is_present,
    .size = sizeof(Drag),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .add = add,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
};
