// The loss of rotation, of reports made by hand.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/spin_loss.h"
#include "support/warnings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// Counts one step by a method that may not be the scene's.
static Warnings count_step(const StDescription *description, const StReport *report,
                           const char *taken) {
  StSpinRecord record = {.body = -1};
  StSpinLoss *loss = NULL;
  Warnings said = {.about = "damps rotation"};
  StLog log = warnings_log(&said);
  StError error = {0};
  assert_int_equal(st_spin_loss_create(description, &loss, &error), ST_OK);
  st_spin_loss_begin(loss, report);
  st_spin_loss_count(loss, st_integrator_find(taken), report, &record, &log);
  assert_int_equal(record.body, said.count ? 0 : -1);
  st_spin_loss_destroy(loss);
  return said;
}

// Of the energy of a body on a joint that does not turn about its own centre, in one step.
static Warnings swing(const char *scene, const char *taken, double speed) {
  char name[] = "top", joint_name[] = "hinge";
  int vertex = 0;
  StMesh mesh = {.vertex_count = 1};
  StBodyDesc body = {.name = name, .mesh = &mesh};
  StJointDesc joint = {.name = joint_name,
                       .type = {.name = "hinge"},
                       .end = {{.vertex_count = 1, .vertex = &vertex}}};
  StDescription description = {.body_count = 1,
                               .body = &body,
                               .joint_count = 1,
                               .joint = &joint,
                               .integrator = scene,
                               .time = {.duration = 1, .step = 0.01}};
  StBodyReport swinging = {.kinetic_energy = speed * speed, .angular_velocity = {0, 0, speed}};
  StReport report = {.time = 0.01, .h = 0.01, .body_count = 1, .body = &swinging};
  return count_step(&description, &report, taken);
}

// Two states of one body with this spin, and the momentum that belongs to its inertia of 1 kg m²,
// but for an error of it.
static Warnings turn(const char *scene, const char *taken, double speed, double error_of_momentum) {
  char name[] = "top";
  StMesh mesh = {0};
  StBodyDesc body = {.name = name, .mesh = &mesh};
  StDescription description = {
      .body_count = 1, .body = &body, .integrator = scene, .time = {.duration = 1, .step = 0.01}};
  StBodyReport turning = {.angular_momentum = {0, 0, speed + error_of_momentum},
                          .angular_velocity = {0, 0, speed}};
  StReport report = {.time = 0.01, .h = 0.01, .body_count = 1, .body = &turning};
  return count_step(&description, &report, taken);
}

// In one step (ωh)² of its energy: with 30 rad/s 9 %, with 20 rad/s 4 %.
static void a_fast_body_loses_rotation(void **state) {
  (void)state;
  assert_int_equal(turn("sdirk2", "sdirk2", 20, 0).count, 0);
  Warnings said = turn("sdirk2", "sdirk2", 30, 0);
  assert_int_equal(said.count, 1);
  assert_non_null(strstr(said.last, "energy of rotation of body \"top\""));
}

// Backward Euler gives back what its chords lose, also where it takes over a step.
static void backward_euler_keeps_rotation(void **state) {
  (void)state;
  assert_int_equal(turn("be", "be", 100, 0).count, 0);
  assert_int_equal(turn("tr", "be", 100, 0).count, 0);
}

// Centres go along chords: 2 (ωh)² of the energy.
static void a_body_on_a_joint_loses_rotation(void **state) {
  (void)state;
  assert_int_equal(swing("be", "be", 10).count, 0);
  assert_non_null(strstr(swing("be", "be", 20).last, "integrator \"be\" damps rotation"));
  assert_non_null(strstr(swing("tr", "be", 20).last,
                         "steps that gained energy with \"tr\" are taken by backward Euler"));
}

// Round-off may turn the momentum of a body that hardly turns against its spin.
static void a_body_at_rest_loses_nothing(void **state) {
  (void)state;
  assert_int_equal(turn("sdirk2", "sdirk2", 0, 0).count, 0);
  assert_int_equal(turn("sdirk2", "sdirk2", 1e-17, 0).count, 0);
  assert_int_equal(turn("sdirk2", "sdirk2", 1e-17, -3e-17).count, 0);
  assert_int_equal(turn("sdirk2", "sdirk2", -1e-17, 3e-17).count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fast_body_loses_rotation),
                                     cmocka_unit_test(backward_euler_keeps_rotation),
                                     cmocka_unit_test(a_body_on_a_joint_loses_rotation),
                                     cmocka_unit_test(a_body_at_rest_loses_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
