// The loss of rotation, of reports made by hand.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/spin_loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct Said {
  int count;
  char last[600];
} Said;

static void listen(void *context, StLevel level, const char *text) {
  Said *said = context;
  assert_int_equal(level, ST_WARNING);
  said->count++;
  strncpy(said->last, text, sizeof said->last - 1);
}

// Two states of one body with this spin, and the momentum that belongs to its inertia of 1 kg m²,
// but for an error of it.
static Said turn(double speed, double error_of_momentum) {
  char name[] = "top";
  StMesh mesh = {0};
  StBodyDesc body = {.name = name, .mesh = &mesh};
  StDescription description = {
      .body_count = 1, .body = &body, .integrator = "be", .time = {.duration = 1, .step = 0.01}};
  StBodyReport turning = {.angular_momentum = {0, 0, speed + error_of_momentum},
                          .angular_velocity = {0, 0, speed}};
  StReport report = {.time = 0.01, .h = 0.01, .body_count = 1, .body = &turning};
  StSpinRecord record = {.body = -1};
  StSpinLoss *loss = NULL;
  Said said = {0};
  StLog log = {listen, &said};
  StError error = {0};
  assert_int_equal(st_spin_loss_create(&description, &loss, &error), ST_OK);
  st_spin_loss_begin(loss, &report);
  st_spin_loss_count(loss, st_integrator_find("be"), &report, &record, &log);
  assert_int_equal(record.body, said.count ? 0 : -1);
  st_spin_loss_destroy(loss);
  return said;
}

// In one step 2 (ωh)² of its energy: with 20 rad/s 8 %, with 10 rad/s 2 %.
static void a_fast_body_loses_rotation(void **state) {
  (void)state;
  assert_int_equal(turn(10, 0).count, 0);
  Said said = turn(20, 0);
  assert_int_equal(said.count, 1);
  assert_non_null(strstr(said.last, "energy of rotation of body \"top\""));
}

// Round-off may turn the momentum of a body that hardly turns against its spin.
static void a_body_at_rest_loses_nothing(void **state) {
  (void)state;
  assert_int_equal(turn(0, 0).count, 0);
  assert_int_equal(turn(1e-17, 0).count, 0);
  assert_int_equal(turn(1e-17, -3e-17).count, 0);
  assert_int_equal(turn(-1e-17, 3e-17).count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fast_body_loses_rotation),
                                     cmocka_unit_test(a_body_at_rest_loses_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
