// Fillings of closed volumes: f = −U'(V) ∂V/∂q for each, U by the zone's model
// (force/volume_model.h). Every rank knows all vertices of all zones and computes whole volumes in
// the same order; forces come from the triangles whose first vertex is owned.
#include "force/volume.h"

#include "base/memory.h"
#include "force/list.h"
#include "force/volume_model.h"
#include "mesh/closed.h"
#include "math/vec3.h"

#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

#include <string.h>

typedef struct Zone {
  const StVolumeDesc *desc;
  const StVolumeModel *model;
  double rise; // s, in which the pressure at time 0 rises from nothing
  int triangle_count;
  int *triangle; // [triangle_count][3] local vertices
  int *slot;     // [triangle_count][3][3] of blocks, by row's and column's corner; -1: not ours
  bool counted;  // this rank counts its energy
} Zone;

typedef struct Volume {
  const StPiece *piece;
  int zone_count;
  Zone *zone;
} Volume;

static void destroy(void *data) {
  Volume *volume = data;
  for (int z = 0; volume && z < volume->zone_count; z++) {
    free(volume->zone[z].triangle);
    free(volume->zone[z].slot);
  }
  if (volume)
    free(volume->zone);
  free(volume);
}

// Rest positions of all vertices of the description.
static double *rest_positions(const StDescription *description) {
  double *position = ST_NEW(double, 3 * (size_t)st_description_vertex_count(description));
  double *to = position;
  for (int b = 0; position && b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    memcpy(to, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof(double));
    to += 3 * (size_t)mesh->vertex_count;
  }
  return position;
}

static StStatus check_numbers(const StVolumeDesc *desc, const StVolumeModel *model,
                              StError *error) {
  double V0 = desc->rest_volume;
  if (!isfinite(V0) || V0 < 0 || (V0 == 0 && model->by_volume))
    return st_fail(error, ST_BAD_INPUT, "the rest volume is %g m^3; it must be positive", V0);
  if (!(desc->outside_pressure >= 0 && isfinite(desc->outside_pressure)))
    return st_fail(error, ST_BAD_INPUT, "the outside pressure is %g Pa; it cannot be negative",
                   desc->outside_pressure);
  if (model->param_count && !(desc->model.value[0] > 0 && isfinite(desc->model.value[0])))
    return st_fail(error, ST_BAD_INPUT, "the compressibility is %g 1/Pa; it must be positive",
                   desc->model.value[0]);
  return ST_OK;
}

static StStatus check_vertices(const StVolumeDesc *desc, int vertex_count, StError *error) {
  for (int i = 0; i < 3 * desc->triangle_count; i++)
    if (desc->triangle[i] < 0 || desc->triangle[i] >= vertex_count)
      return st_fail(error, ST_BAD_INPUT,
                     "triangle %d refers to vertex %d, but there are %d vertices (counted from 0)",
                     i / 3, desc->triangle[i], vertex_count);
  return ST_OK;
}

static StStatus find_triangles(const int *local, const StPiece *piece, Zone *zone, StError *error) {
  size_t corners = 3 * (size_t)zone->desc->triangle_count;
  zone->triangle_count = zone->desc->triangle_count;
  zone->triangle = ST_NEW(int, corners);
  zone->slot = ST_NEW(int, 3 * corners);
  ST_TRY_MEMORY(zone->triangle && zone->slot, error);
  for (size_t i = 0; i < corners; i++) {
    zone->triangle[i] = local[zone->desc->triangle[i]];
    ST_CHECK(zone->triangle[i] >= 0, error);
  }
  zone->counted = zone->triangle[0] < piece->owned_count;
  return ST_OK;
}

static StStatus zone_create(const StForceSite *site, const double *rest, const int *local,
                            Zone *zone, StError *error) {
  const StVolumeDesc *desc = zone->desc;
  int vertex_count = st_description_vertex_count(site->description);
  zone->model = desc->model.name ? st_volume_model_find(desc->model.name) : NULL;
  zone->rise = st_description_rise(site->description);
  if (!zone->model)
    return st_fail(error, ST_BAD_INPUT, "there is no model %s",
                   desc->model.name ? desc->model.name : "");
  ST_TRY(check_numbers(desc, zone->model, error));
  ST_TRY(check_vertices(desc, vertex_count, error));
  // Forces are gradients of the energy only if the surface is closed.
  ST_TRY(st_surface_check_closed(rest, vertex_count, desc->triangle, desc->triangle_count, error));
  return find_triangles(local, site->piece, zone, error);
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Volume *volume = *data;
  volume->piece = site->piece;
  ST_FREE double *rest = rest_positions(description);
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  volume->zone = ST_NEW(Zone, description->volume_count);
  StStatus status = rest && local && volume->zone ? ST_OK : st_fail_memory(error);
  for (int z = 0; status == ST_OK && z < description->volume_count; z++) {
    const StVolumeDesc *desc = &description->volume[z];
    volume->zone[volume->zone_count++].desc = desc;
    status = zone_create(site, rest, local, &volume->zone[z], error);
    if (status != ST_OK)
      st_error_prefix(error, status, "volume %s: ", desc->name ? desc->name : "(unnamed)");
  }
  return status;
}

static bool present(const StForceSite *site) {
  return site->description->volume_count > 0;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  Volume *volume = data;
  for (int z = 0; z < volume->zone_count; z++) {
    Zone *zone = &volume->zone[z];
    for (int i = 0; i < 9 * zone->triangle_count; i++) {
      const int *vertex = zone->triangle + 3 * (i / 9);
      int row = vertex[i % 9 / 3], column = vertex[i % 3];
      zone->slot[i] = st_block_matrix_slot(matrix, row, column);
      ST_CHECK(zone->slot[i] >= 0 || row >= matrix->row_count, error);
    }
  }
  return ST_OK;
}

// A filling rises as a whole, a prescribed pressure by its difference to outside.
static StFilling filling_at(const Zone *zone, double time) {
  const StVolumeDesc *desc = zone->desc;
  double pressure = st_curve_at(&desc->pressure, time, desc->outside_pressure);
  double missing = zone->model->by_volume ? 0 : st_curve_missing(time, zone->rise);
  if (missing > 0)
    pressure -= missing *
                (st_curve_at(&desc->pressure, 0, desc->outside_pressure) - desc->outside_pressure);
  return (StFilling){
      .rest_volume = desc->rest_volume,
      .outside_pressure = desc->outside_pressure,
      .pressure = pressure,
      .compressibility = zone->model->param_count ? desc->model.value[0] : NAN,
  };
}

static double share_at(const Zone *zone, double time) {
  return zone->model->by_volume ? 1 - st_curve_missing(time, zone->rise) : 1;
}

static double zone_slopes(const Zone *zone, const StPoint *at, double slope[3]) {
  StFilling filling = filling_at(zone, at->time);
  double V = st_surface_volume(at->position, zone->triangle, zone->triangle_count, NULL);
  zone->model->slopes(&filling, V, slope);
  for (int k = 0; k < 3; k++)
    slope[k] *= share_at(zone, at->time);
  return V;
}

static double energy(const void *data, const StPoint *at) {
  const Volume *volume = data;
  double sum = 0, slope[3];
  for (int z = 0; z < volume->zone_count; z++) {
    const Zone *zone = &volume->zone[z];
    if (!zone->counted)
      continue;
    double V = zone_slopes(zone, at, slope);
    sum += zone->model->barrier && V <= 0 ? INFINITY : slope[0];
  }
  return sum;
}

static bool is_owned(const Volume *volume, const Zone *zone, int triangle) {
  return zone->triangle[3 * triangle] < volume->piece->owned_count;
}

// Adds s/6 of a triangle's normal to each of its corners: their shares of ∂V/∂q. True shares depend
// on the origin, but the difference cancels around every vertex.
static void spread(const int vertex[3], double s, const double normal[3], double *out) {
  for (int c = 0; c < 3; c++)
    vec3_add_scaled(s / 6, normal, out + 3 * (size_t)vertex[c]);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Volume *volume = data;
  double slope[3], normal[3];
  for (int z = 0; z < volume->zone_count; z++) {
    const Zone *zone = &volume->zone[z];
    double V = zone_slopes(zone, at, slope);
    bool finite = isfinite(V);
    if (!finite || (zone->model->barrier && V <= 0)) {
      *trouble =
          (StTrouble){volume->piece->vertex_id[zone->triangle[0]], st_force_volume.name,
                      finite ? "the volume is not positive" : "the volume is not a number", -1};
      return false;
    }
    for (int t = 0; t < zone->triangle_count; t++) {
      if (!is_owned(volume, zone, t))
        continue;
      const int *vertex = zone->triangle + 3 * (size_t)t;
      triangle_normal_real(at->position, vertex, normal);
      spread(vertex, -slope[1], normal, force);
    }
  }
  return true;
}

// out += s [e]ₓ
static void add_cross_matrix(double s, const double e[3], double *out) {
  out[1] -= s * e[2], out[2] += s * e[1];
  out[3] += s * e[2], out[5] -= s * e[0];
  out[6] -= s * e[1], out[7] += s * e[0];
}

// The derivative of a normal by corner c is the cross product with the opposite side; diagonal
// blocks cancel around every vertex.
static void add_triangle_blocks(const Zone *zone, int t, const double *position, double s,
                                StBlockMatrix *matrix) {
  const int *vertex = zone->triangle + 3 * (size_t)t, *slot = zone->slot + 9 * (size_t)t;
  for (int c = 0; c < 3; c++) {
    int next = (c + 1) % 3, last = (c + 2) % 3;
    double side[3];
    vec3_sub(position + 3 * (size_t)vertex[last], position + 3 * (size_t)vertex[next], side);
    if (slot[3 * next + c] >= 0)
      add_cross_matrix(s / 6, side, matrix->value + 9 * (size_t)slot[3 * next + c]);
    if (slot[3 * last + c] >= 0)
      add_cross_matrix(s / 6, side, matrix->value + 9 * (size_t)slot[3 * last + c]);
  }
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)by_velocity;
  const Volume *volume = data;
  double slope[3];
  for (int z = 0; z < volume->zone_count; z++) {
    const Zone *zone = &volume->zone[z];
    zone_slopes(zone, at, slope);
    for (int t = 0; t < zone->triangle_count; t++)
      add_triangle_blocks(zone, t, at->position, -by_position * slope[1], matrix);
  }
}

static int coupling_count(const void *data) {
  return ((const Volume *)data)->zone_count;
}

static double coupling(const void *data, const StPoint *at, int index, double *u) {
  const Volume *volume = data;
  const Zone *zone = &volume->zone[index];
  double slope[3], normal[3];
  memset(u, 0, 3 * (size_t)volume->piece->vertex_count * sizeof(double));
  for (int t = 0; t < zone->triangle_count; t++) {
    const int *vertex = zone->triangle + 3 * (size_t)t;
    triangle_normal_real(at->position, vertex, normal);
    spread(vertex, 1, normal, u);
  }
  zone_slopes(zone, at, slope);
  return -slope[2];
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)velocity;
  const Volume *volume = data;
  StDual slope[3], normal[3];
  for (int z = 0; z < volume->zone_count; z++) {
    const Zone *zone = &volume->zone[z];
    StFilling filling = filling_at(zone, at->time);
    StDual V = surface_volume_complex(position, zone->triangle, zone->triangle_count);
    zone->model->slopes_complex(&filling, V, slope);
    slope[1] *= share_at(zone, at->time);
    for (int t = 0; t < zone->triangle_count; t++) {
      if (!is_owned(volume, zone, t))
        continue;
      const int *vertex = zone->triangle + 3 * (size_t)t;
      triangle_normal_complex(position, vertex, normal);
      for (int i = 0; i < 9; i++)
        force[3 * (size_t)vertex[i / 3] + (size_t)(i % 3)] -= slope[1] * normal[i % 3] / 6;
    }
  }
}

int st_volume_zone_count(const void *data) {
  return ((const Volume *)data)->zone_count;
}

void st_volume_read(const void *data, const StPoint *at, int zone, double *volume,
                    double *pressure) {
  const Zone *from = &((const Volume *)data)->zone[zone];
  double slope[3];
  *volume = zone_slopes(from, at, slope);
  *pressure = from->desc->outside_pressure - slope[1];
}

const StForceType st_force_volume = {
    .name = "volume",
    .summary = "Pressure of the filling of closed volumes, by its volume or as given over time.",
    .has_energy = true,
    .of_load = true,
    .of_time = true,
    .present = present,
    .size = sizeof(Volume),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .coupling_count = coupling_count,
    .coupling = coupling,
    .add_complex = add_complex,
};
