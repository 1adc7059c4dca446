// The first step of a rigid body that spins loses no more than the others: its carriers start
// stretched by what holds them on their arcs.
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

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_step_loses_nothing)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
