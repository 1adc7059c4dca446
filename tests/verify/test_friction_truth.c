// Cases that `stiction verify` runs: weight, size, and some of the block slide: friction solved at
// the end of the step stops the block where it should, lagged friction does not.
#include "support/verify_case.h"
#include "verify/slide.h"

#include <math.h>

static void weight_balance(void **state) {
  (void)state;
  verify_case("weight", 50);
}

static void outcome_over_size(void **state) {
  (void)state;
  verify_case("scale", 24);
}

static StStop run_slide(const StBlock *block, bool cold) {
  StStop stop;
  StError error = {0};
  if (st_slide_run(block, cold, &stop, &error) != ST_OK)
    fail_msg("%s", error.text);
  return stop;
}

static StStop slide(StFrictionMode mode, double step, bool cold, StSlideTruth *truth) {
  StVerifySettings settings = {
      .method = ST_CONTACT_METHOD_DEFAULT, .friction = mode, .friction_iterations = 1};
  StBlock block = st_slide_block(&settings, "be", step);
  *truth = st_slide_truth(&block);
  return run_slide(&block, cold);
}

// As far and as long as the case itself allows.
static void check_slide(StContactMethod method, const char *integrator, double step, bool cold) {
  StVerifySettings settings = {.method = method, .friction_iterations = 1};
  StBlock block = st_slide_block(&settings, integrator, step);
  StSlideTruth truth = st_slide_truth(&block);
  StStop stop = run_slide(&block, cold);
  double a = ST_SLIDE_SPEED / truth.time, drop = cold ? block.thickness / 2 : 0;
  assert_true(stop.stopped);
  assert_true(fabs(stop.distance - truth.distance) <= st_block_stop_error(&block, a, drop));
  assert_true(fabs(stop.time - truth.time) <= st_block_time_error(&block, a));
}

static void block_slide(void **state) {
  (void)state;
  static const StContactMethod method[] = {ST_CONTACT_PRIMITIVES, ST_CONTACT_SMOOTH};
  for (int m = 0; m < 2; m++) {
    check_slide(method[m], "be", 0.1, false);
    check_slide(method[m], "be", 0.1, true);
    check_slide(method[m], "be", 0.02, true);
    check_slide(method[m], "tr", 0.05, false);
  }
}

// The first step sees no contact force and so no friction: the block falls onto the slope at full
// speed and is faster afterwards.
static void lagged_friction_starts_blind(void **state) {
  (void)state;
  StSlideTruth truth;
  StStop stop = slide(ST_FRICTION_LAGGED, 0.05, true, &truth);
  assert_true(stop.distance > 3 * truth.distance);
  stop = slide(ST_FRICTION_LAGGED, 0.05, false, &truth);
  assert_true(fabs(stop.distance / truth.distance - 1) < 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weight_balance),
      cmocka_unit_test(outcome_over_size),
      cmocka_unit_test(block_slide),
      cmocka_unit_test(lagged_friction_starts_blind),
  };
  return cmocka_run_group_tests(tests, verify_start, verify_stop);
}
