// Rigid bodies that turn, with backward Euler and steps of 10 ms: free ones keep their angular
// momentum and energy, a torque gives them what it should, and balls roll down a slope with 5/7 g
// sin.
#include "math/vec3.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double STEP = 0.01; // s

static const char *const BOX =
    "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": 0, "
    "\"integrator\": \"be\", \"bodies\": {\"top\": {\"shape\": {\"type\": \"box\", \"size_x\": "
    "0.2, \"size_y\": 0.3, \"size_z\": 0.1, \"edge\": 0.3}, \"velocity\": [0.3, -0.1, 0.2], "
    "\"angular_velocity\": [%g, %g, %g]}}, \"time\": {\"duration\": 1000, \"step\": 0.01}, "
    "\"output\": {\"judge\": \"off\"}}";

static StSimulation *begin(const char *text, StDescription **description) {
  StError error = {0};
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void end(StSimulation *simulation, StDescription *description) {
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// What a free body has.
typedef struct Kept {
  double energy, angular[3], momentum[3];
} Kept;

static Kept read_body(const StSimulation *simulation) {
  const StBodyReport *body = st_simulation_report(simulation)->body;
  Kept kept = {.energy = body->kinetic_energy};
  vec3_copy(body->angular_momentum, kept.angular);
  vec3_copy(body->momentum, kept.momentum);
  return kept;
}

static double change_of(const double before[3], const double after[3]) {
  double change[3];
  vec3_sub(after, before, change);
  return vec3_length(change) / vec3_length(before);
}

// Each step rounds a few times. The solver leaves a body up to a millionth of its way short of
// where it turns to, and the energy depends on that.
static void spin(const double speed[3], int steps) {
  char text[1000];
  StDescription *description;
  snprintf(text, sizeof text, BOX, speed[0], speed[1], speed[2]);
  StSimulation *simulation = begin(text, &description);
  world_step(simulation); // takes what strain the body starts with
  Kept before = read_body(simulation);
  for (int i = 1; i < steps; i++)
    world_step(simulation);
  Kept after = read_body(simulation);
  double angle = vec3_length(speed) * STEP * steps, bound = 1e-14 * steps;
  double angular = change_of(before.angular, after.angular), energy = after.energy / before.energy;
  print_message("%.0f turns: angular momentum changes by %.2g, momentum by %.2g, energy by %.2g\n",
                angle / (2 * M_PI), angular, change_of(before.momentum, after.momentum),
                energy - 1);
  assert_true(angular < bound);
  assert_true(change_of(before.momentum, after.momentum) < bound);
  assert_true(fabs(energy - 1) < 1e-6 * angle);
  end(simulation, description);
}

// About the axes with the largest and the smallest moment, and tumbling about the middle one.
static void free_bodies_keep_their_rotation(void **state) {
  (void)state;
  spin((double[3]){0, 0, 20}, 31416);
  spin((double[3]){0, 40, 0}, 2000);
  spin((double[3]){5, 0.02, 0.01}, 5000);
  spin((double[3]){3, 7, -11}, 5000);
}

// L = τ t, without anything that brakes.
static void torques_are_not_damped(void **state) {
  (void)state;
  static const char text[] =
      "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": 0, "
      "\"integrator\": \"be\", \"bodies\": {\"wheel\": {\"shape\": {\"type\": \"cylinder\", "
      "\"radius\": 0.1, \"height\": 0.05, \"cells\": 4}}}, \"joints\": {\"drive\": {\"type\": "
      "\"motor\", \"from\": {\"region\": \"all\"}, \"axis\": \"z\", \"torque\": 0.5}}, "
      "\"time\": {\"duration\": 1, \"step\": 0.01}}";
  StDescription *description;
  StSimulation *simulation = begin(text, &description);
  const StReport *report = st_simulation_report(simulation);
  while (report->time < 1 - 1e-9)
    world_step(simulation);
  print_message("wheel: %.12g of the angular momentum\n", report->angular_momentum[2] / 0.5);
  assert_true(fabs(report->angular_momentum[2] / 0.5 - 1) < 1e-10);
  end(simulation, description);
}

static const char *const SLOPE =
    "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"integrator\": \"be\", "
    "\"gravity\": [%.17g, 0, %.17g], \"obstacles\": {\"floor\": {\"shape\": {\"type\": "
    "\"half_space\"}}}, \"bodies\": {\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": "
    "0.1, \"cells\": %d}, \"translate\": [0, 0, 0.1003]}}, \"friction\": [{\"between\": \"any\", "
    "\"dynamic\": 0.5}], \"time\": {\"duration\": 1, \"step\": 0.01}, \"output\": {\"judge\": "
    "\"off\"}}";

// The mean acceleration along a slope, over 5/7 g sin.
static double roll(int cells) {
  char text[1000];
  StDescription *description;
  double slope = 12 * M_PI / 180, g = 9.81;
  snprintf(text, sizeof text, SLOPE, g * sin(slope), -g * cos(slope), cells);
  StSimulation *simulation = begin(text, &description);
  const StReport *report = st_simulation_report(simulation);
  while (report->time < 1 - 1e-9)
    world_step(simulation);
  double part = report->body[0].velocity[0] / (5.0 / 7 * g * sin(slope) * report->time);
  print_message("%d cells: %.4f of the acceleration\n", cells, part);
  end(simulation, description);
  return part;
}

// The ball is a polyhedron with edges of 2π R/160 and bumps of R (2π/160)²/8, 1/5000 of R.
static void balls_roll_down(void **state) {
  (void)state;
  assert_true(fabs(roll(40) - 1) < 0.02);
}

static void step_times(StSimulation *simulation, int steps) {
  for (int i = 0; i < steps; i++)
    world_step(simulation);
}

// Nothing but positions and velocities has to be known of the rotation.
static void resumed_bodies_turn_alike(void **state) {
  (void)state;
  char text[1000];
  StDescription *description;
  StError error = {0};
  StCheckpoint saved;
  snprintf(text, sizeof text, SLOPE, 2.0, -9.6, 4);
  StSimulation *first = begin(text, &description), *second = world_start(description);
  step_times(first, 30);
  assert_int_equal(st_simulation_checkpoint(first, &saved, &error), ST_OK);
  assert_int_equal(st_simulation_restore(second, &saved, &error), ST_OK);
  const StReport *a = st_simulation_report(first), *b = st_simulation_report(second);
  assert_memory_equal(&a->body[0].centre, &b->body[0].centre, 18 * sizeof(double));
  step_times(first, 30);
  step_times(second, 30);
  assert_memory_equal(&a->body[0].centre, &b->body[0].centre, 18 * sizeof(double));
  assert_true(a->kinetic_energy == b->kinetic_energy && a->total_energy == b->total_energy);
  st_checkpoint_free(&saved);
  st_simulation_destroy(second);
  end(first, description);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_bodies_keep_their_rotation), cmocka_unit_test(torques_are_not_damped),
      cmocka_unit_test(balls_roll_down), cmocka_unit_test(resumed_bodies_turn_alike)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
