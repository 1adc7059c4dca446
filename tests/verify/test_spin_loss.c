// A box that turns freely: what backward Euler and sdirk2 take of its rotation, what the others
// leave, and that the user is told.
#include "base/memory.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "step/integrator.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double STEP = 0.01, DURATION = 5;

typedef struct Said {
  int count;
  char last[600];
} Said;

static void listen(void *context, StLevel level, const char *text) {
  Said *said = context;
  if (level != ST_WARNING || !strstr(text, "damps rotation"))
    return;
  said->count++;
  snprintf(said->last, sizeof said->last, "%s", text);
}

typedef struct Spin {
  const char *integrator;
  double speed, duration; // rad/s, s
  const char *law, *more; // of its material; of the scene
} Spin;

// The part of the kinetic energy that is left.
static double turn(const Spin *spin, Said *said) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  StLog log = {.write = listen, .context = said};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {%s, \"density\": 1000}}, \"gravity\": 0, \"integrator\": "
      "\"%s\", \"bodies\": {\"top\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.2, "
      "\"size_y\": 0.3, \"size_z\": 0.1, \"edge\": 0.1}, \"angular_velocity\": [0, 0, %g]}}%s, "
      "\"time\": {\"duration\": %g, \"step\": %g}}",
      spin->law, spin->integrator, spin->speed, spin->more, DURATION, STEP);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = NULL;
  if (st_simulation_create(description, &log, &simulation, &error) != ST_OK)
    fail_msg("%s", error.text);
  const StReport *report = st_simulation_report(simulation);
  double before = report->kinetic_energy;
  assert_true(fabs(report->body[0].angular_velocity[2] - spin->speed) < 1e-6 * spin->speed);
  while (report->time < spin->duration - 0.5 * STEP)
    world_step(simulation);
  double left = report->kinetic_energy / before;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return left;
}

static const char RIGID[] = "\"law\": \"rigid\"";

// E(t)/E = 1/(1 + cω²ht).
static void loss_is_as_the_table_says(void **state) {
  (void)state;
  const char *const integrators[] = {"be", "sdirk2"};
  for (int i = 0; i < 2; i++) {
    Said said = {0};
    Spin spin = {integrators[i], 5, DURATION, RIGID, ""};
    double left = turn(&spin, &said), loss = st_integrator_find(integrators[i])->spin_loss;
    double truth = 1 / (1 + loss * 25 * STEP * DURATION);
    print_message("%s: %.4f left, %.4f expected\n", integrators[i], left, truth);
    assert_true(fabs(left / truth - 1) < 0.01);
    assert_int_equal(said.count, 1);
  }
}

static void others_keep_it(void **state) {
  (void)state;
  const char *const integrators[] = {"bdf2", "tr_bdf2"};
  for (int i = 0; i < 2; i++) {
    Said said = {0};
    Spin spin = {integrators[i], 5, DURATION, RIGID, ""};
    assert_true(turn(&spin, &said) > 0.99);
    assert_int_equal(said.count, 0);
  }
}

static void the_warning_says_what_to_expect(void **state) {
  (void)state;
  Said said = {0};
  Spin spin = {"be", 5, 0.3, RIGID, ""};
  turn(&spin, &said);
  assert_string_equal(
      said.last,
      "integrator \"be\" damps rotation: body \"top\", which turns by 2.7° in a step (4.75 rad/s "
      "at "
      "t = 0.22 s), loses 0.45 % of its energy of rotation in each, and 68 % by the end of the run "
      "if nothing drives it; bdf2 and tr_bdf2 keep it, and smaller steps lose less");
}

// Slow bodies, and those whose motion is prescribed, lose nothing that would matter; a stiff solid
// loses as a rigid one does.
static void only_what_is_lost_is_told(void **state) {
  (void)state;
  static const char solid[] = "\"young\": \"1 GPa\", \"poisson\": 0.3";
  Said said = {0};
  turn(&(Spin){"be", 2, 0.5, RIGID, ""}, &said);
  turn(&(Spin){"be", 5, 0.5, RIGID,
               ", \"boundaries\": {\"b\": {\"region\": \"all\", \"motion\": {\"axis\": \"z\", "
               "\"spin\": \"5 rad/s\"}}}"},
       &said);
  assert_int_equal(said.count, 0);
  turn(&(Spin){"be", 5, 0.5, solid, ""}, &said);
  assert_int_equal(said.count, 1);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(loss_is_as_the_table_says),
                                     cmocka_unit_test(others_keep_it),
                                     cmocka_unit_test(the_warning_says_what_to_expect),
                                     cmocka_unit_test(only_what_is_lost_is_told)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
