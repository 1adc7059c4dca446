// A box that turns freely: what integrators take of its rotation, and that the user is warned, also
// while something speeds it up.
#include "base/memory.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "step/integrator.h"
#include "support/warnings.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double STEP = 0.01, DURATION = 5; // s, unless a spin says otherwise

typedef struct Spin {
  const char *integrator;
  double speed, duration; // rad/s, s
  const char *law, *more; // of its material; of the scene
  double step;            // s; 0: STEP
} Spin;

static StDescription *describe(const Spin *spin) {
  char text[1000];
  StError error = {0};
  StDescription *description;
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {%s, \"density\": 1000}}%s, \"integrator\": "
      "\"%s\", \"bodies\": {\"top\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.2, "
      "\"size_y\": 0.3, \"size_z\": 0.1, \"edge\": 0.1}, \"angular_velocity\": [0, 0, %g]}}%s, "
      "\"time\": {\"duration\": %g, \"step\": %g}}",
      spin->law, strstr(spin->more, "gravity") ? "" : ", \"gravity\": 0", spin->integrator,
      spin->speed, spin->more, DURATION, spin->step > 0 ? spin->step : STEP);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static StSimulation *begin(const StDescription *description, const StLog *log) {
  StError error = {0};
  StSimulation *simulation = NULL;
  if (st_simulation_create(description, log, &simulation, &error) != ST_OK)
    fail_msg("%s", error.text);
  return simulation;
}

static void run_to(StSimulation *simulation, double time) {
  const StReport *report = st_simulation_report(simulation);
  while (report->time < time - 1e-9)
    world_step(simulation);
}

// The part of the kinetic energy that is left.
static double turn(const Spin *spin, Warnings *said) {
  StLog log = warnings_log(said);
  StDescription *description = describe(spin);
  StSimulation *simulation = begin(description, &log);
  const StReport *report = st_simulation_report(simulation);
  double before = report->kinetic_energy;
  assert_true(fabs(report->body[0].angular_velocity[2] - spin->speed) < 1e-6 * spin->speed);
  run_to(simulation, spin->duration);
  double left = report->kinetic_energy / before;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return left;
}

// The part of its height's energy that a pendulum, released from the horizontal, has left.
static double swing(const Spin *spin, Warnings *said) {
  StLog log = warnings_log(said);
  StDescription *description = describe(spin);
  StSimulation *simulation = begin(description, &log);
  const StReport *report = st_simulation_report(simulation);
  run_to(simulation, spin->duration);
  double whole = report->body[0].mass * 9.81; // from a metre
  double left = 1 + (report->body[0].kinetic_energy + report->body[0].potential_energy) / whole;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return left;
}

static const char RIGID[] = "\"law\": \"rigid\"";
static const char SOLID[] = "\"young\": \"1 GPa\", \"poisson\": 0.3";   // as good as rigid
static const char STIFF[] = "\"young\": \"1e14 Pa\", \"poisson\": 0.3"; // within a millisecond
// ω²ht is 0.053 and 1.25 at these times, of which 1 − 1/(1 + that) is lost.
static const char WARNING[] =
    "integrator \"sdirk2\" damps rotation: by t = 0.22 s it has taken 5.2 % of the energy of "
    "rotation of body \"top\", which turns by 2.8° in a step (4.87 rad/s), and it takes 56 % by "
    "the end of the run if nothing drives or brakes it, more if it speeds up; bdf2 and tr_bdf2 "
    "keep "
    "it, and smaller steps lose less";

// E(t)/E = 1/(1 + cω²ht), or 1/√(1 + 2cω⁴h³t).
static double left_by(const Spin *spin) {
  const StIntegrator *method = st_integrator_find(spin->integrator);
  double angle = spin->speed * STEP, steps = spin->duration / STEP;
  double falls = method->spin_loss * pow(angle, method->spin_order) * steps;
  return method->spin_order == 4 ? 1 / sqrt(1 + 2 * falls) : 1 / (1 + falls);
}

static void loss_is_as_the_table_says(void **state) {
  (void)state;
  const Spin spins[] = {{"sdirk2", 5, DURATION, RIGID, "", 0}, {"tr_bdf2", 40, 1, RIGID, "", 0}};
  for (int i = 0; i < ST_LENGTH(spins); i++) {
    Warnings said = {.about = "damps rotation"};
    double left = turn(&spins[i], &said), truth = left_by(&spins[i]);
    print_message("%s: %.4f left, %.4f expected\n", spins[i].integrator, left, truth);
    assert_true(fabs(left / truth - 1) < 0.01);
    assert_int_equal(said.count, 1);
  }
}

static void others_keep_it(void **state) {
  (void)state;
  const Spin spins[] = {
      {"be", 5, DURATION, RIGID, "", 0},   {"be", 5, DURATION, SOLID, "", 0},
      {"be", 20, DURATION, SOLID, "", 0},  {"bdf2", 12, DURATION, RIGID, "", 0},
      {"bdf2", 5, DURATION, SOLID, "", 0}, {"tr_bdf2", 5, DURATION, RIGID, "", 0}};
  for (int i = 0; i < ST_LENGTH(spins); i++) {
    Warnings said = {.about = "damps rotation"};
    double left = turn(&spins[i], &said);
    print_message("%s, %g rad/s: %.6f left\n", spins[i].integrator, spins[i].speed, left);
    assert_true(fabs(left - 1) < 0.01);
    assert_int_equal(said.count, 0);
  }
}

// Gravity lends a pendulum its energy and takes it back; backward Euler does not give it back.
static void pendulums_are_told_of(void **state) {
  (void)state;
  static const char hinge[] = ", \"gravity\": [0, -9.81, 0], \"joints\": {\"hinge\": {\"type\": "
                              "\"hinge\", \"axis\": \"z\", "
                              "\"from\": {\"region\": \"all\", \"point\": [-1, 0, 0]}}}";
  const char *const integrators[] = {"be", "bdf2"};
  for (int i = 0; i < 2; i++) {
    Warnings said = {.about = "damps rotation"};
    double left = swing(&(Spin){integrators[i], 0, 2, RIGID, hinge, 0}, &said);
    print_message("%s: %.3f of the pendulum's energy left: %s\n", integrators[i], left, said.last);
    assert_true(i == 0 ? left < 0.9 : left > 0.99);
    assert_int_equal(said.count, i == 0);
  }
}

// A torque speeds the body up: ω = τt/I. What the warning says is what is missing of the energy.
static void losses_of_what_speeds_up_are_told(void **state) {
  (void)state;
  static const char drive[] =
      ", \"joints\": {\"drive\": {\"type\": \"motor\", \"from\": {\"region\": \"all\"}, "
      "\"axis\": \"z\", \"torque\": 0.5}}";
  const Spin spins[] = {{"sdirk2", 0, 3, SOLID, drive, 0}, {"sdirk2", 0, 3, RIGID, drive, 0}};
  for (int i = 0; i < ST_LENGTH(spins); i++) {
    Warnings said = {.about = "damps rotation"};
    StLog log = warnings_log(&said);
    StDescription *description = describe(&spins[i]);
    StSimulation *simulation = begin(description, &log);
    const StReport *report = st_simulation_report(simulation);
    while (said.count == 0 && report->time < spins[i].duration)
      world_step(simulation);
    double inertia = report->body[0].angular_momentum[2] / report->body[0].angular_velocity[2];
    double whole = 0.5 * pow(0.5 * report->time, 2) / inertia;
    double lost = 1 - report->kinetic_energy / whole;
    print_message("%s: %.4f lost: %s\n", spins[i].integrator, lost, said.last);
    assert_int_equal(said.count, 1);
    assert_true(fabs(report->spin->lost - lost) < 0.02);
    st_simulation_destroy(simulation);
    st_description_destroy(description);
  }
}

static void the_warning_says_what_to_expect(void **state) {
  (void)state;
  Warnings said = {.about = "damps rotation"};
  Spin spin = {"sdirk2", 5, 0.3, SOLID, "", 0};
  turn(&spin, &said);
  assert_string_equal(said.last, WARNING);
}

// Slow bodies, and those whose motion is prescribed, lose nothing that would matter.
static void only_what_is_lost_is_told(void **state) {
  (void)state;
  Warnings said = {.about = "damps rotation"};
  turn(&(Spin){"sdirk2", 2, 0.5, SOLID, "", 0}, &said);
  turn(&(Spin){"sdirk2", 5, 0.5, SOLID,
               ", \"boundaries\": {\"b\": {\"region\": \"all\", \"motion\": {\"axis\": \"z\", "
               "\"spin\": \"5 rad/s\"}}}",
               0},
       &said);
  assert_int_equal(said.count, 0);
}

// Each step takes less than a thousandth, all of them together four fifths.
static void slow_losses_are_told(void **state) {
  (void)state;
  Warnings said = {.about = "damps rotation"};
  Spin spin = {"sdirk2", 28, DURATION, STIFF, "", 1e-3};
  double left = turn(&spin, &said);
  print_message("%.3f left: %s\n", left, said.last);
  assert_true(fabs(left - 0.2) < 0.01);
  assert_int_equal(said.count, 1);
  assert_non_null(strstr(said.last, "takes 80 % by the end"));
}

// From a checkpoint before the warning it comes at the same time, from one after it not again.
static void a_resumed_run_says_the_same(void **state) {
  (void)state;
  const double times[] = {0.12, 0.4};
  for (int i = 0; i < 2; i++) {
    Warnings said = {.about = "damps rotation"};
    StLog log = warnings_log(&said);
    StCheckpoint checkpoint;
    StError error = {0};
    StDescription *description = describe(&(Spin){"sdirk2", 5, 0, SOLID, "", 0});
    StSimulation *first = begin(description, &log), *second = begin(description, &log);
    run_to(first, times[i]);
    assert_int_equal(said.count, i);
    assert_int_equal(st_simulation_checkpoint(first, &checkpoint, &error), ST_OK);
    assert_int_equal(st_simulation_restore(second, &checkpoint, &error), ST_OK);
    run_to(second, 0.6);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.last, WARNING);
    assert_int_equal(st_simulation_report(second)->spin->body, 0);
    st_checkpoint_free(&checkpoint);
    st_simulation_destroy(first);
    st_simulation_destroy(second);
    st_description_destroy(description);
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(loss_is_as_the_table_says),
                                     cmocka_unit_test(others_keep_it),
                                     cmocka_unit_test(pendulums_are_told_of),
                                     cmocka_unit_test(the_warning_says_what_to_expect),
                                     cmocka_unit_test(only_what_is_lost_is_told),
                                     cmocka_unit_test(slow_losses_are_told),
                                     cmocka_unit_test(losses_of_what_speeds_up_are_told),
                                     cmocka_unit_test(a_resumed_run_says_the_same)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
