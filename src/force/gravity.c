// Gravity and other uniform accelerations, for all bodies or one, always or in a time window: f = m
// a(t), with the energy −m a·x.
#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"

typedef struct Gravity {
  const StDescription *description;
  const StPiece *piece;
} Gravity;

static bool present(const StForceSite *site) {
  const StDescription *description = site->description;
  bool pulls = vec3_length(description->gravity) > 0 || description->acceleration_count > 0;
  for (int b = 0; b < description->body_count; b++)
    pulls = pulls || vec3_length(description->body[b].gravity) > 0;
  return pulls;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  (void)error;
  *(Gravity *)*data = (Gravity){site->description, site->piece};
  return ST_OK;
}

// Acceleration of a body at a time.
static void acceleration_of(const StDescription *description, int body, double time,
                            double acceleration[3]) {
  const StBodyDesc *own = &description->body[body];
  vec3_copy(own->own_gravity ? own->gravity : description->gravity, acceleration);
  for (int i = 0; i < description->acceleration_count; i++) {
    const StAccelerationDesc *from = &description->acceleration[i];
    bool acts = time >= from->start && time < from->end;
    if (acts && (from->body < 0 || from->body == body))
      vec3_add_scaled(1, from->value, acceleration);
  }
}

// Vertices of a body are consecutive, so its acceleration is evaluated once and kept.
typedef struct Current {
  int body;
  double acceleration[3];
} Current;

static const double *acceleration_at(const Gravity *gravity, int vertex, double time,
                                     Current *current) {
  int body = gravity->piece->body[vertex];
  if (body != current->body) {
    acceleration_of(gravity->description, body, time, current->acceleration);
    current->body = body;
  }
  return current->acceleration;
}

static double energy(const void *data, const StPoint *at) {
  const Gravity *gravity = data;
  Current current = {.body = -1};
  double sum = 0;
  for (int v = 0; v < gravity->piece->owned_count; v++) {
    const double *acceleration = acceleration_at(gravity, v, at->time, &current);
    sum -= gravity->piece->mass[v] * vec3_dot(acceleration, at->position + 3 * (size_t)v);
  }
  return sum;
}

static void share_energy(const void *data, const StPoint *at, double *share) {
  const Gravity *gravity = data;
  Current current = {.body = -1};
  for (int v = 0; v < gravity->piece->owned_count; v++) {
    const double *acceleration = acceleration_at(gravity, v, at->time, &current);
    share[current.body] -=
        gravity->piece->mass[v] * vec3_dot(acceleration, at->position + 3 * (size_t)v);
  }
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)trouble;
  const Gravity *gravity = data;
  Current current = {.body = -1};
  for (int v = 0; v < gravity->piece->owned_count; v++) {
    const double *acceleration = acceleration_at(gravity, v, at->time, &current);
    vec3_add_scaled(gravity->piece->mass[v], acceleration, force + 3 * (size_t)v);
  }
  return true;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data, (void)at, (void)by_position, (void)by_velocity, (void)matrix;
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)position, (void)velocity;
  const Gravity *gravity = data;
  Current current = {.body = -1};
  for (int v = 0; v < gravity->piece->owned_count; v++) {
    const double *acceleration = acceleration_at(gravity, v, at->time, &current);
    for (int i = 0; i < 3; i++)
      force[3 * (size_t)v + (size_t)i] += gravity->piece->mass[v] * acceleration[i];
  }
}

const StForceType st_force_gravity = {
    .name = "gravity",
    .summary = "Gravity and other uniform accelerations of bodies, each in its window of time.",
    .has_energy = true,
    .of_load = true,
    .rises = true,
    .of_time = true,
    .present = present,
    .size = sizeof(Gravity),
    .build = build,
    .destroy = free,
    .energy = energy,
    .share_energy = share_energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
};
