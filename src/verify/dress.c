// A sleeve of cloth on an arm that bends at the elbow: tight contact over the whole of both, with
// folds where the cloth is gathered. Every step must be solved and nothing get inside.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

static const double radius = 0.05, thickness = 1e-3, sticking = 2.5e-4, step = 0.01;

typedef struct Dress {
  double straight; // of the arm, m; the sleeve covers most of it
  double friction;
  double bend; // rad
  int steps;
  StTouch touch;
} Dress;

static bool left_end(const double X[3], const void *context) {
  const Dress *dress = context;
  return X[0] < -dress->straight / 2 - 1e-9;
}

static bool right_end(const double X[3], const void *context) {
  const Dress *dress = context;
  return X[0] > dress->straight / 2 + 1e-9;
}

// From along z to along x.
static StMesh *lay_down(StMesh *mesh) {
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v, along = x[2];
    x[2] = -x[0];
    x[0] = along;
  }
  return mesh;
}

// Turns a held end about the elbow, at rest before and after.
static void turn(StWorld *world, StBoundaryDesc *end, double angle, double duration) {
  StMotion *motion = end ? &end->motion : NULL;
  if (!motion)
    return;
  const double time[] = {0, duration}, angles[] = {0, angle};
  if (st_motion_set_keys(motion, 2, time, NULL, angles, ST_SMOOTH, false, NULL) != ST_OK)
    st_world_fail_memory(world);
  motion->axis[1] = 1;
}

static void add_bodies(StWorld *world, const Dress *dress) {
  const StWorldMaterial flesh = {
      .young = 6e4, .poisson = 0.4, .density = 1000, .stiffness_damping = 2e-3};
  const StCloth knit = {.young = 300,
                        .poisson = 0.3,
                        .area_density = 0.3,
                        .bending = 1e-4,
                        .stiffness_damping = 2e-3};
  const double capsule[] = {radius, dress->straight, 0.018};
  const double sleeve[] = {1.03 * radius, 0.72 * dress->straight, 0.012}, origin[3] = {0, 0, 0};
  int inside = st_world_add_material(world, &flesh), outside = st_world_add_cloth(world, &knit);
  StMesh *arm = st_world_shape(world, "capsule", capsule, ST_LENGTH(capsule), origin);
  st_world_add_body(world, "arm", lay_down(arm), inside);
  StMesh *cloth = st_world_surface(world, "sleeve", sleeve, ST_LENGTH(sleeve), origin);
  st_world_add_body(world, "sleeve", lay_down(cloth), outside);
  st_world_add_boundary(world, 0, left_end, dress);
  StBoundaryDesc *end = st_world_add_boundary(world, 0, right_end, dress);
  turn(world, end, -dress->bend, 0.8 * dress->steps * step);
}

static StWorld dress_world(const Dress *dress) {
  StWorld world = st_world_begin();
  st_world_set_touch(&world, &dress->touch);
  add_bodies(&world, dress);
  StContactDesc contact = {
      .collider = 0,
      .body = 1,
      .obstacle = -1,
      .thickness = thickness,
      .stiffness = st_world_stiffness(dress->touch.method, 450, thickness),
      .friction = st_touch_friction(&dress->touch, dress->friction, dress->friction, sticking)};
  st_world_add_mutual(&world, &contact);
  st_world_set_time(&world, "be", step, dress->steps * step);
  st_world_set_tolerance(&world, 1e-2 * sticking);
  if (world.description) {
    world.description->gravity[2] = -ST_VERIFY_GRAVITY;
    world.description->solver.kind = ST_SOLVER_AUTO;
  }
  return world;
}

static StStatus check(StVerify *verify, const Dress *dress, StError *error) {
  StWorld world = dress_world(dress);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  double deepest = INFINITY;
  int newton = 0, retries = 0, steps = 0;
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    status = st_trial_step(&trial, error);
    const StReport *report = st_simulation_report(trial.simulation);
    if (status != ST_OK)
      break;
    deepest = fmin(deepest, report->contact.deepest_gap);
    newton += report->newton_iterations;
    retries += report->retries;
    steps++;
  }
  ST_TRY(status);
  const char *what = "friction %g, %d steps bent by %.0f degrees: %s";
  double degrees = dress->bend * 180 / M_PI;
  st_verify_bound(verify, "m", fmax(-deepest, 0), 0, what, dress->friction, dress->steps, degrees,
                  "deepest vertex inside");
  st_verify_bound(verify, "", retries, NAN, what, dress->friction, dress->steps, degrees,
                  "steps cut");
  st_verify_bound(verify, "", (double)newton / steps, NAN, what, dress->friction, dress->steps,
                  degrees, "Newton iterations per step");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  bool full = verify->settings.full;
  Dress dress = {.straight = full ? 0.5 : 0.15,
                 .bend = full ? 1.4 : 0.1,
                 .steps = full ? 500 : 10,
                 .touch = st_verify_touch(&verify->settings)};
  const double friction[] = {0.2, 0.8};
  for (int i = 0; i < ST_LENGTH(friction); i++) {
    dress.friction = friction[i];
    ST_TRY(check(verify, &dress, error));
  }
  return ST_OK;
}

const StVerifyCase st_verify_dress = {
    .name = "dress",
    .summary = "An arm in a sleeve of cloth bends at the elbow: every step is solved, and nothing "
               "gets inside.",
    .both = true,
    .has_friction = true,
    .run = run,
};
