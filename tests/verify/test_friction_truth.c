// The quick ones of the cases that `stiction verify` runs, and the block slide at two steps:
// friction solved at the end of the step stops the block where it should, lagged friction does not.
#include "solve/runtime.h"
#include "support/verify_case.h"
#include "verify/slide.h"

#include <math.h>

static void slope_threshold(void **state) {
  (void)state;
  verify_case("slope", 20);
}

static void stopping_distance(void **state) {
  (void)state;
  verify_case("stopping", 6);
}

static void weight_balance(void **state) {
  (void)state;
  verify_case("weight", 25);
}

static void friction_curve(void **state) {
  (void)state;
  verify_case("curve", 3);
}

static void stick_slip_cycle(void **state) {
  (void)state;
  verify_case("stick_slip", 3);
}

static void outcome_over_size(void **state) {
  (void)state;
  verify_case("scale", 6);
}

static StStop slide(StFrictionMode mode, const char *integrator, double step, bool cold,
                    StSlideTruth *truth) {
  StVerifySettings settings = {.friction = mode, .friction_iterations = 1};
  StBlock block = st_slide_block(&settings, integrator, step);
  StStop stop;
  StError error = {0};
  if (st_slide_run(&block, cold, &stop, &error) != ST_OK)
    fail_msg("%s", error.text);
  *truth = st_slide_truth(&block);
  return stop;
}

static void block_slide(void **state) {
  (void)state;
  const double step[] = {0.1, 0.05};
  for (int i = 0; i < 2; i++)
    for (int cold = 0; cold < 2; cold++) {
      StSlideTruth truth;
      StStop stop = slide(ST_FRICTION_IMPLICIT, "be", step[i], cold, &truth);
      assert_true(stop.stopped);
      assert_true(fabs(stop.distance / truth.distance - 1) < 1e-4);
      assert_true(fabs(stop.time - truth.time) <= step[i]);
    }
  StSlideTruth truth;
  StStop stop = slide(ST_FRICTION_IMPLICIT, "tr", 0.05, false, &truth);
  assert_true(fabs(stop.distance / truth.distance - 1) < 1e-3);
  assert_true(fabs(stop.time / truth.time - 1) < 0.01);
}

// The first step sees no contact force and so no friction: the block falls onto the slope at full
// speed and is faster afterwards.
static void lagged_friction_starts_blind(void **state) {
  (void)state;
  StSlideTruth truth;
  StStop stop = slide(ST_FRICTION_LAGGED, "be", 0.05, true, &truth);
  assert_true(stop.distance > 3 * truth.distance);
  stop = slide(ST_FRICTION_LAGGED, "be", 0.05, false, &truth);
  assert_true(fabs(stop.distance / truth.distance - 1) < 1e-3);
}

static int start(void **state) {
  (void)state;
  StError error;
  return st_runtime_start(&error);
}

static int stop(void **state) {
  (void)state;
  st_runtime_stop();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slope_threshold),  cmocka_unit_test(stopping_distance),
      cmocka_unit_test(weight_balance),   cmocka_unit_test(friction_curve),
      cmocka_unit_test(stick_slip_cycle), cmocka_unit_test(outcome_over_size),
      cmocka_unit_test(block_slide),      cmocka_unit_test(lagged_friction_starts_blind),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
