// A wheel on a bearing: a torque gives its rim the angular acceleration τ/I and nothing else, and a
// rim that is turned takes its wheel along.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

static const double torque = 0.3; // N m

static bool in_bore(const double X[3], const void *context) {
  (void)context;
  return hypot(X[0], X[1]) < 0.06;
}

static bool on_tread(const double X[3], const void *context) {
  (void)context;
  return hypot(X[0], X[1]) > 0.09;
}

// A shell of tube, 20 cm across with a bore of 10 cm.
static StWorld wheel_world(const char *integrator, double step, double duration) {
  StWorld world = st_world_begin();
  const StCloth sheet = {.young = 1e5, .poisson = 0.3, .area_density = 2, .bending = 0.5};
  int material = st_world_add_cloth(&world, &sheet);
  const double value[] = {0.1, 0.05, 0.1, 0, 1, 24, 3}, origin[3] = {0, 0, 0};
  StMesh *mesh = st_world_surface(&world, "tube", value, ST_LENGTH(value), origin);
  st_world_add_body(&world, "wheel", mesh, material);
  st_world_set_time(&world, integrator, step, duration);
  st_world_set_tolerance(&world, 1e-11);
  return world;
}

static void drive(StWorld *world, StWorldChoice rim) {
  StBearingDesc *bearing = st_world_add_bearing(world, 0, rim, NULL, 1e6);
  if (bearing)
    st_world_set_curve(world, &bearing->torque, 1, (double[1]){0}, (double[1]){torque});
}

// A rigid turn: Σ m |X⊥|², with a third of each triangle's mass at its corners.
static double moment_of_inertia(const StTrial *trial) {
  const StMesh *mesh = trial->description->body[0].mesh;
  double density = trial->description->material[0].density, sum = 0;
  for (int t = 0; t < mesh->triangle_count; t++) {
    double mass = density * st_triangle_area(mesh->position, mesh->triangle + 3 * t);
    for (int c = 0; c < 3; c++) {
      const double *X = mesh->position + 3 * mesh->triangle[3 * t + c];
      sum += mass / 3 * (X[0] * X[0] + X[1] * X[1]);
    }
  }
  return sum;
}

// From rest, in one short step: all vertices on the rim, so that the wheel turns as one.
static StStatus check_start(StVerify *verify, const char *integrator, StError *error) {
  const double step = 1e-5;
  StWorld world = wheel_world(integrator, step, step);
  drive(&world, NULL);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_step(&trial, error));
  st_verify_compare(verify, "rad/s²", torque / moment_of_inertia(&trial),
                    st_simulation_report(trial.simulation)->bearing[0].speed / step, 1e-8,
                    "%s: τ/I", integrator);
  return ST_OK;
}

// The bore alone is on the bearing and pulls the rest along, for more than half a turn.
static StStatus check_spin(StVerify *verify, StError *error) {
  const double duration = 0.25;
  StWorld world = wheel_world("tr", 1 / 800.0, duration);
  drive(&world, in_bore);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_run(&trial, 0, error));
  const StReport *report = st_simulation_report(trial.simulation);
  double rate = torque / moment_of_inertia(&trial);
  st_verify_compare(verify, "N m s", torque * duration, report->angular_momentum[2], 1e-3,
                    "driven bore: angular momentum τ t");
  st_verify_compare(verify, "rad", rate * duration * duration / 2, report->bearing[0].angle, 0.01,
                    "driven bore: angle τ t²/(2 I)");
  return ST_OK;
}

// The bore is turned by hand; a bearing so soft that nothing feels it reads off the outside.
static StStatus check_turning(StVerify *verify, StError *error) {
  const double speed = 20, duration = 0.25;
  StWorld world = wheel_world("tr_bdf2", 1 / 200.0, duration);
  StBoundaryDesc *bore = st_world_add_boundary(&world, 0, in_bore, NULL);
  if (bore) {
    const double time[] = {0, 1}, angle[] = {0, speed};
    if (st_motion_set_keys(&bore->motion, 2, time, NULL, angle, ST_LINEAR, true, NULL) != ST_OK)
      st_world_fail_memory(&world);
    bore->motion.axis[2] = 1;
  }
  st_world_add_bearing(&world, 0, on_tread, NULL, 1e-9);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_run(&trial, 0, error));
  const StBearingReport *tread = &st_simulation_report(trial.simulation)->bearing[0];
  st_verify_compare(verify, "rad/s", speed, tread->speed, 1e-3, "turned bore: speed of the tread");
  st_verify_compare(verify, "rad", speed * duration, tread->angle, 0.01,
                    "turned bore: angle of the tread");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  static const char *const integrator[] = {"be", "tr", "bdf2", "tr_bdf2", "sdirk2"};
  for (int i = 0; i < ST_LENGTH(integrator); i++)
    ST_TRY(check_start(verify, integrator[i], error));
  ST_TRY(check_spin(verify, error));
  return check_turning(verify, error);
}

const StVerifyCase st_verify_bearing = {
    .name = "bearing",
    .summary = "A shell wheel: a torque on its bearing accelerates it by torque over inertia; if "
               "its bore is turned, it follows.",
    .run = run,
};
