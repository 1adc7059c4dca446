// Rigid bodies without gravity, driven by a load: one that is pressed onto a floor, and one that is
// pushed into another.
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

static const char *const INTEGRATORS[] = {"be", "bdf2", "tr_bdf2"};

#define CUBE                                                                                       \
  "{\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": "  \
  "0.05}, "                                                                                        \
  "\"translate\": "

static StSimulation *begin(const char *integrator, const char *rest, StDescription **description) {
  char text[1500];
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": 0, "
      "\"integrator\": \"%s\", \"time\": {\"duration\": 0.4, \"step\": \"5 ms\"}, \"friction\": "
      "[{\"between\": \"any\", \"dynamic\": 0.3}], %s}",
      integrator, rest);
  if (listed_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void end(StSimulation *simulation, StDescription *description) {
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// 10 N on the nine vertices of a face: κ carries it on three at 0.8 of the thickness, and on nine
// where the barrier's slope is a third of that, at 0.88. A κ far above the load would leave it at
// the rim.
static void a_pressed_cube_rests_in_the_layer(void **state) {
  (void)state;
  for (int k = 0; k < ST_LENGTH(INTEGRATORS); k++) {
    StDescription *description;
    StSimulation *simulation = begin(INTEGRATORS[k],
                                     "\"bodies\": {\"a\": " CUBE
                                     "[0, 0, 0.0501]}}, \"obstacles\": {\"floor\": {\"shape\": "
                                     "{\"type\": \"half_space\"}}}, \"loads\": {\"push\": "
                                     "{\"body\": \"a\", \"region\": \"all\", "
                                     "\"force\": [0, 0, -10]}}",
                                     &description);
    const StReport *report = st_simulation_report(simulation);
    while (report->time < 0.3999)
      world_step(simulation);
    double layer = report->contact.deepest_gap / description->contact[0].thickness;
    print_message("%s: rests at %.2f of the thickness\n", INTEGRATORS[k], layer);
    assert_true(layer > 0.8 && layer < 0.9);
    assert_true(fabs(report->pair[0].force[2] - 10) < 0.01);
    end(simulation, description);
  }
}

// Momentum is F t, and no more energy than the load's work.
static void a_pushed_cube_hits_another(void **state) {
  (void)state;
  for (int k = 0; k < ST_LENGTH(INTEGRATORS); k++) {
    StDescription *description;
    StSimulation *simulation = begin(
        INTEGRATORS[k],
        "\"bodies\": {\"a\": " CUBE "[-0.2, 0, 0], \"rotate\": {\"axis\": \"y\", \"angle\": \"20 "
        "deg\"}}, \"b\": " CUBE "[0, 0, 0]}}, \"loads\": {\"push\": {\"body\": \"a\", \"region\": "
        "\"all\", \"force\": [10, 0, 0]}}",
        &description);
    const StReport *report = st_simulation_report(simulation);
    double from = report->body[0].centre[0];
    int newton = 0;
    while (report->time < 0.3999) {
      world_step(simulation);
      newton += report->newton_iterations;
      double work = 10 * (report->body[0].centre[0] - from);
      assert_true(report->kinetic_energy < (1 + 1e-6) * work); // the solver's tolerance
      assert_true(fabs(report->momentum[0] - 10 * report->time) < 1e-6);
    }
    print_message("%s: %.2f Newton iterations per step, then %g m/s\n", INTEGRATORS[k],
                  newton / (double)report->step, report->body[1].velocity[0]);
    assert_true(report->body[1].velocity[0] > 0);
    end(simulation, description);
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_pressed_cube_rests_in_the_layer),
                                     cmocka_unit_test(a_pushed_cube_hits_another)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
