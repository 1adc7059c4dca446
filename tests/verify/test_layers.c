// Thin things between others carry what lies on them: cloth under a block and between jaws, a
// napkin under a tablecloth, shims under a slab. What is on both sides of them does not press
// through.
#include "support/listed_scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double GRAVITY = 9.81;

typedef struct Trial {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
} Trial;

#define CLOTH                                                                                      \
  "\"cloth\": {\"law\": \"membrane\", \"young\": 20000, \"poisson\": 0.3, \"area_density\": 0.2, " \
  "\"bending\": 1e-5, \"stiffness_damping\": 1e-3}"
#define FLOOR                                                                                      \
  "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}, \"material\": \"wood\"}}"

static Trial run_until(double time, const char *text) {
  Trial trial;
  StError error = {0};
  if (listed_scene_parse("scene", text, strlen(text), NULL, NULL, &trial.description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  trial.simulation = world_start(trial.description);
  trial.report = st_simulation_report(trial.simulation);
  while (trial.report->time < time - 1e-9)
    world_step(trial.simulation);
  return trial;
}

static void end(Trial *trial) {
  st_simulation_destroy(trial->simulation);
  st_description_destroy(trial->description);
}

static bool is_named(const StDescription *d, const StContactDesc *contact, const char *a,
                     const char *b) {
  const char *other =
      contact->body >= 0 ? d->body[contact->body].name : d->obstacle[contact->obstacle].name;
  const char *own = d->body[contact->collider].name;
  return (strcmp(own, a) == 0 && strcmp(other, b) == 0) ||
         (strcmp(own, b) == 0 && strcmp(other, a) == 0);
}

// N, between two that are named.
static double press(const Trial *trial, const char *a, const char *b) {
  const StDescription *d = trial->description;
  for (int p = 0; p < trial->report->pair_count; p++) {
    StContactDesc contact = st_pair_law(d, trial->report->pair[p].pair);
    if (is_named(d, &contact, a, b))
      return trial->report->pair[p].normal_force;
  }
  fail_msg("\"%s\" and \"%s\" do not touch", a, b);
  return NAN;
}

static void assert_near(const char *what, double value, double expected, double error) {
  if (!(fabs(value - expected) <= error * fabs(expected)))
    fail_msg("%s is %.5g, should be %.5g", what, value, expected);
}

static void assert_little(const char *what, double value, double of, double share) {
  if (!(fabs(value) <= share * of))
    fail_msg("%s is %.5g, of %.5g", what, value, of);
}

// A block on a cloth, which is pulled away from under it. What holds the block back feels the
// friction of the cloth, and nothing else.
static void check_block(const char *material, double density, double size) {
  const double mu = 0.3;
  char text[3000];
  snprintf(text, sizeof text,
           "{\"materials\": {" CLOTH ", \"block\": {%s, \"density\": %g}}, " FLOOR
           ", \"bodies\": {\"cloth\": {\"shape\": {\"type\": \"sheet\", \"width\": 0.3, "
           "\"length\": 0.2, \"edge\": 0.02}, \"material\": \"cloth\", \"translate\": [0, 0, "
           "0.0004]}, \"block\": {\"shape\": {\"type\": \"box\", \"size_x\": %g, \"size_y\": %g, "
           "\"size_z\": 0.1, \"edge\": 0.025}, \"material\": \"block\", \"translate\": [0, 0, "
           "0.0508]}}, \"boundaries\": {\"pull\": {\"body\": \"cloth\", \"region\": {\"label\": "
           "\"x+\"}, \"hold\": [\"x\", \"y\"], \"motion\": {\"translate\": [\"max(0 m, 5 "
           "cm/s*(t-0.3 s))\", 0, 0]}}}, \"joints\": {\"stop\": {\"type\": \"slider\", \"axis\": "
           "\"z\", \"from\": {\"body\": \"block\", \"region\": \"all\"}}}, \"friction\": "
           "[{\"between\": [\"cloth\", \"block\"], \"dynamic\": %g}, {\"between\": \"any\", "
           "\"dynamic\": 0.05}], \"time\": {\"duration\": 1, \"step\": \"5 ms\"}, \"output\": "
           "{\"judge\": \"off\"}}",
           material, density, size, size, mu);
  Trial trial = run_until(0.6, text);
  double weight = density * size * size * 0.1 * GRAVITY;
  assert_near("the cloth's load", press(&trial, "cloth", "block"), weight, 0.005);
  assert_near("the floor's load", press(&trial, "cloth", "floor"), weight + 0.012 * GRAVITY, 0.005);
  assert_little("what goes through the cloth", press(&trial, "block", "floor"), weight, 1e-3);
  assert_near("the force on the block", -trial.report->action[0].action.force[0], mu * weight,
              0.01);
  end(&trial);
}

static void cloth_carries_what_lies_on_it(void **state) {
  (void)state;
  check_block("\"law\": \"rigid\"", 7800, 0.1);
  check_block("\"law\": \"rigid\"", 300, 0.05);
  check_block("\"young\": 1e6, \"poisson\": 0.3, \"stiffness_damping\": 1e-3", 2000, 0.1);
}

// Two jaws, pushed together by F, hold a cloth between them.
static void cloth_is_held_by_jaws(void **state) {
  (void)state;
  const double force = 5;
  char text[3000];
  snprintf(text, sizeof text,
           "{\"materials\": {" CLOTH ", \"jaw\": {\"law\": \"rigid\", \"density\": 1000}}, "
           "\"gravity\": 0, \"bodies\": {\"cloth\": {\"shape\": {\"type\": \"sheet\", \"width\": "
           "0.2, \"length\": 0.06, \"edge\": 0.01}, \"material\": \"cloth\", \"rotate\": "
           "{\"axis\": \"y\", \"angle\": \"90 deg\"}}, \"left\": {\"shape\": {\"type\": \"box\", "
           "\"size_x\": 0.02, \"size_y\": 0.04, \"size_z\": 0.04, \"edge\": 0.01}, \"material\": "
           "\"jaw\", \"translate\": [-0.0106, 0, 0]}, \"right\": {\"shape\": {\"type\": \"box\", "
           "\"size_x\": 0.02, \"size_y\": 0.04, \"size_z\": 0.04, \"edge\": 0.01}, \"material\": "
           "\"jaw\", \"translate\": [0.0106, 0, 0]}}, \"boundaries\": {\"fixed\": {\"body\": "
           "\"left\", \"region\": \"all\"}}, \"joints\": {\"guide\": {\"type\": \"slider\", "
           "\"axis\": \"x\", \"from\": {\"body\": \"right\", \"region\": \"all\"}}}, \"loads\": "
           "{\"push\": {\"body\": \"right\", \"region\": \"all\", \"force\": {\"ramp\": {\"to\": "
           "%g, \"end\": 0.2}}, \"direction\": \"x\"}}, \"friction\": [{\"between\": \"any\", "
           "\"dynamic\": 0.5}], \"time\": {\"duration\": 1, \"step\": \"5 ms\"}, \"output\": "
           "{\"judge\": \"off\"}}",
           -force);
  Trial trial = run_until(0.5, text);
  assert_near("the left jaw's force", press(&trial, "cloth", "left"), force, 0.02);
  assert_near("the right jaw's force", press(&trial, "cloth", "right"), force, 0.02);
  assert_little("what goes through the cloth", press(&trial, "left", "right"), force, 0.01);
  end(&trial);
}

// Where jaws are driven so close that no stiffness would widen the gaps, the force on the cloth
// does not grow without end.
static void driven_jaws_do_not_press_ever_harder(void **state) {
  (void)state;
  Trial trial = run_until(
      0.5,
      "{\"materials\": {" CLOTH ", \"jaw\": {\"law\": \"rigid\", \"density\": 1000}}, "
      "\"gravity\": 0, \"bodies\": {\"cloth\": {\"shape\": {\"type\": \"sheet\", \"width\": 0.1, "
      "\"length\": 0.1, \"edge\": 0.02}, \"material\": \"cloth\"}, \"upper\": {\"shape\": "
      "{\"type\": \"box\", \"size_x\": 0.06, \"size_y\": 0.06, \"size_z\": 0.02, \"edge\": "
      "0.02}, \"material\": \"jaw\", \"translate\": [0, 0, 0.0106]}, \"lower\": {\"shape\": "
      "{\"type\": \"box\", \"size_x\": 0.06, \"size_y\": 0.06, \"size_z\": 0.02, \"edge\": "
      "0.02}, \"material\": \"jaw\", \"translate\": [0, 0, -0.0106]}}, \"boundaries\": {\"a\": "
      "{\"body\": \"lower\", \"region\": \"all\"}, \"b\": {\"body\": \"upper\", \"region\": "
      "\"all\", \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": \"0.2 s\", \"translate\": [0, "
      "0, \"-1.15 mm\"]}]}}}, \"friction\": [{\"between\": \"any\", \"dynamic\": 0.5}], "
      "\"time\": {\"duration\": 1, \"step\": \"5 ms\"}, \"output\": {\"judge\": \"off\"}}");
  double before = press(&trial, "cloth", "upper"), jaws = press(&trial, "lower", "upper");
  print_message("%g N between the jaws, %g N on the cloth\n", jaws, before);
  assert_true(jaws > 0 && before > jaws);
  while (trial.report->time < 0.7)
    world_step(trial.simulation);
  assert_near("the force on the cloth", press(&trial, "cloth", "upper"), before, 1e-3);
  end(&trial);
}

// A napkin under a tablecloth that is eight times as wide and pressed down: the cloth must not
// float over it.
static void a_napkin_carries_the_cloth_on_it(void **state) {
  (void)state;
  const double side = 0.12, pressure = 100;
  char text[3000];
  snprintf(text, sizeof text,
           "{\"materials\": {" CLOTH "}, " FLOOR
           ", \"bodies\": {\"napkin\": {\"shape\": {\"type\": \"sheet\", \"width\": %g, "
           "\"length\": %g, \"edge\": 0.02}, \"translate\": [0, 0, 0.0003]}, \"tablecloth\": "
           "{\"shape\": {\"type\": \"sheet\", \"width\": 1, \"length\": 1, \"edge\": 0.05}, "
           "\"translate\": [0, 0, 0.0008]}}, \"boundaries\": {\"edges\": {\"body\": "
           "\"tablecloth\", \"region\": [{\"label\": \"x-\"}, {\"label\": \"x+\"}, {\"label\": "
           "\"y-\"}, {\"label\": \"y+\"}], \"hold\": [\"x\", \"y\"]}}, \"loads\": {\"p\": "
           "{\"body\": \"tablecloth\", \"region\": \"all\", \"traction\": {\"ramp\": {\"to\": %g, "
           "\"end\": 0.2}}, \"direction\": \"z\"}}, \"friction\": [{\"between\": \"any\", "
           "\"dynamic\": 0.3}], \"time\": {\"duration\": 1, \"step\": \"10 ms\"}, \"output\": "
           "{\"judge\": \"off\"}}",
           side, side, -pressure);
  Trial trial = run_until(0.5, text);
  double own = side * side * 0.2 * GRAVITY, load = press(&trial, "napkin", "tablecloth");
  assert_true(load >= 0.95 * side * side * (pressure + 0.2 * GRAVITY));
  assert_near("the napkin's load", press(&trial, "napkin", "floor"), load + own, 0.01);
  assert_near("all", press(&trial, "tablecloth", "floor") + load, pressure + 0.2 * GRAVITY, 0.01);
  end(&trial);
}

// A slab on three shims, thinner than the slab's own contact would be.
static void shims_carry_a_slab(void **state) {
  (void)state;
  char text[3000], shims[1200] = "";
  const double at[3][2] = {{0.4, 0}, {-0.2, 0.3}, {-0.2, -0.3}};
  for (int i = 0; i < 3; i++) {
    size_t used = strlen(shims);
    snprintf(shims + used, sizeof shims - used,
             ", \"shim%d\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.05, \"size_y\": 0.05, "
             "\"size_z\": 0.0005, \"cells_x\": 3, \"cells_y\": 3, \"cells_z\": 1}, \"material\": "
             "\"steel\", \"translate\": [%g, %g, 0.0003]}",
             i, at[i][0], at[i][1]);
  }
  snprintf(text, sizeof text,
           "{\"materials\": {\"stone\": {\"law\": \"rigid\", \"density\": 1000}, \"steel\": "
           "{\"young\": 1e9, \"poisson\": 0.3, \"density\": 2000, \"stiffness_damping\": 1e-4}}, "
           "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"bodies\": "
           "{\"slab\": {\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 1, \"size_z\": "
           "0.1, \"edge\": 0.1}, \"material\": \"stone\", \"translate\": [0, 0, 0.0507]}%s}, "
           "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.5}], \"time\": {\"duration\": 1, "
           "\"step\": \"5 ms\"}, \"output\": {\"judge\": \"off\"}}",
           shims);
  Trial trial = run_until(0.4, text);
  const double weight = 100 * GRAVITY;
  for (int i = 0; i < 3; i++) {
    char name[8];
    snprintf(name, sizeof name, "shim%d", i);
    assert_near(name, press(&trial, "slab", name), weight / 3, 0.001);
  }
  assert_little("what the slab floats on", press(&trial, "slab", "floor"), weight, 1e-6);
  end(&trial);
}

// A steel ball falls on cloth that lies on a floor. It takes stiffer contact to stop it, and none
// of that is left when the ball has gone up again.
static void contact_is_soft_again_after_an_impact(void **state) {
  (void)state;
  double stiffest = 1;
  Trial trial = run_until(
      0.14,
      "{\"materials\": {" CLOTH ", \"steel\": {\"law\": \"rigid\", \"density\": 7800}}, " FLOOR
      ", \"bodies\": {\"cloth\": {\"shape\": {\"type\": \"sheet\", \"width\": 0.3, "
      "\"length\": 0.3, \"cells_x\": 20, \"cells_y\": 20}, \"translate\": [0, 0, 0.0002]}, "
      "\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.05, \"cells\": 6}, "
      "\"material\": \"steel\", \"translate\": [0.003, 0.002, 0.1504]}}, \"friction\": "
      "[{\"between\": \"any\", \"dynamic\": 0.3}], \"time\": {\"duration\": 0.25, \"step\": "
      "0.002}, \"integrator\": \"bdf2\", \"output\": {\"judge\": \"off\"}}");
  while (trial.report->time < 0.25 - 1e-9) {
    world_step(trial.simulation);
    stiffest = fmax(stiffest, trial.report->contact.stiffness_growth);
  }
  double left = trial.report->contact.stiffness_growth;
  print_message("contact became up to %g times as stiff, %g in the end\n", stiffest, left);
  assert_true(stiffest > 2);
  assert_true(left == 1);
  assert_near("the step", trial.report->h, 0.002, 0.01);
  end(&trial);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(cloth_carries_what_lies_on_it),
                                     cmocka_unit_test(cloth_is_held_by_jaws),
                                     cmocka_unit_test(driven_jaws_do_not_press_ever_harder),
                                     cmocka_unit_test(a_napkin_carries_the_cloth_on_it),
                                     cmocka_unit_test(shims_carry_a_slab),
                                     cmocka_unit_test(contact_is_soft_again_after_an_impact)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
