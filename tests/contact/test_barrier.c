// The barrier: known values, smooth end, no bound at contact, derivatives three ways, no
// cancellation near its end.
#include "contact/barrier/barrier.h"
#include "support/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void known_values(void **state) {
  (void)state;
  StBarrierCurve half = st_barrier_curve(0.5);
  assert_true(fabs(half.value - 0.25 * log(2)) < 1e-16);
  assert_true(fabs(half.slope + log(2) + 0.5) < 1e-15);
  assert_true(fabs(half.curvature - 2 * log(2) - 5) < 1e-15); // 6.386
}

static void is_nothing_from_one_on(void **state) {
  (void)state;
  const double far[] = {1, 1 + 0x1p-52, 2, 1e300, INFINITY};
  for (int i = 0; i < 5; i++) {
    StBarrierCurve curve = st_barrier_curve(far[i]);
    assert_true(curve.value == 0 && curve.slope == 0 && curve.curvature == 0);
  }
}

// With y = 1 − x: φ = y³ + y⁴/2 + y⁵/3 + …, to the last digits although (x − 1)² ln x is tiny.
static void ends_smoothly(void **state) {
  (void)state;
  for (int k = 4; k < 50; k++) {
    double y = ldexp(1, -k);
    StBarrierCurve curve = st_barrier_curve(1 - y);
    double value = 0, slope = 0, curvature = 0;
    for (int j = 1; j < 40; j++) {
      value += pow(y, j + 2) / j;
      slope -= (j + 2) * pow(y, j + 1) / j;
      curvature += (j + 2) * (j + 1) * pow(y, j) / j;
    }
    assert_true(fabs(curve.value / value - 1) < 1e-15);
    assert_true(fabs(curve.slope / slope - 1) < 1e-15);
    assert_true(fabs(curve.curvature / curvature - 1) < 1e-15);
  }
}

static void has_no_bound_at_contact(void **state) {
  (void)state;
  const double inside[] = {0, -0.0, -1e-300, -1, -INFINITY, NAN};
  for (int i = 0; i < 6; i++) {
    StBarrierCurve curve = st_barrier_curve(inside[i]);
    assert_true(curve.value == INFINITY && curve.slope == -INFINITY);
    assert_true(curve.curvature == INFINITY);
  }
  StBarrierCurve before = st_barrier_curve(0.9);
  for (double x = 0.5; x > 1e-150; x /= 2) { // below, the curvature 1/x² leaves the numbers
    StBarrierCurve curve = st_barrier_curve(x);
    assert_true(isfinite(curve.curvature));
    assert_true(curve.value > before.value && curve.slope < before.slope);
    assert_true(curve.curvature > before.curvature);
    before = curve;
  }
}

static void derivatives_agree(void **state) {
  (void)state;
  for (double x = 1e-6; x < 0.97; x *= 1.3) {
    StBarrierCurve curve = st_barrier_curve(x);
    StBarrierCurveDual dual = st_barrier_curve_dual(s_dual(x, 1));
    double h = 1e-2 * fmin(x, 1 - x), slope = 0, curvature = 0;
    for (int p = 0; p < DIFFERENCE_POINTS; p++) {
      StBarrierCurve near = st_barrier_curve(x + difference_at[p] * h);
      slope += difference_weight[p] * near.value / h;
      curvature += difference_weight[p] * near.slope / h;
    }
    assert_true(fabs(s_derivative(dual.value) / curve.slope - 1) < 1e-14);
    assert_true(fabs(s_derivative(dual.slope) / curve.curvature - 1) < 1e-14);
    assert_true(fabs(slope / curve.slope - 1) < 1e-9);
    assert_true(fabs(curvature / curve.curvature - 1) < 1e-9);
    assert_true(fabs(creal(dual.value) / curve.value - 1) < 1e-15);
    assert_true(fabs(creal(dual.slope) / curve.slope - 1) < 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_values),      cmocka_unit_test(is_nothing_from_one_on),
      cmocka_unit_test(ends_smoothly),     cmocka_unit_test(has_no_bound_at_contact),
      cmocka_unit_test(derivatives_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
