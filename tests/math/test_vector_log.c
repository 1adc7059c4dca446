// The batched logarithm, exponential and arctangent against the C library's, in units in the last
// place.
#include "math/scalar.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static double ulps(double value, long double exact) {
  double nearest = (double)exact;
  double spacing = nextafter(fabs(nearest), INFINITY) - fabs(nearest);
  return (double)fabsl((long double)value - exact) / spacing;
}

static double worst_log(double low, double high, int count) {
  uint64_t state = 11;
  double worst = 0;
  for (int i = 0; i < count; i++) {
    StLanes x;
    for (int lane = 0; lane < ST_LANES; lane++)
      x[lane] = exp(random_between(&state, low, high));
    StLanes y = s_log_lanes(x);
    for (int lane = 0; lane < ST_LANES; lane++)
      worst = fmax(worst, ulps(y[lane], logl((long double)x[lane])));
  }
  return worst;
}

static void log_is_accurate(void **unused) {
  (void)unused;
  assert_true(worst_log(-1e-6, 1e-6, 20000) < 1.0);
  assert_true(worst_log(-0.5, 0.5, 40000) < 1.0);
  assert_true(worst_log(-5, 5, 40000) < 1.0);
  assert_true(worst_log(-700, 700, 40000) < 1.0);
}

static void log_of_special_numbers(void **unused) {
  (void)unused;
  StLanes y = s_log_lanes((StLanes){0, -0.0, -1, -INFINITY, INFINITY, NAN, 1, 0x1p-1074});
  assert_true(y[0] == -INFINITY && y[1] == -INFINITY);
  assert_true(isnan(y[2]) && isnan(y[3]) && y[4] == INFINITY && isnan(y[5]));
  assert_true(y[6] == 0);
  assert_true(ulps(y[7], logl(0x1p-1074L)) < 1.0);
}

static void exp_is_accurate(void **unused) {
  (void)unused;
  const double reach[] = {1e-6, 0.5, 5, 707};
  uint64_t state = 13;
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 40000; i++) {
      StLanes x;
      for (int lane = 0; lane < ST_LANES; lane++)
        x[lane] = random_between(&state, -reach[r], reach[r]);
      StLanes y = s_exp_lanes(x);
      for (int lane = 0; lane < ST_LANES; lane++)
        assert_true(ulps(y[lane], expl((long double)x[lane])) < 1.1);
    }
}

static void exp_of_special_numbers(void **unused) {
  (void)unused;
  StLanes y = s_exp_lanes((StLanes){0, -0.0, 710, -720, INFINITY, -INFINITY, NAN, 709});
  assert_true(y[0] == 1 && y[1] == 1);
  assert_true(y[2] == INFINITY && y[3] == 0 && y[4] == INFINITY && y[5] == 0);
  assert_true(isnan(y[6]));
  assert_true(ulps(y[7], expl(709.0L)) < 1.0);
}

static void atan2_is_accurate(void **unused) {
  (void)unused;
  uint64_t state = 17;
  for (int i = 0; i < 100000; i++) {
    StLanes x, y;
    for (int lane = 0; lane < ST_LANES; lane++) {
      double length = exp(random_between(&state, -30, 30));
      x[lane] = length * random_between(&state, -1, 1);
      y[lane] = length * random_between(&state, -1, 1) * (i % 2 ? 1 : 1e-9);
    }
    StLanes angle = s_atan2_lanes(y, x);
    for (int lane = 0; lane < ST_LANES; lane++)
      assert_true(ulps(angle[lane], atan2l((long double)y[lane], (long double)x[lane])) < 2.5);
  }
}

static void atan2_of_special_points(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846;
  StLanes angle =
      s_atan2_lanes((StLanes){0, 0, 1, -1, 0, -0.0, 2, -3}, (StLanes){0, 1, 0, 0, -1, -1, 2, -3});
  assert_true(isnan(angle[0]));
  assert_true(angle[1] == 0 && angle[2] == pi / 2 && angle[3] == -pi / 2);
  assert_true(angle[4] == pi && angle[5] == -pi && angle[6] == pi / 4);
  assert_true(fabs(angle[7] + 0.75 * pi) < 1e-15);
  angle = s_atan2_lanes((StLanes){NAN, 1, INFINITY, INFINITY}, (StLanes){1, NAN, 1, INFINITY});
  for (int lane = 0; lane < 4; lane++)
    assert_true(isnan(angle[lane]) || lane == 2);
}

static void roots_and_whole_numbers(void **unused) {
  (void)unused;
  StLanes x = {0, 1, 2, 0.49, 2.51, -2.51, 1e9 + 0.3, -0.49};
  StLanes root = s_sqrt_lanes(x), whole = s_round_lanes(x);
  for (int lane = 0; lane < ST_LANES; lane++) {
    assert_true(whole[lane] == rint(x[lane]));
    assert_true(x[lane] < 0 ? isnan(root[lane]) : root[lane] == sqrt(x[lane]));
  }
}

static void finite_sees_every_lane(void **unused) {
  (void)unused;
  for (int lane = 0; lane < ST_LANES; lane++) {
    StLanes x[3] = {lanes_all(1), lanes_all(-2), lanes_all(3)};
    assert_true(lanes_finite(x, 3));
    x[1][lane] = INFINITY;
    assert_false(lanes_finite(x, 3));
    x[1][lane] = NAN;
    assert_false(lanes_finite(x, 3));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(log_is_accurate),         cmocka_unit_test(log_of_special_numbers),
      cmocka_unit_test(exp_is_accurate),         cmocka_unit_test(exp_of_special_numbers),
      cmocka_unit_test(atan2_is_accurate),       cmocka_unit_test(atan2_of_special_points),
      cmocka_unit_test(roots_and_whole_numbers), cmocka_unit_test(finite_sees_every_lane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
