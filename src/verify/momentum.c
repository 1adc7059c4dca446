// Two free soft balls meet off-centre with friction between them. Nothing acts from outside, so
// that their common momentum must stay what it was; and moving as one they must feel no friction.
#include "base/memory.h"
#include "verify/list.h"

#include "math/vec3.h"
#include "verify/trial.h"

#include <stdlib.h>
#include <string.h>

static const double friction = 0.5, radius = 0.5;

static StContactDesc meet(const StTouch *touch) {
  const double thickness = 0.02, pressure = 15e3; // at half of it
  return (StContactDesc){.collider = 0,
                         .body = 1,
                         .obstacle = -1,
                         .thickness = thickness,
                         .stiffness = st_world_stiffness(touch->method, pressure, thickness),
                         .friction = st_touch_friction(touch, friction, friction, 1e-3)};
}

static StWorld balls_world(const StVerify *verify, const char *integrator) {
  StTouch touch = st_verify_touch(&verify->settings);
  StWorld world = st_world_begin();
  st_world_set_touch(&world, &touch);
  const StWorldMaterial soft = {.young = 1e5, .poisson = 0.3, .density = 1000};
  const double value[] = {radius, 0, 4};
  const double place[2][3] = {{0, 0, 0}, {2 * radius, 0.35, 0.2}};
  const double velocity[2][3] = {{1, 0.1, 0}, {-0.7, 0, 0.2}};
  int material = st_world_add_material(&world, &soft);
  for (int b = 0; b < 2; b++) {
    StMesh *mesh = st_world_shape(&world, "sphere", value, 3, place[b]);
    if (st_world_add_body(&world, b ? "second" : "first", mesh, material) == b)
      vec3_copy(velocity[b], world.description->body[b].velocity);
  }
  StContactDesc contact = meet(&touch);
  st_world_add_mutual(&world, &contact);
  st_world_set_time(&world, integrator, 0.005, 0.4);
  st_world_set_tolerance(&world, 1e-13);
  return world;
}

// Largest sum of |force| over the vertices of the first ball.
static StStatus strength(StTrial *trial, const char *name, double *sum, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  int count = trial->description->body[0].mesh->vertex_count;
  *sum = 0;
  for (int f = 0; f < state.force_count; f++)
    for (int v = 0; v < count && strcmp(state.force_name[f], name) == 0; v++)
      *sum += vec3_length(state.force[f] + 3 * v);
  return ST_OK;
}

typedef struct Collision {
  double drift;             // largest change of momentum in a step, relative
  double contact, friction; // largest forces seen, N
  double *position;         // of the state with the largest contact force
} Collision;

static StStatus keep_strongest(StTrial *trial, Collision *collision, StError *error) {
  double contact, sliding;
  ST_TRY(strength(trial, "contact", &contact, error));
  ST_TRY(strength(trial, "friction", &sliding, error));
  collision->friction = fmax(collision->friction, sliding);
  if (contact <= collision->contact)
    return ST_OK;
  collision->contact = contact;
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_trial_state(trial, &state, error));
  free(collision->position);
  collision->position = state.position;
  state.position = NULL;
  return ST_OK;
}

static StStatus collide(StTrial *trial, double scale, Collision *collision, StError *error) {
  while (!st_simulation_finished(trial->simulation)) {
    double before[3], change[3];
    vec3_copy(st_simulation_report(trial->simulation)->momentum, before);
    ST_TRY(st_trial_step(trial, error));
    vec3_sub(st_simulation_report(trial->simulation)->momentum, before, change);
    collision->drift = fmax(collision->drift, vec3_length(change) / scale);
    ST_TRY(keep_strongest(trial, collision, error));
  }
  return ST_OK;
}

// The state of the strongest contact again, but with one velocity for all: contact is there,
// friction must not be.
static StStatus move_as_one(StTrial *trial, const Collision *collision, double *ratio,
                            StError *error) {
  double contact, sliding;
  const double velocity[3] = {3, -2, 1};
  ST_TRY(st_trial_throw(trial, collision->position, velocity, error));
  ST_TRY(strength(trial, "contact", &contact, error));
  ST_TRY(strength(trial, "friction", &sliding, error));
  *ratio = sliding / contact;
  return ST_OK;
}

static StStatus run_integrator(StVerify *verify, const char *integrator, StError *error) {
  StWorld world = balls_world(verify, integrator);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  Collision collision = {0};
  double as_one = NAN;
  StStatus status = st_trial_start(&world, &trial, error);
  // Relative to the momentum of one ball.
  double scale = status == ST_OK ? st_trial_mass(&trial, 0) : 1;
  if (status == ST_OK)
    status = collide(&trial, scale, &collision, error);
  if (status == ST_OK && collision.position)
    status = move_as_one(&trial, &collision, &as_one, error);
  free(collision.position);
  if (status != ST_OK)
    return status;
  st_verify_bound(verify, "", collision.drift, 1e-10, "%s: change of momentum per step",
                  integrator);
  st_verify_bound(verify, "", as_one, 1e-12, "%s: friction/contact, moving as one", integrator);
  st_verify_bound(verify, "N", collision.contact, NAN, "%s: largest contact force", integrator);
  st_verify_bound(verify, "N", collision.friction, NAN, "%s: largest friction force", integrator);
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  ST_TRY(run_integrator(verify, "be", error));
  return run_integrator(verify, "tr_bdf2", error);
}

const StVerifyCase st_verify_momentum = {
    .name = "momentum",
    .summary = "Two free soft balls collide obliquely with friction: momentum is conserved, and "
               "there is no friction while both move as one.",
    .both = true,
    .has_friction = true,
    .run = run,
};
