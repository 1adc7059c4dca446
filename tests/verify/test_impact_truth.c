// Impacts that steps resolve: bodies run into the floor or each other and need several steps to
// cross the thickness of contact. Whatever contact does to stop them, energy never grows, and that
// of two bodies stays with them: so does their momentum.
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

static const char *const RIGID = "\"law\": \"rigid\", \"density\": 1000";
static const char *const SOFT =
    "\"law\": \"stable_neo_hookean\", \"young\": 1e7, \"poisson\": 0.3, "
    "\"density\": 1000";
static const char *const FLOOR =
    "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, ";

static const char *const BALL =
    "\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.05, \"cells\": 3}, \"material\": "
    "\"m\", "
    "\"rotate\": {\"axis\": [1, 2, 3], \"angle\": 0.7}, \"translate\": [0, 0, %g], "
    "\"velocity\": [0.3, 0, -1]}";
static const char *const BOX =
    ", \"box\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, "
    "\"cells_x\": 1, \"cells_y\": 1, \"cells_z\": 1}, \"material\": \"m\", \"translate\": [0.02, "
    "0.01, -0.05]}";

typedef struct Case {
  const char *material, *integrator;
  bool on_floor;
  double thickness, crossed; // fraction of the thickness that the fall crosses in a step
} Case;

static StSimulation *begin(const Case *of, StDescription **description) {
  char ball[400], text[2000];
  StError error = {0};
  double step = of->crossed * of->thickness, fall = 1.5 * of->thickness;
  snprintf(ball, sizeof ball, BALL, 0.05 + fall);
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {%s}}, \"gravity\": 0, \"integrator\": \"%s\", %s\"bodies\": "
      "{%s%s}, "
      "\"contact\": {\"thickness\": %g}, \"friction\": [{\"between\": \"any\", \"dynamic\": 0.1}], "
      "\"time\": {\"duration\": 10, \"step\": %g}, \"output\": {\"judge\": \"off\"}}",
      of->material, of->integrator, of->on_floor ? FLOOR : "", ball, of->on_floor ? "" : BOX,
      of->thickness, step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void run(const Case *of) {
  StDescription *description;
  StSimulation *simulation = begin(of, &description);
  const StReport *report = st_simulation_report(simulation);
  double first = report->total_energy, most = first, least = first, momentum = report->momentum[2];
  int steps = (int)(6 / of->crossed);
  for (int i = 0; i < steps; i++) {
    world_step(simulation);
    most = fmax(most, report->total_energy);
    least = fmin(least, report->kinetic_energy);
    if (!of->on_floor)
      assert_true(fabs(report->momentum[2] - momentum) < 1e-6 * fabs(momentum));
  }
  print_message("%.9s, %s, %s, %g of %g m per step: energy %.4g, at most %.6f, in motion at least "
                "%.2f of it\n",
                of->material, of->integrator, of->on_floor ? "floor" : "box", of->crossed,
                of->thickness, first, most / first, least / first);
  assert_true(least < 0.95 * first); // they did meet
  assert_true(most < 1.001 * first);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static void energy_never_grows(void **state) {
  (void)state;
  static const char *const INTEGRATORS[] = {"be", "bdf2", "tr_bdf2", "sdirk2"};
  static const double CROSSED[] = {0.05, 0.2, 0.7};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      for (int kind = 0; kind < 4; kind++)
        run(&(Case){.material = kind % 2 ? SOFT : RIGID,
                    .integrator = INTEGRATORS[i],
                    .on_floor = kind < 2,
                    .thickness = k == 1 ? 1e-4 : 5e-3,
                    .crossed = CROSSED[k]});
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_never_grows)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
