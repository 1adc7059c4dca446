// Rigid bodies that spin freely. The first step loses no more than the others: carriers start
// stretched by what holds them on their arcs. And steps are solved as they are, also without
// contact. And bodies that rest on each other start in balance.
#include "model/contact_pairs.h"
#include "base/text.h"
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

static const char *const SCENE =
    "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, \"integrator\": \"%s\", "
    "\"solver\": {\"velocity_tolerance\": 1e-10}, \"bodies\": {\"box\": {\"shape\": {\"type\": "
    "\"box\", \"size_x\": 0.3, \"size_y\": 0.2, \"size_z\": 0.1, \"edge\": 0.3}, \"rotate\": "
    "{\"axis\": [1, 2, 3], \"angle\": 0.7}, \"angular_velocity\": [3, 8, 5]}}, "
    "\"time\": {\"duration\": 1, \"step\": %g}, \"output\": {\"judge\": \"off\"}}";

static void measure(const char *integrator, double step, double lost[2], double *strain) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  snprintf(text, sizeof text, SCENE, integrator, step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  for (int i = 0; i < 2; i++) {
    double before = report->total_energy;
    world_step(simulation);
    lost[i] = fabs(report->total_energy / before - 1);
  }
  *strain = report->rigid_strain;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// With ωh = 0.1: unstretched, the first step loses 4e-3 to 1e-2. Free turning itself is of second
// order, and what it loses in a step of third or higher.
static void first_step_loses_nothing(void **state) {
  (void)state;
  const char *integrators[] = {"tr", "tr_bdf2"};
  for (int i = 0; i < 2; i++) {
    double lost[2], strain, step = 0.01, turn = sqrt(98) * step;
    measure(integrators[i], step, lost, &strain);
    print_message("%s: first step %.2e, second %.2e, strain %.2e\n", integrators[i], lost[0],
                  lost[1], strain);
    assert_true(lost[0] < turn * turn * turn);
    assert_true(lost[1] < turn * turn * turn);
    assert_true(strain < 1e-6);
  }
}

static const char *const SLENDER =
    "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, \"integrator\": \"%s\", "
    "\"bodies\": {\"rod\": {\"shape\": {\"type\": \"box\", \"size_x\": 10, \"size_y\": %g, "
    "\"size_z\": 0.01, \"edge\": 10}, \"angular_velocity\": [1, 2, 3]}}, "
    "\"time\": {\"duration\": 1, \"step\": 0.01}, \"output\": {\"judge\": \"off\"}}";

// Where a body is a thousand times as long as thick, and turns by 0.04 in a step. A search on the
// residual's norm finds no solution of any step, however short.
static void slender_bodies_turn(void **state) {
  (void)state;
  const char *integrators[] = {"be", "tr", "tr_bdf2", "sdirk2", "bdf2"};
  for (int i = 0; i < 10; i++) {
    char text[1000];
    StError error = {0};
    StDescription *description;
    double width = i < 5 ? 0.01 : 10;
    snprintf(text, sizeof text, SLENDER, integrators[i % 5], width);
    if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
      fail_msg("%s", error.text);
    StSimulation *simulation = world_start(description);
    const StReport *report = st_simulation_report(simulation);
    int iterations = 0;
    for (int k = 0; k < 20; k++) {
      world_step(simulation);
      assert_int_equal(report->retries, 0);
      iterations += report->newton_iterations;
    }
    print_message("%s, 10 m x %g m x 1 cm: %d iterations\n", integrators[i % 5], width, iterations);
    assert_true(fabs(report->time - 0.2) < 1e-12);
    assert_true(report->rigid_strain < 1e-6);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

static double spin_left(const char *integrator, double step) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, \"integrator\": \"%s\", "
      "\"solver\": {\"velocity_tolerance\": 1e-9}, \"bodies\": {\"box\": {\"shape\": {\"type\": "
      "\"box\", \"size_y\": 0.5, \"size_z\": 0.2, \"edge\": 1}, \"angular_velocity\": [0, 0, 5]}}, "
      "\"time\": {\"duration\": 0.2, \"step\": %g}, \"output\": {\"judge\": \"off\"}}",
      integrator, step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  double first = report->angular_momentum[2];
  while (!st_simulation_finished(simulation))
    world_step(simulation);
  double left = report->angular_momentum[2] / first;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return left;
}

// What a free spin ω loses, per second and ω²h: sdirk2 ½, up to ωh; others nothing in
// first order.
static void spin_is_lost_as_documented(void **state) {
  (void)state;
  const char *integrators[] = {"be", "sdirk2", "bdf2", "tr_bdf2", "tr"};
  double rate[] = {0, 0.5, 0, 0, 0}, omega = 5, duration = 0.2;
  for (int i = 0; i < 5; i++)
    for (double step = 0.01; step > 0.003; step /= 2) {
      double turn = omega * step;
      double lost = -log(spin_left(integrators[i], step)) / (duration * omega * turn);
      print_message("%s, h = %g s: %.4f\n", integrators[i], step, lost);
      // A start of sdirk2 differs by a step.
      assert_true(fabs(lost - rate[i]) < turn + (rate[i] > 0 ? 2 * step / duration : 0));
    }
}

enum { COURSES = 6 };

static const char *const REST_OF_WALL =
    "], \"time\": {\"duration\": 1, \"step\": 0.01}, \"output\": {\"judge\": \"off\"}}";

// Bricks in courses, each shorter than the one below by one brick, with small gaps.
static void write_wall(StText *text) {
  const char *comma = "";
  st_text_add(text, "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1900}}, "
                    "\"bodies\": {");
  for (int course = 0; course < COURSES; course++)
    for (int k = 0; k < COURSES - course; k++, comma = ", ")
      st_text_add(text,
                  "%s\"%d %d\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.2, \"size_y\": "
                  "0.1, \"size_z\": 0.06, \"edge\": 0.2}, \"translate\": [%g, 0, %g]}",
                  comma, course, k, 0.2004 * (k + 0.5 * course), 0.0601 * course + 0.0301);
  st_text_add(text,
              "}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
              "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.3}%s",
              REST_OF_WALL);
}

// The weight of a brick at an end is above the middle of one below, and of one side only: bodies
// that were merely lifted would turn. Lifted but not turned, this one loses 2 mJ in the first step
// and has 0.09 mJ of kinetic energy after it. Turned, a hundredth of that is lost at most: friction
// has yet to take up what holds bricks sideways.
static void walls_start_in_balance(void **state) {
  (void)state;
  StError error = {0};
  StText text = {0};
  StDescription *description;
  write_wall(&text);
  assert_false(text.failed);
  if (st_scene_parse("wall", text.data, strlen(text.data), NULL, NULL, &description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  double before = report->total_energy;
  world_step(simulation);
  print_message("wall: lost %.2e J, kinetic %.2e J\n", before - report->total_energy,
                report->kinetic_energy);
  assert_true(before - report->total_energy < 2e-5);
  assert_true(report->kinetic_energy < 9e-7);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  st_text_free(&text);
}

static const char *const HEAVY =
    "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"bodies\": {\"light\": {\"shape\": "
    "{\"type\": \"box\", \"edge\": 1}, \"mass\": 1, \"translate\": [0, 0, 0.5]}, \"heavy\": "
    "{\"shape\": {\"type\": \"box\", \"edge\": 1}, \"scale\": %g, \"mass\": %g, "
    "\"translate\": [0, 0, %g]}}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": "
    "\"half_space\"}}}, \"time\": {\"duration\": 0.1, \"step\": 0.005}}";

static void bear(double mass, double size) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  snprintf(text, sizeof text, HEAVY, size, mass, 1 + size / 2);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  double thickness = st_pair_law(description, st_pair_next(description, 0)).thickness, fastest = 0;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    fastest = fmax(fastest, report->kinetic_energy);
  }
  print_message("%g kg of %g m: %.2g J, gained %.2g J\n", mass, size, fastest,
                report->energy->largest_gain);
  assert_true(fastest < 0.01 * mass * 9.81 * thickness);
  assert_int_equal(report->energy->unexplained, 0);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// Contact below the light one is made for its own weight and carries 20 000 times that at a smaller
// gap: both start in balance, and nothing is thrown.
static void light_bodies_bear_heavy_ones(void **state) {
  (void)state;
  for (double mass = 50; mass < 5e4; mass *= 20)
    for (double size = 1; size < 5; size += 3)
      bear(mass, size);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_step_loses_nothing), cmocka_unit_test(slender_bodies_turn),
      cmocka_unit_test(spin_is_lost_as_documented), cmocka_unit_test(walls_start_in_balance),
      cmocka_unit_test(light_bodies_bear_heavy_ones)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
