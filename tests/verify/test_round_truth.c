// Round rigid bodies at default settings roll down 12° with g sin/(1 + k), where k m R² is their
// moment of inertia.
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
    "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": [%.17g, 0, "
    "%.17g], \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"bodies\": "
    "{\"body\": {\"shape\": {%s}, \"rotate\": {\"axis\": \"x\", \"angle\": \"90 deg\"}, "
    "\"translate\": [0, 0, %.17g]}}, \"friction\": [{\"between\": \"any\", \"dynamic\": 0.5}], "
    "\"time\": {\"duration\": 1}, \"output\": {\"judge\": \"off\"}}";

static const double RADIUS = 0.1; // m

static StDescription *describe(const char *shape) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  double slope = 12 * M_PI / 180, g = 9.81;
  snprintf(text, sizeof text, SCENE, g * sin(slope), -g * cos(slope), shape, 1.003 * RADIUS);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

// k: of the solid that the shape stands for.
static void roll(const char *shape, double k) {
  StDescription *description = describe(shape);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  while (report->time < 1 - 1e-9)
    world_step(simulation);
  double truth = description->gravity[0] / (1 + k) * report->time;
  double part = report->body[0].velocity[0] / truth;
  print_message("%s: %.4f of the acceleration\n", shape, part);
  assert_true(fabs(part - 1) < 0.02);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static void rigid_bodies_roll(void **state) {
  (void)state;
  double wall = 0.9, ball = 4.0 / 3, bar = 2; // inner over outer radius; volumes over π R³
  roll("\"type\": \"sphere\", \"radius\": 0.1", 0.4);
  roll("\"type\": \"cylinder\", \"radius\": 0.1, \"height\": 0.2", 0.5);
  roll("\"type\": \"cylinder\", \"radius\": 0.1, \"height\": 0.02", 0.5);
  roll("\"type\": \"capsule\", \"radius\": 0.1, \"length\": 0.2",
       (0.4 * ball + 0.5 * bar) / (ball + bar));
  roll("\"type\": \"tube\", \"radius\": 0.1, \"thickness\": 0.01, \"length\": 0.2",
       0.5 * (1 + wall * wall));
  roll("\"type\": \"hollow_ball\", \"radius\": 0.1, \"thickness\": 0.01",
       0.4 * (1 - pow(wall, 5)) / (1 - pow(wall, 3)));
}

static int count_vertices(const char *shape) {
  StDescription *description = describe(shape);
  int count = description->body[0].mesh->vertex_count - ST_CARRIERS;
  st_description_destroy(description);
  return count;
}

// A ball of n cells has 6n² + 2 vertices.
static void given_cells_stay(void **state) {
  (void)state;
  assert_int_equal(count_vertices("\"type\": \"sphere\", \"radius\": 0.1"), 6 * 26 * 26 + 2);
  assert_int_equal(count_vertices("\"type\": \"sphere\", \"radius\": 7"), 6 * 26 * 26 + 2);
  assert_int_equal(count_vertices("\"type\": \"sphere\", \"cells\": 5"), 6 * 5 * 5 + 2);
  assert_int_equal(count_vertices("\"type\": \"sphere\", \"radius\": 0.1, \"edge\": 0.02"),
                   6 * 8 * 8 + 2);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(rigid_bodies_roll),
                                     cmocka_unit_test(given_cells_stay)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
