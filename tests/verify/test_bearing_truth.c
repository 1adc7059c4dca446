// A rigid wheel on a bearing: a torque gives it the angular acceleration τ/I, wherever its rim was
// chosen, and it stays on its axis; off its centre it is a pendulum. And a plank on two wheels that
// turn against each other swings to and fro.
#include "model/carried.h"
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

static const double MASS = 3, INERTIA = 0.05;

// bearing: what else it says. gravity: along -z.
static StSimulation *begin(const char *bearing, double gravity, StDescription **description) {
  char text[1000];
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"steel\": {\"law\": \"rigid\"}}, \"integrator\": \"tr_bdf2\", "
      "\"gravity\": %g, \"bodies\": {\"wheel\": {\"shape\": {\"type\": \"cylinder\", \"radius\": "
      "0.2, \"height\": 0.05, \"cells\": 4}, \"mass\": %g, \"centre\": [0, 0, 0], \"inertia\": "
      "[0.03, 0.03, %g], "
      "\"rotate\": {\"axis\": \"x\", \"angle\": \"-90 deg\"}}}, \"bearings\": {\"hub\": {%s, "
      "\"axis\": \"y\"}}, \"time\": {\"duration\": 1, \"step\": 0.002}}",
      gravity, MASS, INERTIA, bearing);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void a_torque_turns_it(void **state) {
  (void)state;
  const char *const bearing[] = {
      "\"region\": \"all\", \"torque\": 0.4", "\"region\": {\"label\": \"side\"}, \"torque\": 0.4",
      "\"region\": {\"sphere\": {\"centre\": [0.2, 0, 0], \"radius\": 0.1}}, \"centre\": [0, 0, "
      "0], \"torque\": 0.4"};
  for (int i = 0; i < ST_LENGTH(bearing); i++) {
    StDescription *description;
    StSimulation *simulation = begin(bearing[i], 9.81, &description);
    assert_int_equal(description->bearing[0].vertex_count, ST_CARRIERS);
    world_run(simulation);
    const StReport *report = st_simulation_report(simulation);
    print_message("%.6f rad/s, %.6f rad\n", report->bearing[0].speed, report->bearing[0].angle);
    assert_true(fabs(report->bearing[0].speed * INERTIA / 0.4 - 1) < 1e-4);
    assert_true(fabs(report->bearing[0].angle * 2 * INERTIA / 0.4 - 1) < 1e-4);
    for (int c = 0; c < 3; c++)
      assert_true(fabs(report->centre_of_mass[c]) < 1e-6);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

// Hung up 0.15 m above its centre and 1° aside: T = 2π √((I + m d²)/(m g d)).
static void a_pendulum_keeps_time(void **state) {
  (void)state;
  const double arm = 0.15, height = 0.15, gravity = 9.81, aside = 0.003;
  char bearing[100];
  StDescription *description;
  snprintf(bearing, sizeof bearing, "\"region\": \"all\", \"centre\": [%g, 0, %g]", aside, height);
  StSimulation *simulation = begin(bearing, gravity, &description);
  const StReport *report = st_simulation_report(simulation);
  double period =
      2 * 3.14159265358979323846 * sqrt((INERTIA + MASS * arm * arm) / (MASS * gravity * arm));
  double before = 0, crossed = 0;
  while (crossed == 0) {
    world_step(simulation);
    double offset = report->centre_of_mass[0] - aside;
    if (before < 0 && offset >= 0)
      crossed = report->time - report->h * offset / (offset - before);
    before = offset;
  }
  print_message("a quarter of its period: %.5f s, %.5f s\n", crossed, period / 4);
  assert_true(fabs(crossed / (period / 4) - 1) < 2e-3);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// On an arm of a metre the centre goes along an arc, too: straight steps would stretch the bearing,
// and took 22 iterations each. From the horizontal the speed at the bottom is √(2 m g d/(I + m
// d²)).
static void a_long_arm_takes_few_iterations(void **state) {
  (void)state;
  const double gravity = 9.81, arm = 1;
  StDescription *description;
  StSimulation *simulation =
      begin("\"region\": \"all\", \"centre\": [-1, 0, 0]", gravity, &description);
  const StReport *report = st_simulation_report(simulation);
  double fastest = 0;
  int iterations = 0, retries = 0, steps = 0;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    fastest = fmax(fastest, fabs(report->bearing[0].speed));
    iterations += report->newton_iterations;
    retries += report->retries;
    steps++;
  }
  double expected = sqrt(2 * MASS * gravity * arm / (INERTIA + MASS * arm * arm));
  print_message("%.5f rad/s, %.5f expected; %d iterations in %d steps, %d retries\n", fastest,
                expected, iterations, steps, retries);
  assert_true(fabs(fastest / expected - 1) < 1e-4);
  assert_true(iterations <= 5 * steps && retries == 0); // of two stages
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static const char *const WHEEL =
    "{\"shape\": {\"type\": \"cylinder\", \"radius\": 0.05, \"height\": 0.05, \"edge\": 0.02}, "
    "\"rotate\": {\"axis\": \"x\", \"angle\": \"90 deg\"}, \"translate\": [%g, 0, 0], "
    "\"material\": \"heavy\", \"angular_velocity\": [0, %g, 0], \"gravity\": 0}";

// What strains heavy wheels is in round-off, which must not keep steps from being solved: without
// that 75 steps became 421 of 14 iterations each. With friction μ and wheels at ±d, the force on a
// plank that is off by x is −μ m g x/d.
static void wheels_carry_a_plank(void **state) {
  (void)state;
  char text[2000], left[400], right[400];
  StError error = {0};
  StDescription *description;
  snprintf(left, sizeof left, WHEEL, -0.2, 20.0);
  snprintf(right, sizeof right, WHEEL, 0.2, -20.0);
  snprintf(text, sizeof text,
           "{\"materials\": {\"heavy\": {\"law\": \"rigid\", \"density\": 200000}, \"light\": "
           "{\"law\": \"rigid\", \"density\": 500}}, \"bodies\": {\"a\": %s, \"b\": %s, "
           "\"plank\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.8, \"size_y\": 0.05, "
           "\"size_z\": 0.02, \"edge\": 0.8}, \"translate\": [0.06, 0, 0.06], \"material\": "
           "\"light\"}}, \"bearings\": {\"a\": {\"body\": \"a\", \"region\": \"all\", \"axis\": "
           "\"y\"}, \"b\": {\"body\": \"b\", \"region\": \"all\", \"axis\": \"y\"}}, "
           "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.3}], \"time\": {\"duration\": "
           "0.15, \"step\": 0.002}, \"output\": {\"judge\": \"off\"}}",
           left, right);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  int iterations = 0, unsolved = 0;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    iterations += report->newton_iterations;
    unsolved += report->rejected[ST_OUTCOME_UNSOLVED];
  }
  double pace = sqrt(0.3 * 9.81 / 0.2), went = report->body[2].centre[0] / 0.06;
  print_message("plank: at %.4f of where it began, %.4f expected; %d iterations, %d unsolved\n",
                went, cos(pace * 0.15), iterations, unsolved);
  assert_true(fabs(went - cos(pace * 0.15)) < 0.01);
  assert_true(iterations < 8 * 75 && unsolved <= 2);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_torque_turns_it), cmocka_unit_test(a_pendulum_keeps_time),
      cmocka_unit_test(a_long_arm_takes_few_iterations), cmocka_unit_test(wheels_carry_a_plank)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
