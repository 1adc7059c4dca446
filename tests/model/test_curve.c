// Numbers over time: splines against the functions they sample, rates against differences, corners.
#include "base/memory.h"
#include "model/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static StCurve keys(int count, const double *time, double (*of)(double), StInterpolation kind) {
  StCurve curve = {
      .key_count = count, .time = ST_NEW(double, count), .value = ST_NEW(double, count)};
  for (int i = 0; i < count; i++) {
    curve.time[i] = time[i];
    curve.value[i] = of(time[i]);
  }
  assert_int_equal(st_curve_interpolate(&curve, kind, NULL), ST_OK);
  return curve;
}

static double cubic(double t) {
  return ((0.3 * t - 1) * t + 2) * t - 0.7;
}

// The spline through samples of a cubic is that cubic, however the keys are spaced; through three
// of a parabola that parabola.
static void a_spline_keeps_cubics(void **state) {
  (void)state;
  const double time[] = {0, 0.1, 0.7, 1, 1.9, 2};
  for (int count = 4; count <= 6; count++) {
    StCurve curve = keys(count, time, cubic, ST_CUBIC);
    for (double t = 0; t < time[count - 1]; t += 0.013) {
      double rate, value = st_curve_evaluate(&curve, t, &rate);
      assert_true(fabs(value - cubic(t)) < 1e-13);
      assert_true(fabs(rate - ((0.9 * t - 2) * t + 2)) < 1e-12);
    }
    st_curve_free(&curve);
  }
  StCurve square = {
      .key_count = 3, .time = (double[]){1, 2, 4}, .value = (double[]){1, 4, 16}, .extend = true};
  assert_int_equal(st_curve_interpolate(&square, ST_CUBIC, NULL), ST_OK);
  double rate;
  assert_true(fabs(st_curve_evaluate(&square, 3, &rate) - 9) < 1e-14 && fabs(rate - 6) < 1e-14);
  assert_true(fabs(st_curve_evaluate(&square, 5, &rate) - 24) < 1e-13); // on with 8 per second
  free(square.rate);
}

// The error of a spline falls with the fourth power of the spacing, up to the very ends.
static void a_spline_is_of_fourth_order(void **state) {
  (void)state;
  double error[2] = {0};
  for (int n = 0; n < 2; n++) {
    int count = n ? 41 : 21;
    double time[41];
    for (int i = 0; i < count; i++)
      time[i] = 3.0 * i / (count - 1);
    StCurve curve = keys(count, time, sin, ST_CUBIC);
    for (double t = 0; t < 3; t += 0.0071)
      error[n] = fmax(error[n], fabs(st_curve_at(&curve, t, 0) - sin(t)));
    st_curve_free(&curve);
  }
  assert_true(error[0] / error[1] > 14 && error[0] / error[1] < 24 && error[0] < 1e-4);
}

// The second derivative has no jump at inner keys.
static void a_spline_bends_continuously(void **state) {
  (void)state;
  const double time[] = {0, 0.4, 1, 1.2, 2.2};
  StCurve curve = keys(5, time, exp, ST_CUBIC);
  for (int i = 1; i < 4; i++) {
    double h = 1e-6, left[2], right[2];
    st_curve_evaluate(&curve, time[i] - 2 * h, &left[0]);
    st_curve_evaluate(&curve, time[i] - h, &left[1]);
    st_curve_evaluate(&curve, time[i] + h, &right[0]);
    st_curve_evaluate(&curve, time[i] + 2 * h, &right[1]);
    assert_true(fabs((left[1] - left[0]) - (right[1] - right[0])) / h < 1e-3);
  }
  st_curve_free(&curve);
}

static void a_sine_swings_in_its_window(void **state) {
  (void)state;
  StCurve curve = {
      .kind = ST_CURVE_SINE,
      .sine = {.mean = 2, .amplitude = 3, .frequency = 5, .phase = 0.4, .start = 1, .end = 4}};
  double rate, corner[2];
  assert_true(fabs(st_curve_evaluate(&curve, 0, &rate) - 2 - 3 * sin(0.4)) < 1e-15 && rate == 0);
  assert_true(fabs(st_curve_evaluate(&curve, 2, &rate) - 2 - 3 * sin(5.4)) < 1e-15);
  assert_true(fabs(rate - 15 * cos(5.4)) < 1e-14);
  assert_true(fabs(st_curve_evaluate(&curve, 9, &rate) - 2 - 3 * sin(15.4)) < 1e-14 && rate == 0);
  assert_true(st_curve_largest_rate(&curve, 9) == 15 && st_curve_largest_value(&curve, 9) == 5);
  assert_int_equal(st_curve_corners(&curve, 0.1, corner), 2);
  assert_true(corner[0] == 1 && corner[1] == 4);
}

static void scaling_is_of_values_and_rates(void **state) {
  (void)state;
  const double time[] = {0, 0.5, 1.5, 2};
  StCurve plain[3] = {keys(4, time, cos, ST_CUBIC),
                      {.kind = ST_CURVE_SINE, .sine = {1, 2, 3, 4, 0, INFINITY}},
                      {.kind = ST_CURVE_FORMULA, .factor = 1}};
  StCurve scaled[3] = {keys(4, time, cos, ST_CUBIC), plain[1], plain[2]};
  st_expression_parse("t^2", ST_PURE, &plain[2].formula, NULL);
  st_expression_parse("t^2", ST_PURE, &scaled[2].formula, NULL);
  for (int i = 0; i < 3; i++) {
    double a[2], b[2];
    st_curve_scale(&scaled[i], -2, 5);
    a[0] = st_curve_evaluate(&plain[i], 0.8, &a[1]);
    b[0] = st_curve_evaluate(&scaled[i], 0.8, &b[1]);
    assert_true(fabs(b[0] - 5 + 2 * a[0]) < 1e-14 && fabs(b[1] + 2 * a[1]) < 1e-14);
    st_curve_free(&plain[i]);
    st_curve_free(&scaled[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spline_keeps_cubics),
      cmocka_unit_test(a_spline_is_of_fourth_order),
      cmocka_unit_test(a_spline_bends_continuously),
      cmocka_unit_test(a_sine_swings_in_its_window),
      cmocka_unit_test(scaling_is_of_values_and_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
