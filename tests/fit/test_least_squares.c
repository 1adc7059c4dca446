// The least-squares search, on problems whose solutions are known.
#include "fit/least_squares.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 5 };

static const double TIMES[ROWS] = {0, 1, 2, 3, 4}, NOISY[ROWS] = {1.1, 2.9, 5.2, 6.8, 9.1};

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += a[i] * b[i];
  return sum;
}

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not within %g of %.17g", value, tolerance, wanted);
}

// a + b t
static StStatus line(void *context, const double *p, double *residual, double *jacobian,
                     StError *error) {
  (void)context, (void)error;
  for (int i = 0; i < ROWS; i++) {
    residual[i] = NOISY[i] - p[0] - p[1] * TIMES[i];
    jacobian[i] = 1;
    jacobian[ROWS + i] = TIMES[i];
  }
  return ST_OK;
}

// exp(-a t), for a that is not negative.
static StStatus decay(void *context, const double *p, double *residual, double *jacobian,
                      StError *error) {
  (void)context;
  if (p[0] < 0)
    return st_fail(error, ST_BAD_INPUT, "must not be negative");
  for (int i = 0; i < ROWS; i++) {
    residual[i] = exp(-0.7 * TIMES[i]) - exp(-p[0] * TIMES[i]);
    jacobian[i] = -TIMES[i] * exp(-p[0] * TIMES[i]);
  }
  return ST_OK;
}

// Depends on a / b only, and not on c.
static StStatus ratio(void *context, const double *p, double *residual, double *jacobian,
                      StError *error) {
  (void)context, (void)error;
  for (int i = 0; i < ROWS; i++) {
    residual[i] = 3 * TIMES[i] - p[0] / p[1] * TIMES[i];
    jacobian[i] = TIMES[i] / p[1];
    jacobian[ROWS + i] = -p[0] / (p[1] * p[1]) * TIMES[i];
    jacobian[2 * ROWS + i] = 0;
  }
  return ST_OK;
}

// Rosenbrock's valley: 10 (b - a²), 1 - a.
static StStatus valley(void *context, const double *p, double *residual, double *jacobian,
                       StError *error) {
  (void)context, (void)error;
  residual[0] = -10 * (p[1] - p[0] * p[0]);
  residual[1] = -(1 - p[0]);
  jacobian[0] = -20 * p[0];
  jacobian[1] = -1;
  jacobian[2] = 10;
  jacobian[3] = 0;
  return ST_OK;
}

static const double NONE[3] = {-INFINITY, -INFINITY, -INFINITY},
                    ANY[3] = {INFINITY, INFINITY, INFINITY};

static StLeastSquares problem_of(int count, StStatus (*evaluate)(void *, const double *, double *,
                                                                 double *, StError *)) {
  return (StLeastSquares){.count = count,
                          .rows = ROWS,
                          .low = NONE,
                          .high = ANY,
                          .scale = 10,
                          .iterations = 50,
                          .evaluate = evaluate};
}

static StFitResult solve(const StLeastSquares *problem, double *value) {
  StFitResult result;
  StError error = {0};
  if (st_least_squares(problem, value, &result, &error) != ST_OK)
    fail_msg("%s", error.text);
  return result;
}

// The textbook's formulas for a straight line.
static void test_line(void **state) {
  (void)state;
  double ones[ROWS] = {1, 1, 1, 1, 1}, value[2] = {0, 0}, left = 0;
  double t = dot(TIMES, ones), tt = dot(TIMES, TIMES), det = ROWS * tt - t * t;
  double b = (ROWS * dot(TIMES, NOISY) - t * dot(ones, NOISY)) / det;
  double a = (dot(ones, NOISY) - b * t) / ROWS;
  for (int i = 0; i < ROWS; i++)
    left += pow(NOISY[i] - a - b * TIMES[i], 2);
  StLeastSquares problem = problem_of(2, line);
  StFitResult result = solve(&problem, value);
  assert_true(result.converged);
  assert_near(value[0], a, 1e-3 * sqrt(result.covariance[0]));
  assert_near(value[1], b, 1e-3 * sqrt(result.covariance[3]));
  assert_near(result.variance, left / (ROWS - 2), 1e-6 * result.variance);
  assert_near(result.covariance[0], result.variance * tt / det, 1e-12);
  assert_near(result.covariance[1], -result.variance * t / det, 1e-12);
  assert_near(result.covariance[3], result.variance * ROWS / det, 1e-12);
  problem.weighted = true;
  result = solve(&problem, value);
  assert_near(result.covariance[3], ROWS / det, 1e-12);
}

// With the slope held at a bound, the other parameter is the mean of what is left.
static void test_bound(void **state) {
  (void)state;
  double high[2] = {INFINITY, 1.5}, value[2] = {0, 0}, mean = 0;
  StLeastSquares problem = problem_of(2, line);
  problem.high = high;
  StFitResult result = solve(&problem, value);
  for (int i = 0; i < ROWS; i++)
    mean += (NOISY[i] - 1.5 * TIMES[i]) / ROWS;
  assert_true(result.converged);
  assert_int_equal(result.fate[0], ST_FIT_FREE);
  assert_int_equal(result.fate[1], ST_FIT_AT_BOUND);
  assert_true(value[1] == 1.5 && isnan(result.covariance[3]));
  assert_near(value[0], mean, 1e-3 * sqrt(result.covariance[0]));
  assert_near(result.covariance[0], result.variance / ROWS, 1e-12);
}

// Trials that are refused make steps smaller.
static void test_refused(void **state) {
  (void)state;
  double value[1] = {5};
  StLeastSquares problem = problem_of(1, decay);
  StFitResult result = solve(&problem, value);
  assert_true(result.converged && result.evaluations > result.iterations + 1);
  assert_near(value[0], 0.7, 1e-7);
  StError error;
  value[0] = -1;
  assert_int_equal(st_least_squares(&problem, value, &result, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "at the start"));
  assert_non_null(strstr(error.text, "must not be negative"));
}

static void test_undetermined(void **state) {
  (void)state;
  double value[3] = {1, 1, 1};
  StLeastSquares problem = problem_of(3, ratio);
  StFitResult result = solve(&problem, value);
  assert_true(result.converged);
  assert_near(value[0] / value[1], 3, 1e-6);
  assert_true(value[2] == 1);
  assert_int_equal(result.fate[0], ST_FIT_UNDETERMINED);
  assert_int_equal(result.fate[1], ST_FIT_UNDETERMINED);
  assert_int_equal(result.fate[2], ST_FIT_WITHOUT_EFFECT);
  for (int i = 0; i < 9; i++)
    assert_true(isnan(result.covariance[i]));
}

static void test_valley(void **state) {
  (void)state;
  double value[2] = {-1.2, 1};
  StLeastSquares problem = problem_of(2, valley);
  problem.rows = 2;
  StFitResult result = solve(&problem, value);
  assert_true(result.converged);
  assert_near(value[0], 1, 1e-6);
  assert_near(value[1], 1, 1e-6);
  assert_true(isnan(result.variance)); // as many residuals as parameters
  value[0] = -1.2;
  problem.iterations = 2;
  result = solve(&problem, value);
  assert_true(!result.converged && result.iterations == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line),    cmocka_unit_test(test_bound),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_undetermined),
      cmocka_unit_test(test_valley),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
