// Scenes that depend on default thickness and stiffness, with nothing given for either.
#include "fill/tets.h"
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

static StDescription *read(const char *text) {
  StError error = {0};
  StDescription *description = NULL;
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

// A cube of 1 m in a tunnel 0.2 mm wider, far less than the 1.7 mm of its default thickness
// elsewhere: it slides along it under its weight, held back by friction on one side alone.
static void cubes_slide_through_tunnels(void **state) {
  (void)state;
  const double slope = 2, weight = 9.5, friction = 0.1, step = 0.02, duration = 2;
  char text[1500];
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": [0, %g, %g], \"bodies\": "
      "{\"a\": "
      "{\"shape\": {\"type\": \"box\", \"edge\": 0.25}}}, \"obstacles\": {\"tunnel\": {\"mesh\": "
      "{\"vertices\": [-0.5001, -1.5, -0.5001, 0.5001, -1.5, -0.5001, 0.5001, -1.5, 0.5001, "
      "-0.5001, -1.5, 0.5001, -0.5001, 9, -0.5001, 0.5001, 9, -0.5001, 0.5001, 9, 0.5001, -0.5001, "
      "9, 0.5001], \"triangles\": [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, "
      "3, 4, 7]}}}, \"friction\": [{\"between\": \"any\", \"dynamic\": "
      "%g}], \"time\": {\"duration\": %g, \"step\": %g}}",
      slope, -weight, friction, duration, step);
  StDescription *description = read(text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  while (!st_simulation_finished(simulation))
    world_step(simulation);
  // Backward Euler: positions follow the speed at the end of each step.
  double way = 0.5 * (slope - friction * weight) * duration * (duration + step);
  print_message("way %.6g m, in theory %.6g m\n", report->centre_of_mass[1], way);
  assert_true(fabs(report->centre_of_mass[1] / way - 1) < 1e-3);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// A block pressed onto the floor and dragged, without gravity. Returns the force at the end.
static double drag(double duration, int *iterations) {
  char text[1500];
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"young\": 1e6, \"poisson\": 0.3}}, \"gravity\": 0, \"bodies\": "
      "{\"a\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": "
      "0.05, \"edge\": 0.025}, \"translate\": [0, 0, 0.0251]}}, \"boundaries\": {\"top\": "
      "{\"body\": \"a\", \"region\": {\"label\": \"z+\"}, \"motion\": {\"keys\": [{\"time\": 0}, "
      "{\"time\": %g, \"translate\": [0, 0, -0.0021]}, {\"time\": %g, \"translate\": [0.05, 0, "
      "-0.0021]}]}}}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
      "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.5}], \"time\": {\"duration\": %g, "
      "\"step\": %g, \"frame_rate\": %g}}",
      0.2 * duration, duration, duration, duration / 20, 20 / duration);
  StDescription *description = read(text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  int steps = 0;
  for (*iterations = 0; !st_simulation_finished(simulation); steps++) {
    world_step(simulation);
    *iterations += report->newton_iterations;
  }
  double force = report->contact.normal_force;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  assert_int_equal(steps, 20);
  return force;
}

// Over 0.2 s inertia adds a little to the force; over 2 and 200 s there is none. A step may take
// ten iterations.
static void presses_do_not_depend_on_duration(void **state) {
  (void)state;
  int iterations[3];
  double force[3] = {drag(0.2, &iterations[0]), drag(2, &iterations[1]), drag(200, &iterations[2])};
  for (int i = 0; i < 3; i++) {
    print_message("%.6g N, %d iterations\n", force[i], iterations[i]);
    assert_true(fabs(force[i] / force[2] - 1) < 1e-4);
    assert_true(iterations[i] <= 10 * 20);
  }
}

// A cantilever with a load at its tip that bends it by a ten-thousandth of its length, over long
// steps; what it bends by over PL³/3EI + PL/(5/6 GA).
static double bend(const char *body, double length) {
  char text[1500];
  const double thickness = 0.1, young = 1e7, poisson = 0.3, second = pow(thickness, 4) / 12;
  double load = 1e-4 * 3 * young * second / (length * length), end = 0.5 * length;
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"young\": %g, \"poisson\": %g, \"density\": 1}}, "
      "\"gravity\": 0, \"bodies\": {\"bar\": {%s}}, \"boundaries\": {\"wall\": {\"region\": "
      "{\"box\": {\"min\": [%g, -1, -1], \"max\": [%g, 1, 1]}}}}, \"loads\": {\"tip\": "
      "{\"region\": {\"box\": {\"min\": [%g, -1, -1], \"max\": [%g, 1, 1]}}, \"force\": [0, 0, "
      "%g]}}, \"probes\": {\"tip\": {\"region\": {\"box\": {\"min\": [%g, -1, -1], \"max\": "
      "[%g, 1, 1]}}}}, \"time\": {\"duration\": 2000, \"step\": 1000, \"frame_rate\": 0.001}}",
      young, poisson, body, -end - 1e-4, -end + 1e-4, end - 1e-4, end + 1e-4, load, end - 1e-4,
      end + 1e-4);
  StDescription *description = read(text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  double from = report->probe[0].point[2];
  world_run(simulation);
  double right = load * pow(length, 3) / (3 * young * second) +
                 load * length * 2 * (1 + poisson) / (5.0 / 6 * young * thickness * thickness);
  double part = (report->probe[0].point[2] - from) / right;
  print_message("%g times as long as thick, %d tets: bends by %.3f of the right amount\n",
                length / thickness, description->body[0].mesh->tet_count, part);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return part;
}

// Boxes with nothing said about their mesh.
static void beams_bend(void **state) {
  (void)state;
  for (int slender = 5; slender <= 20; slender *= 2) {
    char body[200];
    double length = 0.1 * slender;
    snprintf(body, sizeof body,
             "\"shape\": {\"type\": \"box\", \"size_x\": %g, \"size_y\": 0.1, \"size_z\": 0.1}",
             length);
    assert_true(fabs(bend(body, length) - 1) < 0.1);
  }
}

// Surfaces of two triangles a side, filled with nothing said about the tets.
static void filled_beams_bend(void **state) {
  (void)state;
  if (!st_tets_maker())
    skip();
  for (int order = 1; order <= 2; order++) {
    char body[600];
    snprintf(body, sizeof body,
             "\"fill\": \"solid\", \"order\": %d, \"mesh\": {\"vertices\": [-0.5, -0.05, -0.05, "
             "-0.5, -0.05, 0.05, -0.5, 0.05, -0.05, -0.5, 0.05, 0.05, 0.5, -0.05, -0.05, 0.5, "
             "-0.05, 0.05, 0.5, 0.05, -0.05, 0.5, 0.05, 0.05], \"triangles\": [0, 1, 3, 0, 3, 2, "
             "4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, "
             "7, 3]}",
             order);
    assert_true(fabs(bend(body, 1) - 1) < (order == 2 ? 0.04 : 0.1));
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(cubes_slide_through_tunnels),
                                     cmocka_unit_test(presses_do_not_depend_on_duration),
                                     cmocka_unit_test(beams_bend),
                                     cmocka_unit_test(filled_beams_bend)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
