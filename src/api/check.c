// How well a force matches its derivatives: blocks (of contacts, complex numbers) against
// differences of the force, the force against differences of the energy, near the current state.
#include "api/handles.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "solve/runtime.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double SHIFT = 1e-4; // of the distance

typedef struct Trial {
  const StSystem *system;
  StForce force;
  double time;
  size_t size;       // 3 × vertices
  double scale[2];   // of positions, m, and of velocities, m/s
  double *number;    // room for all of what follows, [size] each
  double *point[2];  // positions and velocities
  double *moved;     // one of them, shifted along
  double *direction; // between -1 and 1
  double *ahead, *behind, *product;
} Trial;

// Between -1 and 1, the same in every check.
static double next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / (double)(1ull << 52) - 1;
}

static void place(Trial *trial, const StLive *live) {
  const double *state[2] = {live->position, live->velocity};
  uint64_t seed = 1;
  for (size_t i = 0; i < trial->size; i++) {
    size_t from = 3 * (size_t)trial->system->piece->vertex_id[i / 3] + i % 3;
    for (int k = 0; k < 2; k++)
      trial->point[k][i] = state[k][from] + trial->scale[k] * next_random(&seed);
    trial->direction[i] = next_random(&seed);
  }
}

static StPoint point_at(const Trial *trial, const double *position, const double *velocity) {
  return (StPoint){.time = trial->time,
                   .position = position,
                   .velocity = velocity,
                   .contact_set =
                       st_contact_cache_at(trial->system->contact_cache, trial->time, position)};
}

static StPoint at_shift(const Trial *trial, int kind, double shift) {
  for (size_t i = 0; i < trial->size; i++)
    trial->moved[i] = trial->point[kind][i] + shift * trial->direction[i];
  st_contact_cache_moved(trial->system->contact_cache, trial->moved);
  return point_at(trial, kind == 0 ? trial->moved : trial->point[0],
                  kind == 1 ? trial->moved : trial->point[1]);
}

static StStatus force_at(const Trial *trial, const StPoint *at, double *force, StError *error) {
  StTrouble trouble = {.vertex = -1};
  memset(force, 0, trial->size * sizeof(double));
  if (trial->force.type->add(trial->force.data, at, force, &trouble))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "force \"%s\" is not defined near this state: %s (vertex %d); a smaller distance "
                 "may help",
                 trial->force.type->name, trouble.reason, trouble.vertex);
}

// |a - b| over the larger of the two; 0 when both vanish.
static double relative(const double *a, const double *b, size_t size) {
  double difference = 0, first = 0, second = 0;
  for (size_t i = 0; i < size; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    first += a[i] * a[i];
    second += b[i] * b[i];
  }
  return difference > 0 ? sqrt(difference / fmax(first, second)) : difference;
}

static void multiply_blocks(const Trial *trial, const StPoint *at, const double weight[2]) {
  const StForceType *type = trial->force.type;
  StBlockMatrix *matrix = trial->system->matrix;
  int terms = st_system_coupling_count(&trial->force);
  st_block_matrix_clear(matrix);
  type->add_blocks(trial->force.data, at, weight[0], weight[1], matrix);
  st_block_matrix_multiply(matrix, trial->direction, trial->product);
  for (int k = 0; k < terms && weight[0] != 0; k++) {
    double along = 0, term = type->coupling(trial->force.data, at, k, trial->moved);
    for (size_t i = 0; i < trial->size; i++)
      along += trial->moved[i] * trial->direction[i];
    for (size_t i = 0; i < trial->size; i++)
      trial->product[i] += weight[0] * term * along * trial->moved[i];
  }
}

static StStatus multiply_complex(const Trial *trial, const StPoint *at, const double weight[2],
                                 StError *error) {
  size_t size = trial->size;
  ST_FREE StDual *number = ST_NEW(StDual, 3 * size);
  StDual *velocity = number + size, *force = velocity + size;
  ST_TRY_MEMORY(number, error);
  for (size_t i = 0; i < size; i++) {
    number[i] = s_dual(at->position[i], weight[0] * trial->direction[i]);
    velocity[i] = s_dual(at->velocity[i], weight[1] * trial->direction[i]);
  }
  trial->force.type->add_complex(trial->force.data, at, number, velocity, force);
  for (size_t i = 0; i < size; i++)
    trial->product[i] = s_derivative(force[i]);
  return ST_OK;
}

// Contacts of bodies have blocks only where a step has added entries for them.
static StStatus check_kind(const Trial *trial, int kind, double *worst, StError *error) {
  double shift = SHIFT * trial->scale[kind];
  StPoint at = at_shift(trial, kind, shift);
  ST_TRY(force_at(trial, &at, trial->ahead, error));
  at = at_shift(trial, kind, -shift);
  ST_TRY(force_at(trial, &at, trial->behind, error));
  for (size_t i = 0; i < trial->size; i++)
    trial->ahead[i] = (trial->ahead[i] - trial->behind[i]) / (2 * shift);
  const double weight[2] = {kind == 0, kind == 1};
  at = point_at(trial, trial->point[0], trial->point[1]);
  if (trial->force.type->of_contact)
    ST_TRY(multiply_complex(trial, &at, weight, error));
  else
    multiply_blocks(trial, &at, weight);
  *worst = fmax(*worst, relative(trial->ahead, trial->product, trial->size));
  return ST_OK;
}

static StStatus check_energy(const Trial *trial, double *wrong, StError *error) {
  const StForceType *type = trial->force.type;
  double shift = SHIFT * trial->scale[0], slope[2] = {0}, size = 0;
  *wrong = NAN;
  if (!type->has_energy)
    return ST_OK;
  for (int k = 0; k < 2; k++) {
    StPoint there = at_shift(trial, 0, k ? -shift : shift);
    slope[0] += (k ? -1 : 1) * type->energy(trial->force.data, &there) / (2 * shift);
  }
  StPoint at = point_at(trial, trial->point[0], trial->point[1]);
  ST_TRY(force_at(trial, &at, trial->ahead, error));
  for (size_t i = 0; i < trial->size; i++) {
    slope[1] -= trial->ahead[i] * trial->direction[i];
    size += fabs(trial->ahead[i] * trial->direction[i]);
  }
  *wrong = slope[0] == slope[1] ? 0 : fabs(slope[0] - slope[1]) / size;
  return ST_OK;
}

static StStatus check(const StictionSimulation *simulation, Trial *trial, double *block_error,
                      double *energy_error, StError *error) {
  size_t n = trial->size;
  ST_TRY_MEMORY(trial->number = ST_NEW(double, 7 * n), error);
  trial->point[0] = trial->number, trial->point[1] = trial->number + n;
  trial->moved = trial->number + 2 * n, trial->direction = trial->number + 3 * n;
  trial->ahead = trial->number + 4 * n, trial->behind = trial->number + 5 * n;
  trial->product = trial->number + 6 * n;
  place(trial, &simulation->live);
  *block_error = 0;
  ST_TRY(check_kind(trial, 0, block_error, error));
  ST_TRY(check_kind(trial, 1, block_error, error));
  return check_energy(trial, energy_error, error);
}

static StStatus check_force(StictionSimulation *simulation, const char *name, double distance,
                            double *block_error, double *energy_error, StError *error) {
  int index;
  if (st_runtime_size() > 1)
    return st_fail(error, ST_BAD_INPUT, "forces are checked on one process only");
  if (!(distance > 0 && isfinite(distance)))
    return st_fail(error, ST_BAD_INPUT, "a distance above 0 m is needed, not %g", distance);
  ST_TRY(st_live_find_force(simulation, name, &index, error));
  const StSystem *system = st_simulation_system(simulation->simulation);
  double step = simulation->scene->description->time.step;
  Trial trial = {.system = system,
                 .force = system->force[index],
                 .time = st_simulation_time(simulation->simulation),
                 .size = 3 * (size_t)system->piece->vertex_count,
                 .scale = {distance, distance / step}};
  StStatus status = check(simulation, &trial, block_error, energy_error, error);
  st_contact_cache_moved(system->contact_cache, trial.moved); // the arrays' addresses may be reused
  st_contact_cache_moved(system->contact_cache, trial.point[0]);
  free(trial.number);
  return status;
}

StictionStatus stiction_simulation_check_force(StictionSimulation *simulation, const char *name,
                                               double distance, double *block_error,
                                               double *energy_error) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(block_error);
  ST_NEED(energy_error);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  StStatus status =
      check_force(simulation, name, distance, block_error, energy_error, st_call_error());
  return st_call_leave(status);
}
