// A rigid wheel on a bearing: a torque gives it the angular acceleration τ/I, wherever its rim was
// chosen, and it stays on its axis; off its centre it is a pendulum.
#include "model/carried.h"
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

static const double MASS = 3, INERTIA = 0.05;

// bearing: what else it says. gravity: along -z.
static StSimulation *begin(const char *bearing, double gravity, StDescription **description) {
  char text[1000];
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"steel\": {\"law\": \"rigid\"}}, \"integrator\": \"tr_bdf2\", "
      "\"gravity\": %g, \"bodies\": {\"wheel\": {\"shape\": {\"type\": \"cylinder\", \"radius\": "
      "0.2, \"height\": 0.05, \"cells\": 4}, \"mass\": %g, \"centre\": [0, 0, 0], \"inertia\": "
      "[0.03, 0.03, %g], "
      "\"rotate\": {\"axis\": \"x\", \"angle\": \"-90 deg\"}}}, \"bearings\": {\"hub\": {%s, "
      "\"axis\": \"y\"}}, \"time\": {\"duration\": 1, \"step\": 0.002}}",
      gravity, MASS, INERTIA, bearing);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void a_torque_turns_it(void **state) {
  (void)state;
  const char *const bearing[] = {
      "\"region\": \"all\", \"torque\": 0.4", "\"region\": {\"label\": \"side\"}, \"torque\": 0.4",
      "\"region\": {\"sphere\": {\"centre\": [0.2, 0, 0], \"radius\": 0.1}}, \"centre\": [0, 0, "
      "0], \"torque\": 0.4"};
  for (int i = 0; i < ST_LENGTH(bearing); i++) {
    StDescription *description;
    StSimulation *simulation = begin(bearing[i], 9.81, &description);
    assert_int_equal(description->bearing[0].vertex_count, ST_CARRIERS);
    world_run(simulation);
    const StReport *report = st_simulation_report(simulation);
    print_message("%.6f rad/s, %.6f rad\n", report->bearing[0].speed, report->bearing[0].angle);
    assert_true(fabs(report->bearing[0].speed * INERTIA / 0.4 - 1) < 1e-4);
    assert_true(fabs(report->bearing[0].angle * 2 * INERTIA / 0.4 - 1) < 1e-4);
    for (int c = 0; c < 3; c++)
      assert_true(fabs(report->centre_of_mass[c]) < 1e-6);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

// Hung up 0.15 m above its centre and 1° aside: T = 2π √((I + m d²)/(m g d)).
static void a_pendulum_keeps_time(void **state) {
  (void)state;
  const double arm = 0.15, height = 0.15, gravity = 9.81, aside = 0.003;
  char bearing[100];
  StDescription *description;
  snprintf(bearing, sizeof bearing, "\"region\": \"all\", \"centre\": [%g, 0, %g]", aside, height);
  StSimulation *simulation = begin(bearing, gravity, &description);
  const StReport *report = st_simulation_report(simulation);
  double period =
      2 * 3.14159265358979323846 * sqrt((INERTIA + MASS * arm * arm) / (MASS * gravity * arm));
  double before = 0, crossed = 0;
  while (crossed == 0) {
    world_step(simulation);
    double offset = report->centre_of_mass[0] - aside;
    if (before < 0 && offset >= 0)
      crossed = report->time - report->h * offset / (offset - before);
    before = offset;
  }
  print_message("a quarter of its period: %.5f s, %.5f s\n", crossed, period / 4);
  assert_true(fabs(crossed / (period / 4) - 1) < 2e-3);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_torque_turns_it),
                                     cmocka_unit_test(a_pendulum_keeps_time)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
