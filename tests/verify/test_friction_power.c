// What friction spends, where it is known: a block that slides, on a floor, a table and a belt, and
// a ball that slides until it rolls. It is never a gain.
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

static const double MU = 0.3, GRAVITY = 9.81, SPEED = 2;

static const char *const INTEGRATORS[] = {"be", "bdf2", "tr_bdf2", "sdirk2"};

typedef struct Trial {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
} Trial;

static const char BLOCK[] =
    "\"block\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.2, \"size_y\": 0.2, \"size_z\": "
    "0.04, "
    "\"edge\": 0.1}, \"translate\": [0, 0, 0.0201], \"velocity\": [2, 0, 0]}";
static const char TABLE[] =
    ", \"table\": {\"shape\": {\"type\": \"box\", \"size_x\": 4, \"size_y\": 1, \"size_z\": 0.2, "
    "\"edge\": 1}, \"translate\": [1, 0, -0.1]}";
static const char HELD[] = "\"boundaries\": {\"held\": {\"body\": \"table\", \"region\": \"all\"}}";
static const char FLOOR[] = "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}";
static const char BELT[] =
    "\"obstacles\": {\"belt\": {\"shape\": {\"type\": \"half_space\"}, \"motion\": {\"velocity\": "
    "[5, 0, 0]}}}";
static const char BALL[] =
    "\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.1, \"cells\": %d}, \"translate\": "
    "[0, 0, 0.1001], \"velocity\": [%g, 0, 0]}";

static Trial begin(const char *bodies, const char *table, const char *ground,
                   const char *integrator) {
  char text[2000];
  Trial trial;
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"integrator\": "
      "\"%s\", \"bodies\": {%s%s}, %s, \"friction\": [{\"between\": \"any\", \"dynamic\": "
      "0.3}], \"time\": {\"duration\": 2, \"step\": \"5 ms\"}, \"output\": {\"judge\": \"off\"}}",
      integrator, bodies, table, ground);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &trial.description, &error) != ST_OK)
    fail_msg("%s", error.text);
  trial.simulation = world_start(trial.description);
  trial.report = st_simulation_report(trial.simulation);
  return trial;
}

static void end(Trial *trial) {
  st_simulation_destroy(trial->simulation);
  st_description_destroy(trial->description);
}

// A step; the work of friction in it. Never positive, except for the rounding of what is stored.
static double step(Trial *trial) {
  world_step(trial->simulation);
  double power = trial->report->contact.friction_power;
  if (!(power <= 1e-12 * trial->report->kinetic_energy / trial->report->h))
    fail_msg("t = %g s: %g W", trial->report->time, power);
  return power * trial->report->h;
}

// Over half a second, after it has settled: −μ m g times the way over the ground.
static void check_block(const char *name, const char *table, const char *ground, double belt) {
  for (int k = 0; k < ST_LENGTH(INTEGRATORS); k++) {
    Trial trial = begin(BLOCK, table, ground, INTEGRATORS[k]);
    double mass = trial.report->momentum[0] / SPEED;
    const double *x = trial.report->body[0].centre;
    while (trial.report->time < 0.0999)
      step(&trial);
    double work = 0, from = x[0], since = trial.report->time;
    while (trial.report->time < 0.2999)
      work += step(&trial);
    double way = x[0] - from - belt * (trial.report->time - since);
    double truth = -MU * mass * GRAVITY * fabs(way);
    print_message("%s, %s: %.5f of the work\n", name, INTEGRATORS[k], work / truth);
    assert_true(fabs(work / truth - 1) < 1e-4);
    end(&trial);
  }
}

static void sliding_spends_what_it_should(void **state) {
  (void)state;
  check_block("on a floor", "", FLOOR, 0);
  check_block("on a table", TABLE, HELD, 0);
  check_block("on a belt", "", BELT, 5);
}

// From sliding to rolling friction spends 2/7 of the energy; then almost nothing.
static void rolling_spends_nothing(void **state) {
  (void)state;
  const int cells[] = {8, 24};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < ST_LENGTH(INTEGRATORS); k++) {
      char ball[400];
      snprintf(ball, sizeof ball, BALL, cells[i], SPEED);
      Trial trial = begin(ball, "", FLOOR, INTEGRATORS[k]);
      double energy = trial.report->kinetic_energy, sliding = 0, rolling = 0;
      while (trial.report->time < 0.2999)
        sliding += step(&trial);
      while (trial.report->time < 0.5999)
        rolling += step(&trial);
      print_message("%d cells, %s: %.4f of the energy until it rolls, %.4f after\n", cells[i],
                    INTEGRATORS[k], -sliding / energy, -rolling / energy);
      // A polyhedron rocks, on finer facets less; how a coarse one bounces depends on round-off.
      assert_true(-rolling < 0.16 / cells[i] * energy);
      // The other methods let it bounce on its facets, and a step counts by the force at its end.
      if (cells[i] == 24 && k == 0)
        assert_true(fabs(-sliding / energy - 2.0 / 7) < 0.05 * 2 / 7);
      end(&trial);
    }
}

// A coarse ball rocks from facet to facet: the load on anchors falls while they are stretched, and
// they give back what they stored under more.
static void rocking_is_no_gain(void **state) {
  (void)state;
  for (int k = 0; k < ST_LENGTH(INTEGRATORS); k++) {
    char ball[400];
    snprintf(ball, sizeof ball, BALL, 8, SPEED / 2);
    Trial trial = begin(ball, "", FLOOR, INTEGRATORS[k]);
    double spent = 0;
    while (trial.report->time < 1.4999)
      spent += step(&trial);
    assert_true(spent < 0);
    end(&trial);
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(sliding_spends_what_it_should),
                                     cmocka_unit_test(rolling_spends_nothing),
                                     cmocka_unit_test(rocking_is_no_gain)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
