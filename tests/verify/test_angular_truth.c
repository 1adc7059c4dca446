// Angular momentum with backward Euler, the default: soft bodies keep their spin, and bodies that
// collide change nothing of the sum, with and without friction, rigid and soft, at any scale.
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

static double change_of(const double before[3], const double after[3]) {
  double change[3];
  vec3_sub(after, before, change);
  return vec3_length(change) / vec3_length(before);
}

// A block of rubber for 3 s, at default settings. Backward Euler's chords alone would leave 75 % of
// the first and 64 % of the second spin. Its energy of rotation has a part in the strain that holds
// it on its arcs, and some of it vibrates at first.
static void soft_bodies_keep_their_spin(void **state) {
  (void)state;
  const double spins[][3] = {{0, 0, 5}, {3, 5, -2}};
  for (int i = 0; i < ST_LENGTH(spins); i++) {
    char text[600];
    StDescription *description;
    snprintf(text, sizeof text,
             "{\"materials\": {\"rubber\": {\"young\": \"1 MPa\", \"poisson\": 0.3, \"density\": "
             "1000}}, \"gravity\": 0, \"bodies\": {\"top\": {\"shape\": {\"type\": \"box\", "
             "\"size_x\": 0.2, \"size_y\": 0.3, \"size_z\": 0.1, \"edge\": 0.1}, \"velocity\": [1, "
             "2, 3], \"angular_velocity\": [%g, %g, %g]}}, \"time\": {\"duration\": 3, \"step\": "
             "0.01}}",
             spins[i][0], spins[i][1], spins[i][2]);
    StSimulation *simulation = begin(text, &description);
    const StBodyReport *body = st_simulation_report(simulation)->body;
    double before[3], speed = vec3_length(spins[i]), energy = body->kinetic_energy;
    vec3_copy(body->angular_momentum, before);
    world_run(simulation);
    double change = change_of(before, body->angular_momentum);
    print_message("%g rad/s: angular momentum changes by %.2g, kinetic energy by %.2g\n", speed,
                  change, body->kinetic_energy / energy - 1);
    assert_true(change < 1e-4); // what the solver leaves, of 300 steps
    assert_true(fabs(body->kinetic_energy / energy - 1) < 0.002);
    end(simulation, description);
  }
}

typedef struct Hit {
  const char *material;
  int bodies;
  double friction, size; // size: m, of a box
} Hit;

// A row of boxes, askew, that fly at each other, each with a spin of its own. Speeds belong to the
// size as if they had fallen.
static StSimulation *begin_hit(const Hit *hit, StDescription **description) {
  char text[6000];
  double a = hit->size, v = sqrt(9.81 * a);
  int used = snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {%s, \"density\": 1000}}, \"gravity\": 0, \"friction\": [{"
      "\"between\": \"any\", \"dynamic\": %g}], \"time\": {\"duration\": %.17g, \"step\": %.17g}, "
      "\"output\": {\"judge\": \"off\"}, \"bodies\": {",
      hit->material, hit->friction, 1.4 * a / v, 0.035 * a / v);
  for (int i = 0; i < hit->bodies; i++) {
    double from = i - 0.5 * (hit->bodies - 1), turn = 1 + 0.7 * i;
    used += snprintf(
        text + used, sizeof text - (size_t)used,
        "%s\"b%d\": {\"shape\": {\"type\": \"box\", \"size_x\": %.17g, \"size_y\": %.17g, "
        "\"size_z\": %.17g, \"edge\": %.17g}, \"rotate\": {\"axis\": [1, %g, 0.3], \"angle\": %g}, "
        "\"translate\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g], "
        "\"angular_velocity\": [%.17g, %.17g, %.17g]}",
        i ? ", " : "", i, a, a, 0.8 * a, 0.5 * a, sin(turn), turn, 2 * a * from,
        0.2 * a * sin(3 * turn), 0.2 * a * cos(2 * turn), -3 * from * v, 0.4 * v * cos(turn),
        0.4 * v * sin(5 * turn), 2 * v / a * sin(turn), 2 * v / a * cos(4 * turn), v / a);
  }
  snprintf(text + used, sizeof text - (size_t)used, "}}");
  return begin(text, description);
}

static void collide(const Hit *hit) {
  StDescription *description;
  StSimulation *simulation = begin_hit(hit, &description);
  const StReport *report = st_simulation_report(simulation);
  double angular[3], momentum = 0, energy = report->total_energy;
  vec3_copy(report->angular_momentum, angular);
  for (int b = 0; b < hit->bodies; b++)
    momentum += vec3_length(report->body[b].momentum);
  double sum[3];
  vec3_copy(report->momentum, sum);
  bool touched = false;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    touched = touched || report->contact.touching > 0;
  }
  double change = change_of(angular, report->angular_momentum), moved[3];
  vec3_sub(report->momentum, sum, moved);
  print_message("%d boxes of %g m (%s), friction %g: angular momentum changes by %.2g, momentum by "
                "%.2g; %.3f of the energy left\n",
                hit->bodies, hit->size, hit->material, hit->friction, change,
                vec3_length(moved) / momentum, report->total_energy / energy);
  assert_true(touched);
  assert_true(change < (description->body[0].rigid ? 1e-6 : 1e-5)); // what the solver leaves
  assert_true(vec3_length(moved) < 1e-6 * momentum);
  assert_true(report->total_energy < energy);
  end(simulation, description);
}

static const char RIGID[] = "\"law\": \"rigid\"";
static const char SOFT[] = "\"young\": \"1 MPa\", \"poisson\": 0.3";

static void collisions_keep_the_sum(void **state) {
  (void)state;
  const Hit hits[] = {{RIGID, 2, 0, 0.2},  {RIGID, 2, 0.5, 0.2}, {RIGID, 2, 0.5, 0.002},
                      {RIGID, 2, 0.5, 20}, {RIGID, 10, 0, 0.2},  {RIGID, 10, 0.3, 0.2},
                      {SOFT, 2, 0.3, 0.2}, {SOFT, 4, 0, 0.2}};
  for (int i = 0; i < ST_LENGTH(hits); i++)
    collide(&hits[i]);
}

// Two balls meet at 30° to the line of their centres. Without friction they keep their speeds
// across it, sin² 30° of their energy. Facets turn them a little.
static void balls_glance_off(void **state) {
  (void)state;
  static const char text[] =
      "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": 0, "
      "\"bodies\": {\"a\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"translate\": "
      "[-0.15, -0.05, 0], \"velocity\": [1, 0, 0]}, \"b\": {\"shape\": {\"type\": \"sphere\", "
      "\"radius\": 0.1}, \"translate\": [0.15, 0.05, 0], \"velocity\": [-1, 0, 0]}}, \"friction\": "
      "[{\"between\": \"any\", \"dynamic\": 0}], \"time\": {\"duration\": 0.3, \"step\": 0.01}, "
      "\"output\": {\"judge\": \"off\"}}";
  StDescription *description;
  StSimulation *simulation = begin(text, &description);
  const StReport *report = st_simulation_report(simulation);
  double angular[3], energy = report->kinetic_energy;
  vec3_copy(report->angular_momentum, angular);
  world_run(simulation);
  double change = change_of(angular, report->angular_momentum);
  double left = report->kinetic_energy / energy;
  print_message("angular momentum changes by %.2g; %.4f of the energy left\n", change, left);
  assert_true(change < 1e-6);
  assert_true(fabs(left - 0.25) < 0.02);
  end(simulation, description);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(soft_bodies_keep_their_spin),
                                     cmocka_unit_test(collisions_keep_the_sum),
                                     cmocka_unit_test(balls_glance_off)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
