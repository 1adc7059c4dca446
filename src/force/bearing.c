// Rims that rotate about a fixed axis: with weights w_i = m_i/Σm, rest arms X_i and current arms
// x_i from the centre, the energy is ½K min_φ Σ w_i |x_i − R(φ) X_i|² − τ φ: springs to the
// best-fitting rigid rim, and a torque on the angle of that rim. Every rank knows all vertices of
// all rims; forces are added to owned ones.
#include "force/bearing.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"

#include <string.h>

typedef struct Spoke {
  int vertex; // local
  int slot;   // of its diagonal block; -1: not ours
  double weight;
  double along;                // rest arm along the axis, …
  double across[3], around[3]; // … the rest of it, X⊥, and axis × X⊥
} Spoke;

typedef struct Rim {
  const StBearingDesc *desc;
  double rise; // s, in which its torque at time 0 rises from nothing
  double centre[3], axis[3];
  double stiffness;
  int count;
  Spoke *spoke;
  double rest_fit; // ρ at rest, Σ w |X⊥|²
  double angle;    // of the last committed state, including whole turns
  bool counted;    // this rank counts its energy and stores its angle
} Rim;

typedef struct Bearing {
  const StPiece *piece;
  int rim_count;
  Rim *rim;
} Bearing;

#include "force/bearing_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "force/bearing_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

static void destroy(void *data) {
  Bearing *bearing = data;
  for (int b = 0; bearing && b < bearing->rim_count; b++)
    free(bearing->rim[b].spoke);
  if (bearing)
    free(bearing->rim);
  free(bearing);
}

static StStatus set_axis(Rim *rim, StError *error) {
  const StBearingDesc *desc = rim->desc;
  double length = vec3_length(desc->axis);
  if (!(length > 0 && isfinite(length)))
    return st_fail(error, ST_BAD_INPUT, "the axis (%g, %g, %g) has no direction", desc->axis[0],
                   desc->axis[1], desc->axis[2]);
  if (!(desc->stiffness > 0 && isfinite(desc->stiffness)))
    return st_fail(error, ST_BAD_INPUT, "the stiffness is %g N/m; it must be positive",
                   desc->stiffness);
  rim->stiffness = desc->stiffness;
  vec3_copy(desc->centre, rim->centre);
  for (int k = 0; k < 3; k++)
    rim->axis[k] = desc->axis[k] / length;
  return ST_OK;
}

static void set_arm(const Rim *rim, const double rest[3], Spoke *spoke) {
  double arm[3];
  vec3_sub(rest, rim->centre, arm);
  spoke->along = vec3_dot(arm, rim->axis);
  vec3_copy(arm, spoke->across);
  vec3_add_scaled(-spoke->along, rim->axis, spoke->across);
  vec3_cross(rim->axis, spoke->across, spoke->around);
}

// Below this fraction of other lengths, the extent across the axis is only rounding.
static StStatus check_rim(const Rim *rim, StError *error) {
  double scale = vec3_dot(rim->centre, rim->centre);
  for (int i = 0; i < rim->count; i++)
    scale += rim->spoke[i].weight * rim->spoke[i].along * rim->spoke[i].along;
  if (rim->count == 0)
    return st_fail(error, ST_BAD_INPUT, "it has no vertices");
  if (!(rim->rest_fit > 1e-24 * scale))
    return st_fail(error, ST_BAD_INPUT, "its vertices lie on the axis, where nothing turns");
  return ST_OK;
}

static StStatus add_spokes(const StForceSite *site, const int *local, Rim *rim, StError *error) {
  const StBearingDesc *desc = rim->desc;
  int vertex_count = st_description_vertex_count(site->description);
  ST_TRY_MEMORY(rim->spoke = ST_NEW(Spoke, desc->vertex_count), error);
  double mass = 0;
  rim->rise = st_description_rise(site->description);
  for (int i = 0; i < desc->vertex_count; i++) {
    int id = desc->vertex[i];
    if (id < 0 || id >= vertex_count)
      return st_fail(error, ST_BAD_INPUT,
                     "it refers to vertex %d, but there are %d vertices (counted from 0)", id,
                     vertex_count);
    ST_CHECK(local[id] >= 0, error);
    Spoke *spoke = &rim->spoke[rim->count++];
    *spoke = (Spoke){.vertex = local[id], .slot = -1, .weight = site->piece->mass[local[id]]};
    set_arm(rim, site->piece->rest + 3 * (size_t)local[id], spoke);
    mass += spoke->weight;
  }
  for (int i = 0; i < rim->count; i++) {
    rim->spoke[i].weight /= mass;
    rim->rest_fit += rim->spoke[i].weight * vec3_dot(rim->spoke[i].across, rim->spoke[i].across);
  }
  rim->counted = rim->count > 0 && rim->spoke[0].vertex < site->piece->owned_count;
  return check_rim(rim, error);
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Bearing *bearing = *data;
  bearing->piece = site->piece;
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  bearing->rim = ST_NEW(Rim, description->bearing_count);
  StStatus status = local && bearing->rim ? ST_OK : st_fail_memory(error);
  for (int b = 0; status == ST_OK && b < description->bearing_count; b++) {
    Rim *rim = &bearing->rim[bearing->rim_count++];
    rim->desc = &description->bearing[b];
    status = set_axis(rim, error);
    if (status == ST_OK)
      status = add_spokes(site, local, rim, error);
    if (status != ST_OK)
      st_error_prefix(error, status,
                      "bearing %s: ", rim->desc->name ? rim->desc->name : "(unnamed)");
  }
  return status;
}

static bool present(const StForceSite *site) {
  return site->description->bearing_count > 0;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)error;
  Bearing *bearing = data;
  for (int b = 0; b < bearing->rim_count; b++)
    for (int i = 0; i < bearing->rim[b].count; i++) {
      Spoke *spoke = &bearing->rim[b].spoke[i];
      spoke->slot = st_block_matrix_slot(matrix, spoke->vertex, spoke->vertex);
    }
  return ST_OK;
}

static bool is_owned(const Bearing *bearing, const Spoke *spoke) {
  return spoke->vertex < bearing->piece->owned_count;
}

static double torque_at(const Rim *rim, double time) {
  return st_curve_risen(&rim->desc->torque, time, rim->rise, 0);
}

// The angle nearest to that of the last committed state.
static double angle_of(const Rim *rim, const double fit[3]) {
  double angle = atan2(fit[1], fit[0]);
  return angle + 2 * M_PI * nearbyint((rim->angle - angle) / (2 * M_PI));
}

static double rim_energy(const Rim *rim, const StPoint *at) {
  double fit[3], offset[3], sum = 0;
  rim_fit_real(rim, at->position, fit);
  for (int i = 0; i < rim->count; i++) {
    spoke_offset_real(rim, &rim->spoke[i], fit, at->position, offset);
    sum += 0.5 * rim->stiffness * rim->spoke[i].weight * vec3_dot(offset, offset);
  }
  return sum - torque_at(rim, at->time) * angle_of(rim, fit);
}

static double energy(const void *data, const StPoint *at) {
  const Bearing *bearing = data;
  double sum = 0;
  for (int b = 0; b < bearing->rim_count; b++)
    sum += bearing->rim[b].counted ? rim_energy(&bearing->rim[b], at) : 0;
  return sum;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Bearing *bearing = data;
  double fit[3];
  for (int b = 0; b < bearing->rim_count; b++) {
    const Rim *rim = &bearing->rim[b];
    rim_fit_real(rim, at->position, fit);
    if (!(fit[2] > 1e-12 * rim->rest_fit && isfinite(fit[2]))) {
      bool collapsed = fit[2] <= 1e-12 * rim->rest_fit;
      *trouble = (StTrouble){bearing->piece->vertex_id[rim->spoke[0].vertex], st_force_bearing.name,
                             collapsed ? "the rim's angle is undefined" : "not a number", -1};
      return false;
    }
    double torque = torque_at(rim, at->time);
    for (int i = 0; i < rim->count; i++)
      if (is_owned(bearing, &rim->spoke[i]))
        spoke_force_real(rim, &rim->spoke[i], fit, torque, at->position, force);
  }
  return true;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)at, (void)by_velocity;
  const Bearing *bearing = data;
  for (int b = 0; b < bearing->rim_count; b++)
    for (int i = 0; i < bearing->rim[b].count; i++) {
      const Spoke *spoke = &bearing->rim[b].spoke[i];
      double *block = matrix->value + 9 * (size_t)spoke->slot;
      for (int k = 0; k < 3 && spoke->slot >= 0; k++)
        block[4 * k] -= by_position * bearing->rim[b].stiffness * spoke->weight;
    }
}

// Two numbers per vertex make all its slopes: r = w R X⊥ = ∂ρ and t = w a × R X⊥ = ρ ∂φ.
static void spoke_slopes(const Spoke *spoke, const double fit[3], double r[3], double t[3]) {
  for (int k = 0; k < 3; k++) {
    r[k] = spoke->weight * (fit[0] * spoke->across[k] + fit[1] * spoke->around[k]);
    t[k] = spoke->weight * (fit[0] * spoke->around[k] - fit[1] * spoke->across[k]);
  }
}

// ∂f/∂q off the diagonal is K/ρ t tᵀ − τ/ρ² (t rᵀ + r tᵀ), written as two terms of its eigenvectors
// in (t, r).
typedef struct Mix {
  double weight, by_t, by_r;
} Mix;

static Mix rim_mix(const Rim *rim, const double fit[3], double torque, int term) {
  double stiff = rim->stiffness / fit[2], mixed = torque / (fit[2] * fit[2]);
  double angle = 0.5 * atan2(-2 * mixed, stiff);
  double most = 0.5 * (stiff + sqrt(stiff * stiff + 4 * mixed * mixed));
  return term == 0 ? (Mix){most, cos(angle), sin(angle)}
                   : (Mix){-mixed * mixed / most, -sin(angle), cos(angle)};
}

static int coupling_count(const void *data) {
  return 2 * ((const Bearing *)data)->rim_count;
}

static double coupling(const void *data, const StPoint *at, int index, double *u) {
  const Bearing *bearing = data;
  const Rim *rim = &bearing->rim[index / 2];
  double fit[3], r[3], t[3];
  rim_fit_real(rim, at->position, fit);
  Mix mix = rim_mix(rim, fit, torque_at(rim, at->time), index % 2);
  memset(u, 0, 3 * (size_t)bearing->piece->vertex_count * sizeof(double));
  for (int i = 0; i < rim->count; i++) {
    double *to = u + 3 * (size_t)rim->spoke[i].vertex;
    spoke_slopes(&rim->spoke[i], fit, r, t);
    vec3_add_scaled(mix.by_t, t, to);
    vec3_add_scaled(mix.by_r, r, to);
  }
  return mix.weight;
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)velocity;
  const Bearing *bearing = data;
  StDual fit[3];
  for (int b = 0; b < bearing->rim_count; b++) {
    const Rim *rim = &bearing->rim[b];
    double torque = torque_at(rim, at->time);
    rim_fit_complex(rim, position, fit);
    for (int i = 0; i < rim->count; i++)
      if (is_owned(bearing, &rim->spoke[i]))
        spoke_force_complex(rim, &rim->spoke[i], fit, torque, position, force);
  }
}

static void commit(void *data, const StPoint *at) {
  Bearing *bearing = data;
  double fit[3];
  for (int b = 0; b < bearing->rim_count; b++) {
    rim_fit_real(&bearing->rim[b], at->position, fit);
    bearing->rim[b].angle = angle_of(&bearing->rim[b], fit);
  }
}

static int memory_count(const void *data) {
  return ((const Bearing *)data)->rim_count;
}

static void remember(const void *data, double *memory) {
  const Bearing *bearing = data;
  for (int b = 0; b < bearing->rim_count; b++)
    memory[b] += bearing->rim[b].counted ? bearing->rim[b].angle : 0;
}

static void recall(void *data, const double *memory) {
  Bearing *bearing = data;
  for (int b = 0; b < bearing->rim_count; b++)
    bearing->rim[b].angle = memory[b];
}

int st_bearing_count(const void *data) {
  return ((const Bearing *)data)->rim_count;
}

void st_bearing_read(const void *data, const StPoint *at, int bearing, double *angle, double *speed,
                     double *torque) {
  const Rim *rim = &((const Bearing *)data)->rim[bearing];
  double fit[3], r[3], t[3], by_angle = 0;
  rim_fit_real(rim, at->position, fit);
  for (int i = 0; i < rim->count; i++) { // ρ dφ/dt
    spoke_slopes(&rim->spoke[i], fit, r, t);
    by_angle += vec3_dot(t, at->velocity + 3 * (size_t)rim->spoke[i].vertex);
  }
  *angle = angle_of(rim, fit);
  *speed = by_angle / fit[2];
  *torque = torque_at(rim, at->time);
}

const StForceType st_force_bearing = {
    .name = "bearing",
    .summary = "Rims of vertices that can only turn about a fixed axis, held by springs and driven "
               "by a torque.",
    .has_energy = true,
    .of_time = true,
    .present = present,
    .size = sizeof(Bearing),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .coupling_count = coupling_count,
    .coupling = coupling,
    .add_complex = add_complex,
    .commit = commit,
    .memory_count = memory_count,
    .remember = remember,
    .recall = recall,
};
