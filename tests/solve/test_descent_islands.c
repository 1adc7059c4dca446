// Islands in descent: each has its own shift and length, is frozen once it is solved, and merged
// with those that it becomes coupled to.
#include "solve/runtime.h"
#include "support/newton_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// One vertex is in its well, where J needs no shift, the other near the maximum between two: the
// shift of this one leaves the first alone if they are islands.
static void islands_have_their_own_shifts(void **state) {
  (void)state;
  for (int islands = 0; islands < 2; islands++) {
    Toy toy = {
        .residual = wells, .slope = wells_slope, .free = 1, .arcs = true, .islands = islands};
    StNewtonOptions options = descending(EXACT);
    double y[TOY_SIZE] = {0.9, 0.9, 0.9, 0.2, 0.2, 0.2};
    ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
    assert_all_near(y, 1, 1e-8);
    assert_true(toy.most_shift[1] > 0);
    assert_true(islands ? toy.most_shift[0] == 0 : toy.most_shift[0] > 0);
  }
}

// The first vertex is soon solved and stays where it is while the second goes on; in the end both
// do.
static void islands_that_are_solved_are_frozen(void **state) {
  (void)state;
  Toy toy = {.residual = wells, .slope = wells_slope, .free = 1, .arcs = true, .islands = true};
  StNewtonOptions options = descending(EXACT);
  double y[TOY_SIZE] = {0.99, 0.99, 0.99, 0.02, 0.02, 0.02};
  ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_all_near(y, 1, 1e-8);
  assert_true(toy.freezes[0] > 2);
  assert_int_equal(toy.freezes[1], 0);
  assert_false(toy.strayed);
  assert_null(toy.problem.frozen);
}

// Both vertices become one island on the way to their wells, and take one length from there.
static void islands_that_meet_are_merged(void **state) {
  (void)state;
  for (int meets = 0; meets < 2; meets++) {
    Toy toy = {.residual = wells, .slope = wells_slope, .free = 1, .arcs = true, .islands = true};
    StNewtonOptions options = descending(EXACT);
    double y[TOY_SIZE] = {0.7, 0.7, 0.7, 0.2, 0.2, 0.2};
    toy.meet = meets ? 0.5 : 0;
    ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
    assert_all_near(y, 1, 1e-8);
    assert_int_equal(toy.merges > 0, meets);
  }
}

// A root at 1 that Newton's method overshoots by as much as it was away: it would go back and forth
// for good.
static StStatus overshot(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = copysign(sqrt(fabs(y[i] - 1)), y[i] - 1);
  return ST_OK;
}

static void overshot_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 0.5 / sqrt(fmax(fabs(y[i] - 1), 1e-16));
}

// An island whose Newton step is within the tolerance takes any length, but not for ever.
static void idle_islands_do_not_move_back_and_forth(void **state) {
  (void)state;
  Toy toy = {
      .residual = overshot, .slope = overshot_slope, .free = 1, .arcs = true, .islands = true};
  StNewtonOptions options = descending(EXACT);
  options.change_tolerance = 0.1;
  double y[TOY_SIZE] = {1.001, 1.001, 1.001, 1.5, 1.5, 1.5};
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_all_near(y, 1, 1e-8);
  assert_in_range(result.iterations, 1, 4);
}

// Near the maximum between two wells Newton's step is small, and leads uphill, to the maximum.
static void islands_on_a_maximum_are_not_solved(void **state) {
  (void)state;
  Toy toy = {.residual = wells, .slope = wells_slope, .free = 1, .arcs = true, .islands = true};
  StNewtonOptions options = descending(EXACT);
  options.change_tolerance = 0.1;
  double y[TOY_SIZE] = {0.99, 0.99, 0.99, 0.01, 0.01, 0.01};
  ends_with(ST_NEWTON_CONVERGED, &toy, &options, y);
  assert_all_near(y, 1, 1e-8);
  assert_true(toy.most_shift[1] > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(islands_have_their_own_shifts),
      cmocka_unit_test(islands_that_are_solved_are_frozen),
      cmocka_unit_test(islands_that_meet_are_merged),
      cmocka_unit_test(idle_islands_do_not_move_back_and_forth),
      cmocka_unit_test(islands_on_a_maximum_are_not_solved),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
