// Impacts. Bodies that run into the floor or each other and need several steps to cross the
// thickness of contact: whatever contact does to stop them, energy never grows, and that of two
// bodies stays with them: so does their momentum. So it is when bodies rest on each other and are
// hit. Balls that slide while they bounce: friction has
// its share of the impulse, whether the impact takes one step or many.
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

static const char *const STONE =
    "\"stone %d\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": "
    "0.1, \"cells_x\": 1, \"cells_y\": 1, \"cells_z\": 1}, \"material\": \"m\", \"translate\": "
    "[%g, %g, %g]}, ";

// A ball of 4 kg falls on three stones of 4 kg each that stand on each other.
static StSimulation *begin_stack(const Case *of, StDescription **description) {
  char stones[1500] = "", text[3000];
  StError error = {0};
  for (int i = 0, used = 0; i < 3; i++)
    used += snprintf(stones + used, sizeof stones - (size_t)used, STONE, i, 0.004 * i, 0.003 * i,
                     0.05 + 0.1 * i);
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {%s}}, \"integrator\": \"%s\", %s\"bodies\": {%s\"ball\": "
           "{\"shape\": {\"type\": \"sphere\", \"radius\": 0.066, \"cells\": 3}, \"material\": "
           "\"m\", \"translate\": [0.005, 0.003, 0.376], \"velocity\": [0.5, 0, -3]}}, "
           "\"contact\": {\"thickness\": %g}, \"friction\": [{\"between\": \"any\", \"dynamic\": "
           "0.3}], \"time\": {\"duration\": 10, \"step\": %g}, \"output\": {\"judge\": \"off\"}}",
           of->material, of->integrator, FLOOR, stones, of->thickness,
           of->crossed * of->thickness / 3);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void hit_stack(const Case *of) {
  StDescription *description;
  StSimulation *simulation = begin_stack(of, &description);
  const StReport *report = st_simulation_report(simulation);
  double first = report->total_energy, most = first, fall = report->momentum[2];
  while (report->time < 0.03) {
    world_step(simulation);
    most = fmax(most, report->total_energy);
  }
  print_message("stack of %.9s, %s, %g of %g m per step: energy at most %.6f of %.4g J\n",
                of->material, of->integrator, of->crossed, of->thickness, most / first, first);
  assert_true(report->momentum[2] > 0.5 * fall); // it was stopped
  assert_true(most < 1.001 * first);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static void stacks_are_hit(void **state) {
  (void)state;
  static const char *const INTEGRATORS[] = {"be", "bdf2", "tr_bdf2", "sdirk2"};
  static const char *const HARD =
      "\"law\": \"neo_hookean\", \"young\": 1e8, \"poisson\": 0.3, \"density\": 4000";
  for (int i = 0; i < 4; i++)
    for (int kind = 0; kind < 4; kind++)
      hit_stack(&(Case){.material = kind % 2 ? HARD : "\"law\": \"rigid\", \"density\": 4000",
                        .integrator = INTEGRATORS[i],
                        .thickness = kind < 2 ? 3e-3 : 1e-3,
                        .crossed = kind < 2 ? 0.2 : 0.6});
}

typedef struct Oblique {
  const char *material, *integrator;
  bool on_floor; // or on a body that is held
  double step;
} Oblique;

static const char *const HELD_SLAB =
    "\"boundaries\": {\"held\": {\"body\": \"slab\", \"region\": \"all\"}}, ";
static const char *const SLAB =
    ", \"slab\": {\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 1, "
    "\"size_z\": 0.1, \"edge\": 1}, \"material\": \"m\", \"translate\": [0, 0, -0.05]}";

// All that is not stated is left to its default: the thickness is 0.1 mm.
static StSimulation *begin_oblique(const Oblique *of, StDescription **description) {
  char text[2000];
  StError error = {0};
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {%s}}, \"gravity\": 0, \"integrator\": \"%s\", %s\"bodies\": "
           "{\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.05, \"cells\": 3}, "
           "\"material\": \"m\", \"translate\": [0, 0, 0.055], \"velocity\": [2, 0, -2]}%s}, "
           "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.1}], "
           "\"time\": {\"duration\": 10, \"step\": %g}, \"output\": {\"judge\": \"off\"}}",
           of->material, of->integrator, of->on_floor ? FLOOR : HELD_SLAB, of->on_floor ? "" : SLAB,
           of->step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

// At the end it has turned from sliding at 2 m/s to 1.6 at the slowest: it slid all the time, and
// friction was μ times the normal force throughout.
static void bounce(const Oblique *of) {
  StDescription *description;
  StSimulation *simulation = begin_oblique(of, &description);
  const StReport *report = st_simulation_report(simulation);
  double along = report->momentum[0], down = report->momentum[2];
  while (report->time < 0.0149)
    world_step(simulation);
  double share = (along - report->momentum[0]) / (0.1 * (report->momentum[2] - down));
  print_message("%.9s, %s, %s, steps of %g s: rebounds with %.2f of its speed, friction has %.4f "
                "of its impulse\n",
                of->material, of->integrator, of->on_floor ? "floor" : "slab", of->step,
                -report->momentum[2] / down, share);
  assert_true(report->momentum[2] > 0.1 * down); // it did meet something
  assert_true(fabs(share - 1) < 0.01);
  assert_true(-report->momentum[2] / down < 1.03); // what friction takes hides no gain
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

static void friction_has_its_share(void **state) {
  (void)state;
  static const char *const INTEGRATORS[] = {"be", "tr_bdf2", "bdf2"};
  static const double STEPS[] = {2e-3, 1e-3, 5e-4, 1e-4};
  static const char *const STIFF = "\"law\": \"neo_hookean\", \"young\": 1e9, \"poisson\": 0.3, "
                                   "\"density\": 1000";
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      for (int kind = 0; kind < 4; kind++)
        bounce(&(Oblique){.material = kind % 2 ? STIFF : RIGID,
                          .integrator = INTEGRATORS[i],
                          .on_floor = kind < 2,
                          .step = STEPS[k]});
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_never_grows),
                                     cmocka_unit_test(stacks_are_hit),
                                     cmocka_unit_test(friction_has_its_share)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
