// Jacobians of a toy, of which the negative eigenvalues are known.
#include "solve/negative_mode.h"
#include "solve/runtime.h"
#include "support/toy_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static StStatus no_residual(const Toy *toy, const double *y, double *r) {
  (void)toy, (void)y;
  memset(r, 0, TOY_SIZE * sizeof(double));
  return ST_OK;
}

// 1 … 6, with number[0] in the fourth place.
static void diagonal(const Toy *toy, const double *y, double *jacobian) {
  (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = i == 3 ? toy->number[0] : i + 1;
}

// The same, and a block of the first two with these entries.
static void block(const Toy *toy, const double *y, double *jacobian) {
  diagonal(toy, y, jacobian);
  jacobian[0] = jacobian[TOY_SIZE + 1] = toy->number[1];
  jacobian[1] = toy->number[2];
  jacobian[TOY_SIZE] = toy->number[3];
}

static double find(Toy *toy, double mode[TOY_SIZE]) {
  double value = NAN;
  const double y[TOY_SIZE] = {0};
  StError error = {0};
  toy->residual = no_residual;
  toy_start(toy);
  StLinear *linear = toy_linear(toy, ST_LINEAR_LU);
  if (st_negative_mode_find(&toy->problem, linear, y, mode, &value, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_linear_destroy(linear);
  toy_stop(toy);
  return value;
}

static void finds_it_with_its_vector(void **state) {
  (void)state;
  static const double values[] = {-1e-9, -0.01, -1, -50};
  for (int i = 0; i < 4; i++) {
    double mode[TOY_SIZE];
    Toy toy = {.slope = diagonal, .number = {values[i]}};
    assert_true(fabs(find(&toy, mode) - values[i]) <= 0.1 * fabs(values[i]));
    double sum = 0;
    for (int k = 0; k < TOY_SIZE; k++)
      sum += mode[k] * mode[k];
    assert_true(mode[3] * mode[3] > 0.9 * sum);
  }
}

static void positive_ones_are_none(void **state) {
  (void)state;
  static const double values[] = {1e-9, 0.5, 1e6};
  double mode[TOY_SIZE];
  for (int i = 0; i < 3; i++)
    assert_true(find(&(Toy){.slope = diagonal, .number = {values[i]}}, mode) == 0);
}

// Friction that slides: the eigenvalue is 1, twice, although the symmetric part has 1 - 10/2.
static void one_sided_couplings_are_no_sign(void **state) {
  (void)state;
  double mode[TOY_SIZE];
  assert_true(find(&(Toy){.slope = block, .number = {4, 1, 0, -10}}, mode) == 0);
}

// -1 ± 2i.
static void pairs_are_passed_over(void **state) {
  (void)state;
  double mode[TOY_SIZE];
  assert_true(find(&(Toy){.slope = block, .number = {4, -1, 2, -2}}, mode) == 0);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_it_with_its_vector), cmocka_unit_test(positive_ones_are_none),
      cmocka_unit_test(one_sided_couplings_are_no_sign), cmocka_unit_test(pairs_are_passed_over)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failures;
}
