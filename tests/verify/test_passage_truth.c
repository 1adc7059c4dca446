// Throws at 0.5 to 20 diameters per step: nothing passes through a ball, a peg, a blade or a sheet,
// whether it stands still or moves, with any integrator. After a hit momentum has changed hands:
// what was thrown no longer goes on as if there had been nothing. No body at rest turns over to let
// something by.
#include "scene/scene.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/simulation_parts.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double RADIUS = 0.025, SPEED = 5;

static const char *const MATERIALS =
    "\"materials\": {\"soft\": {\"law\": \"stable_neo_hookean\", \"young\": 1e6, \"poisson\": 0.4, "
    "\"density\": 1000, \"stiffness_damping\": 1e-3}, \"rigid\": {\"law\": \"rigid\", \"density\": "
    "1000}, \"cloth\": {\"law\": \"membrane\", \"young\": 5000, \"poisson\": 0.3, "
    "\"area_density\": 0.3, \"bending\": 1e-5}}";

// %g: along x, where it is at first, and its speed there.
static const char *const MOVER =
    "\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.025, \"cells\": 2}, \"material\": "
    "\"%s\", \"translate\": [%.17g, 0.004, 0.003], \"velocity\": [%g, 0, 0]}";

typedef struct Target {
  const char *name, *body, *obstacle;
  double reach; // m, of both along x at most
} Target;

#define ROUND(kind)                                                                                \
  ", \"target\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.025, \"cells\": 2}, "            \
  "\"material\": \"" kind "\"}"
#define SHAPE(words) "\"target\": {\"shape\": {" words "}"

static const Target TARGETS[] = {
    {"soft ball", ROUND("soft"), NULL, 0.05},
    {"rigid ball", ROUND("rigid"), NULL, 0.05},
    {"sheet",
     ", \"target\": {\"shape\": {\"type\": \"sheet\", \"width\": 0.12, \"length\": 0.12, "
     "\"cells_x\": 4, \"cells_y\": 4}, \"material\": \"cloth\", \"rotate\": {\"axis\": [0, 1, 0], "
     "\"angle\": 1.5707963267948966}}",
     NULL, 0.025},
    {"sphere", NULL, SHAPE("\"type\": \"sphere\", \"radius\": 0.02"), 0.045},
    {"peg", NULL, SHAPE("\"type\": \"capsule\", \"radius\": 0.008, \"length\": 0.2"), 0.033},
    {"blade", NULL,
     SHAPE("\"type\": \"box\", \"size_x\": 0.0005, \"size_y\": 0.06, \"size_z\": 0.06"), 0.026},
};

typedef struct Case {
  const Target *target;
  const char *material, *integrator;
  double stride; // diameters per step
  bool moves;    // the obstacle, not the ball
} Case;

static StSimulation *begin(const Case *of, double step, StDescription **description) {
  char mover[400], obstacle[400] = "", text[4000];
  StError error = {0};
  double away = -of->target->reach - 0.01 - 0.37 * SPEED * step;
  snprintf(mover, sizeof mover, MOVER, of->material, away, of->moves ? 0 : SPEED);
  if (of->target->obstacle)
    snprintf(obstacle, sizeof obstacle, "\"obstacles\": {%s%s}}, ", of->target->obstacle,
             of->moves ? ", \"motion\": {\"velocity\": [-5, 0, 0]}" : "");
  snprintf(text, sizeof text,
           "{%s, \"bodies\": {%s%s}, %s\"gravity\": 0, \"integrator\": \"%s\", \"time\": "
           "{\"duration\": 1000, \"step\": %.17g, \"frame_rate\": %.17g}}",
           MATERIALS, mover, of->target->body ? of->target->body : "", obstacle, of->integrator,
           step, 1 / step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

// Until the ball would have been past the target for a whole step.
static void run(const Case *of) {
  double step = of->stride * 2 * RADIUS / SPEED, mass = 0;
  StDescription *description;
  StSimulation *simulation = begin(of, step, &description);
  const StReport *report = st_simulation_report(simulation);
  mass = st_body_mass(description, &description->body[0]);
  double end = 3 * step + 4 * of->target->reach / SPEED;
  long rejected = 0;
  while (report->time < end) {
    world_step(simulation);
    rejected += report->rejected[ST_OUTCOME_CROSSED];
    for (int k = 0; k < ST_FOUND_KINDS; k++)
      if (k != ST_FOUND_OBSTACLE_CROSSING && report->judge.found.kind[k].count > 0)
        fail_msg("%s: %ld %s at %g s", of->target->name, report->judge.found.kind[k].count,
                 st_finding_name[k], report->time);
  }
  print_message("%s at %s%s, %s, %g diameters a step: %ld rejected, momentum %.3g\n", of->material,
                of->target->name, of->moves ? " that moves" : "", of->integrator, of->stride,
                rejected, report->momentum[0] / (mass * SPEED));
  if (of->moves) // hit by what goes on: at least as fast, against its first direction
    assert_true(report->momentum[0] < -0.2 * mass * SPEED);
  else if (of->target->obstacle) // thrown back or aside
    assert_true(report->momentum[0] < 0.9 * mass * SPEED);
  else // the target goes along
    assert_true(report->body[1].velocity[0] > 0.1 * SPEED);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// The last one rings, and light cloth that is hit then tears itself apart.
static const char *const INTEGRATORS[] = {"be", "bdf2", "tr_bdf2", "sdirk2", "tr"};

static const char *integrator_of(int turn, bool rings) {
  return INTEGRATORS[turn % (rings ? 5 : 4)];
}

static void test_throws(void **unused) {
  (void)unused;
  static const double strides[] = {0.5, 2, 3.3, 5, 9, 20};
  int turn = 0;
  for (int t = 0; t < (int)ST_LENGTH(TARGETS); t++)
    for (int i = 0; i < (int)ST_LENGTH(strides); i++, turn++)
      run(&(Case){.target = &TARGETS[t],
                  .material = turn % 3 == 1 ? "rigid" : "soft",
                  .integrator = integrator_of(turn, TARGETS[t].reach > 0.025),
                  .stride = strides[i]});
}

static void test_moving_obstacles(void **unused) {
  (void)unused;
  static const double strides[] = {2, 6, 24};
  int turn = 0;
  for (int t = 3; t < (int)ST_LENGTH(TARGETS); t++)
    for (int i = 0; i < (int)ST_LENGTH(strides); i++, turn++)
      run(&(Case){.target = &TARGETS[t],
                  .material = turn % 2 ? "rigid" : "soft",
                  .integrator = integrator_of(turn, true),
                  .stride = strides[i],
                  .moves = true});
}

// Equal rigid balls without friction: the one that is hit goes along, the other is slower, and
// together they keep their momentum. How much each has depends on the normal at the end of the step
// in which they meet, and so on its size.
static void test_momentum_changes_hands(void **unused) {
  (void)unused;
  for (double stride = 1; stride < 21; stride *= 2) {
    Case of = {.target = &TARGETS[1], .material = "rigid", .integrator = "be", .stride = stride};
    double step = stride * 2 * RADIUS / SPEED;
    StDescription *description;
    StSimulation *simulation = begin(&of, step, &description);
    const StReport *report = st_simulation_report(simulation);
    double mass = st_body_mass(description, &description->body[0]);
    while (report->time < 3 * step + 0.04)
      world_step(simulation);
    const double *other = report->body[1].velocity;
    print_message("%g diameters a step: %g m/s and %g m/s\n", stride, report->body[0].velocity[0],
                  other[0]);
    assert_true(fabs(report->momentum[0] - mass * SPEED) < 1e-6 * mass * SPEED);
    assert_true(other[0] > 0.1 * SPEED && other[0] < 1.001 * SPEED);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

// A rod along x and a small cube.
static const char *const ROD_AND_CUBE =
    "{\"materials\": {\"rigid\": {\"law\": \"rigid\", \"density\": 1000}}, \"bodies\": {\"rod\": "
    "{\"shape\": {\"type\": \"box\", \"size_x\": 0.2, \"size_y\": 0.02, \"size_z\": 0.02, "
    "\"edge\": "
    "0.1}, \"material\": \"rigid\"}, \"cube\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.01, "
    "\"size_y\": 0.01, \"size_z\": 0.01, \"edge\": 0.01}, \"material\": \"rigid\", \"translate\": "
    "[%g, "
    "%g, 0]}}, \"gravity\": 0, \"time\": {\"duration\": 1, \"step\": 0.01}}";

// Whether a step may end with the rod turned by an angle about z, with this spin, rad per step.
static bool may_turn(double angle, double spin, const double cube[2]) {
  char text[800];
  double turn[9], *after, *speed;
  bool passed;
  StDescription *description;
  StError error = {0}, why = {0};
  snprintf(text, sizeof text, ROD_AND_CUBE, cube[0], cube[1]);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *s = world_start(description);
  const StPiece *piece = s->system->piece;
  size_t bytes = 3 * (size_t)piece->vertex_count * sizeof(double);
  st_simulation_place(s);
  assert_non_null(after = malloc(bytes));
  assert_non_null(speed = calloc(1, bytes));
  memcpy(after, s->position, bytes);
  mat3_rotation((const double[]){0, 0, 1}, angle, turn);
  for (int v = 0; v < piece->vertex_count; v++)
    if (piece->body[v] == 0) {
      double *x = after + 3 * (size_t)v, *u = speed + 3 * (size_t)v;
      mat3_apply(turn, s->position + 3 * (size_t)v, x);
      u[0] = -spin / 0.01 * x[1];
      u[1] = spin / 0.01 * x[0];
    }
  StStepEnds ends = {.end = 0.01, .before = s->position, .after = after, .speed = speed};
  assert_int_equal(st_step_sweep_look(s->step_sweep, &ends, false, &passed, &why, &error), ST_OK);
  free(after);
  free(speed);
  st_simulation_destroy(s);
  st_description_destroy(description);
  return !passed;
}

// Straight ways have no angular momentum where a body turns by half a turn, so a body at rest may
// end a step turned over. With the spin for it, it goes along its arc and hits what is there.
static void test_turning_over(void **unused) {
  (void)unused;
  const double away[2] = {0.5, 0}, beside[2] = {0.01, 0.08}, half = acos(-1);
  assert_true(may_turn(0, 0, away));
  assert_true(may_turn(1, 0.5, away));
  assert_true(may_turn(half, half, away));
  assert_true(may_turn(2.5, 2.4, away));
  assert_false(may_turn(half, 0, away));
  assert_false(may_turn(2.5, 0.6, away)); // sin 2.5 = 0.6
  assert_false(may_turn(half, half, beside));
  assert_false(may_turn(-half, -half, beside));
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_throws),
      cmocka_unit_test(test_moving_obstacles),
      cmocka_unit_test(test_momentum_changes_hands),
      cmocka_unit_test(test_turning_over),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
