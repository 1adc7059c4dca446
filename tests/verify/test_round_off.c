// Scenes where one digit of a position is worth more than the tolerance: flat tets of steel and
// steps of 20 s. And what accurate methods may gain in steps that are too long for them.
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

static StSimulation *start(StText *text, StDescription **description) {
  StError error = {0};
  assert_false(text->failed);
  if (st_scene_parse("scene", text->data, strlen(text->data), NULL, NULL, description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  st_text_free(text);
  return world_start(*description);
}

// A tet of 1 cm that is this high (m) between four others, of steel, away from the origin.
static void add_sliver(StText *text, double height) {
  st_text_add(text,
              "{\"materials\": {\"m\": {\"young\": 200e9, \"poisson\": 0.3, \"density\": 7800}}, "
              "\"bodies\": {\"nut\": {\"mesh\": {\"vertices\": [0, 0, 0, 0.01, 0, 0, 0.01, 0.01, "
              "%.9g, 0, 0.01, 0, 0.005, 0.005, -0.01, 0.005, 0.005, 0.01], \"tets\": [0, 1, 3, 2, "
              "0, 3, 1, 4, 1, 3, 2, 4, 0, 1, 2, 5, 0, 2, 3, 5]}, \"rotate\": {\"axis\": \"x\", "
              "\"angle\": \"20 deg\"}, \"translate\": [0.3, 0.2, 0.0301]}}, ",
              height);
}

// The residual cannot be as small as the weight's impulse in a step; the fall is right all the
// same.
static void slivers_fall(void **state) {
  (void)state;
  const double height[] = {1e-6, 1e-7, 1e-8};
  for (int i = 0; i < ST_LENGTH(height); i++) {
    StText text = {0};
    StDescription *description;
    add_sliver(&text, height[i]);
    st_text_add(&text, "\"time\": {\"duration\": 0.1, \"step\": 0.01}}");
    StSimulation *simulation = start(&text, &description);
    const StReport *report = st_simulation_report(simulation);
    double wanted = 0;
    while (!st_simulation_finished(simulation)) {
      world_step(simulation);
      wanted -= 9.81 * report->h;
      double speed = report->momentum[2] / report->body[0].mass;
      assert_true(fabs(speed - wanted) <= description->solver.velocity_tolerance * report->step);
    }
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

static void slivers_land(void **state) {
  (void)state;
  const double height[] = {1e-6, 1e-7, 1e-8};
  for (int i = 0; i < ST_LENGTH(height); i++) {
    StText text = {0};
    StDescription *description;
    add_sliver(&text, height[i]);
    st_text_add(&text, "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
                       "\"time\": {\"duration\": 0.2, \"step\": 0.01}}");
    StSimulation *simulation = start(&text, &description);
    world_run(simulation);
    const StReport *report = st_simulation_report(simulation);
    assert_int_equal(report->judged->found, 0);
    assert_int_equal(report->energy->unexplained, 0);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

static const char *const BAR =
    "{\"materials\": {\"m\": {\"young\": %g, \"poisson\": 0.49}}, \"bodies\": {\"bar\": {"
    "\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 0.1, \"size_z\": 0.1, "
    "\"cells_x\": 20, \"cells_y\": 2, \"cells_z\": 2}, \"velocity\": [%g, 0, 0]}}, \"boundaries\": "
    "{\"wall\": {\"body\": \"bar\", \"region\": {\"label\": \"x-\"}, \"hold\": \"fixed\"}}, "
    "\"loads\": {\"tip\": {\"body\": \"bar\", \"region\": {\"label\": \"x+\"}, \"force\": "
    "[0, 0, %g]}}, \"gravity\": 0, \"integrator\": \"%s\", \"time\": {\"duration\": %g, "
    "\"step\": %g, \"frame_rate\": %g}}";

// Work of a load over two steps that are far longer than any vibration: all of it in the first.
static void loads_act_in_long_steps(void **state) {
  (void)state;
  const double young[] = {1e6, 1e9, 2e11};
  for (int i = 0; i < ST_LENGTH(young); i++) {
    StText text = {0};
    StDescription *description;
    st_text_add(&text, BAR, young[i], 0.0, -1e-6 * young[i], "be", 40.0, 20.0, 0.05);
    StSimulation *simulation = start(&text, &description);
    const StReport *report = st_simulation_report(simulation);
    world_step(simulation);
    double first = report->external_work;
    assert_true(report->h == 20 && first > 0);
    world_step(simulation);
    assert_true(fabs(report->external_work) < 1e-3 * first);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

// All that moved or was stored in a step.
static double exchanged(const StReport *report, double kinetic_before, const double *before) {
  double sum = fmax(report->kinetic_energy, kinetic_before) + fabs(report->external_work);
  for (int f = 0; f < report->force_count; f++)
    if (!isnan(report->force_energy[f]))
      sum += fabs(report->force_energy[f] - before[f]);
  return sum;
}

// Soft bars, pulled or thrown, in steps that hardly resolve their vibration.
static void long_steps_gain_at_most_one_percent(void **state) {
  (void)state;
  const char *const method[] = {"tr_bdf2", "sdirk2"};
  for (int i = 0; i < 4; i++) {
    StText text = {0};
    StDescription *description;
    double speed = i / 2 ? -3 : 0, force = i / 2 ? 0 : -10;
    st_text_add(&text, BAR, 1e5, speed, force, method[i % 2], 6.0, 0.2, 5.0);
    StSimulation *simulation = start(&text, &description);
    const StReport *report = st_simulation_report(simulation);
    double most = 0;
    while (!st_simulation_finished(simulation)) {
      double kinetic = report->kinetic_energy, before[ST_RECORD_FORCES];
      memcpy(before, report->force_energy, sizeof before);
      world_step(simulation);
      most = fmax(most, report->energy_gain / exchanged(report, kinetic, before));
    }
    print_message("%s gains %.2f %% of what a step exchanges\n", method[i % 2], 100 * most);
    assert_true(most < 0.01);
    assert_int_equal(report->energy->unexplained, 0);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slivers_fall),
      cmocka_unit_test(slivers_land),
      cmocka_unit_test(loads_act_in_long_steps),
      cmocka_unit_test(long_steps_gain_at_most_one_percent),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
