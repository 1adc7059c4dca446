// Descent by shifted Jacobians: toy problems on which Newton's method gets stuck, and limited ones.
#include "solve/runtime.h"
#include "support/newton_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Descent raises a negative J until it points down.
static void descent_turns_a_wrong_direction_round(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = scaled_slope, .number = {-0.5}};
  double y[TOY_SIZE] = {0};
  StNewtonOptions options = descending(EXACT);
  ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_all_near(y, 1, 1e-8);
}

// Descent's shift makes a singular Jacobian regular.
static void descent_gets_past_a_singular_jacobian(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = scaled_slope, .number = {0}};
  double y[TOY_SIZE] = {0};
  StNewtonOptions options = descending(EXACT);
  ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_all_near(y, 1, 1e-8);
}

// No shift helps when nothing can be assembled at all.
static void descent_ends_when_no_shift_helps(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = unit_slope, .assembly = ST_NOT_SOLVED};
  double y[TOY_SIZE] = {0};
  StNewtonOptions options = descending(EXACT);
  ends_with(ST_NEWTON_LINEAR_FAILED, &toy, &options, y);
  assert_int_equal(toy.linearisations, 7); // one try and six more
}

static void descent_finds_a_minimum(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = wells, .slope = wells_slope};
    StNewtonOptions options = i ? descending(EXACT) : EXACT;
    double y[TOY_SIZE];
    set_all(y, 0.2);
    ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
    assert_all_near(y, i ? 1 : 0, 1e-8);
  }
}

// A barrier that is far too narrow: J foretells that it opens by a factor of two.
static StStatus narrow(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = 1 - 1 / y[i];
  return y[0] > 0 ? ST_OK : ST_NOT_SOLVED;
}

static void narrow_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 1 / (y[i] * y[i]);
}

// A wall is between the start and the solution, nearer than steps would like to go.
static void steps_stay_within_limits(void **state) {
  (void)state;
  for (int arcs = 0; arcs < 2; arcs++)
    for (double wall = 1.1e-3; wall < 1; wall *= 1.7) {
      Toy toy = {.residual = narrow, .slope = narrow_slope, .free = 1, .arcs = arcs, .wall = wall};
      StNewtonOptions options = descending(EXACT);
      StNewtonResult result;
      double y[TOY_SIZE];
      set_all(y, 1e-3);
      assert_int_equal(toy_solve(&toy, ST_LINEAR_LU, &options, y, &result, NULL), ST_NOT_SOLVED);
      assert_true(y[0] > 1e-3 && y[0] <= wall);
      assert_false(toy.through);
    }
}

// From far away Newton's method takes a third of y off at a time, and the residual falls by 0.3.
static StStatus steep(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = 0.1 * y[i] + y[i] * y[i] * y[i];
  return ST_OK;
}

static void steep_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 0.1 + 3 * y[i] * y[i];
}

static void descent_that_falls_fast_may_go_on(void **state) {
  (void)state;
  const struct {
    int most, taken; // taken 0: it converges
  } trial[] = {{15, 0}, {5, 20}, {4, 4}};
  for (int i = 0; i < 3; i++) {
    Toy toy = {.residual = steep, .slope = steep_slope};
    StNewtonOptions options = descending(EXACT);
    double y[TOY_SIZE];
    set_all(y, 1000);
    options.max_iterations = trial[i].most;
    bool converges = trial[i].taken == 0;
    StNewtonResult result =
        ends_with(converges ? ST_NEWTON_CONVERGED : ST_NEWTON_TOO_MANY, &toy, &options, y);
    assert_true(converges ? result.iterations > 15 : result.iterations == trial[i].taken);
    if (converges)
      assert_all_near(y, 0, 1e-8);
  }
}

// A shortened path is not evidence against its direction: half of the rest in every step, not less
// and less of it.
static void limited_steps_keep_their_direction(void **state) {
  (void)state;
  const StNewtonOptions options = descending(EXACT);
  Toy toy = {.residual = straight, .slope = unit_slope, .free = 0.2};
  double y[TOY_SIZE];
  set_all(y, 2);
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_true(result.iterations <= log(sqrt(3) * 1e9) / -log(1 - 0.2) + 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(descent_turns_a_wrong_direction_round),
      cmocka_unit_test(descent_gets_past_a_singular_jacobian),
      cmocka_unit_test(descent_ends_when_no_shift_helps),
      cmocka_unit_test(descent_finds_a_minimum),
      cmocka_unit_test(steps_stay_within_limits),
      cmocka_unit_test(descent_that_falls_fast_may_go_on),
      cmocka_unit_test(limited_steps_keep_their_direction),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
