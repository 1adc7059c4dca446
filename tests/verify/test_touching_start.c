// Bodies that start in touch. Contact carries them from the start: stiff bodies of tets on a slope,
// which tip over from the angle on at which theory says so, and balls on what stands on the floor.
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

static const double GRAVITY = 9.81, WIDTH = 0.1, HEIGHT = 0.2;

// The floor is level, and gravity leans by this angle.
static StSimulation *start(double young, double edge, double angle, StDescription **description) {
  char text[1200];
  StError error = {0};
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {\"young\": %g, \"poisson\": 0.3, \"density\": 1000}}, "
           "\"bodies\": {\"box\": {\"shape\": {\"type\": \"box\", \"size_x\": %g, \"size_y\": %g, "
           "\"size_z\": %g, \"edge\": %g}, \"translate\": [0, 0, %g]}}, \"obstacles\": "
           "{\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"friction\": [{\"between\": "
           "\"any\", \"dynamic\": 1.5}], \"gravity\": [%.17g, 0, %.17g], \"time\": {\"duration\": "
           "2, \"step\": 0.01}, \"output\": {\"judge\": \"off\"}}",
           young, WIDTH, WIDTH, HEIGHT, edge, HEIGHT / 2, GRAVITY * sin(angle),
           -GRAVITY * cos(angle));
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static const double YOUNG[] = {1e7, 1e9};

static void contact_carries_the_weight(void **state) {
  (void)state;
  double angle = atan(0.8 * WIDTH / HEIGHT);
  double weight = 1000 * WIDTH * WIDTH * HEIGHT * GRAVITY * cos(angle);
  for (int i = 0; i < 2; i++) {
    StDescription *description;
    StSimulation *simulation = start(YOUNG[i], 0.05, angle, &description);
    double carried = st_simulation_report(simulation)->contact.normal_force;
    print_message("E = %g Pa: %.4f of the weight\n", YOUNG[i], carried / weight);
    assert_true(fabs(carried / weight - 1) < 0.02);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

static bool tips_over(double young, double edge, double share) {
  StDescription *description;
  StSimulation *simulation = start(young, edge, atan(share * WIDTH / HEIGHT), &description);
  while (!st_simulation_finished(simulation))
    world_step(simulation);
  double height = st_simulation_report(simulation)->centre_of_mass[2];
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return height < 0.4 * HEIGHT;
}

static void boxes_tip_where_theory_says(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    assert_false(tips_over(YOUNG[i], 0.05, 0.97));
    assert_true(tips_over(YOUNG[i], 0.05, 1.03));
  }
  assert_false(tips_over(1e9, 0.0167, 0.97)); // on a row of small vertices
  assert_true(tips_over(1e9, 0.0167, 1.03));
}

// A ball on a block on the floor, all in touch. The block is lifted off the floor, which must not
// push it into the ball.
static void check_ball(const char *block, const char *ball, double block_weight,
                       double ball_weight) {
  char text[1200];
  StError error = {0};
  StDescription *description;
  snprintf(text, sizeof text,
           "{\"materials\": {\"block\": {%s}, \"ball\": {%s}}, \"bodies\": {\"a\": {\"material\": "
           "\"block\", \"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, "
           "\"size_z\": 0.02, \"edge\": 0.02}, \"translate\": [0, 0, 0.01]}, \"b\": "
           "{\"material\": \"ball\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.01, "
           "\"edge\": 0.0025}, \"translate\": [0, 0, 0.03]}}, \"obstacles\": {\"floor\": "
           "{\"shape\": {\"type\": \"half_space\"}}}, \"gravity\": [0, 0, -10], \"friction\": "
           "[{\"between\": \"any\", \"dynamic\": 0.4}], \"integrator\": \"bdf2\", \"time\": "
           "{\"duration\": 0.1, \"step\": 0.001}, \"output\": {\"judge\": \"off\"}}",
           block, ball);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  double carried = report->contact.normal_force, height = report->centre_of_mass[2];
  double highest = height, expected = block_weight + 2 * ball_weight;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    highest = fmax(highest, report->centre_of_mass[2]);
  }
  print_message("block {%s}, ball {%s}: %.4f of the weight, rises by %.1e m\n", block, ball,
                carried / expected, highest - height);
  assert_true(fabs(carried / expected - 1) < 0.02);
  assert_true(highest - height < 1e-7);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static void what_stands_on_a_body_goes_with_it(void **state) {
  (void)state;
  const char *rigid = "\"law\": \"rigid\", \"density\": 1000";
  const char *stiff = "\"young\": 1e9, \"poisson\": 0.3, \"density\": 1000";
  double ball = 0.97 * 4.18879e-6 * 1e4; // a polyhedron
  check_ball(rigid, rigid, 2, ball);
  check_ball(stiff, rigid, 2, ball);
  check_ball(rigid, stiff, 2, ball);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(contact_carries_the_weight),
                                     cmocka_unit_test(boxes_tip_where_theory_says),
                                     cmocka_unit_test(what_stands_on_a_body_goes_with_it)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
