// Options and checks for tests that solve toy problems by Newton's method.
#ifndef TESTS_SUPPORT_NEWTON_CASE_H
#define TESTS_SUPPORT_NEWTON_CASE_H

#include "support/toy_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const StNewtonOptions EXACT = {
    .residual_tolerance = 1e-9, .change_tolerance = 1e-6, .max_iterations = 100};
static const StNewtonOptions INEXACT = {
    .inexact = true, .residual_tolerance = 1e-9, .change_tolerance = 1e-6, .max_iterations = 100};

static inline StNewtonOptions descending(StNewtonOptions options) {
  options.descent = true;
  return options;
}

// Solves with LU; the reason is checked, the rest is returned.
static inline StNewtonResult ends_with(StNewtonReason reason, Toy *toy,
                                       const StNewtonOptions *options, double y[TOY_SIZE]) {
  StNewtonResult result;
  StError error = {0};
  StStatus status = toy_solve(toy, ST_LINEAR_LU, options, y, &result, &error);
  assert_string_equal(st_newton_reason_text(result.reason), st_newton_reason_text(reason));
  assert_int_equal(status, reason == ST_NEWTON_CONVERGED ? ST_OK : ST_NOT_SOLVED);
  return result;
}

static inline void set_all(double y[TOY_SIZE], double value) {
  for (int i = 0; i < TOY_SIZE; i++)
    y[i] = value;
}

static inline void assert_all_near(const double y[TOY_SIZE], double value, double allowed) {
  for (int i = 0; i < TOY_SIZE; i++)
    assert_true(fabs(y[i] - value) <= allowed);
}

// A residual that nothing changes.
static inline StStatus constant(const Toy *toy, const double *y, double *r) {
  (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = toy->number[i == 2];
  return ST_OK;
}

static inline void unit_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy, (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 1;
}

// r = y - 1 with a Jacobian off by a factor.
static inline StStatus straight(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = y[i] - 1;
  return ST_OK;
}

static inline void scaled_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = toy->number[0];
}

// The gradient of a double well: minima near ±1 and a maximum near 0, where J is negative. Newton
// climbs to the maximum, descent goes down to the well.
static inline StStatus wells(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = y[i] * y[i] * y[i] - y[i];
  return ST_OK;
}

static inline void wells_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 3 * y[i] * y[i] - 1;
}

#endif
