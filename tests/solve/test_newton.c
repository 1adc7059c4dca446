// Every reason Newton can end with, and how it gets there: toy problems with known answers.
#include "solve/runtime.h"
#include "support/dense.h"
#include "support/newton_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// A chain of springs: a symmetric matrix, b = (1, 2, …).
static void chain_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy, (void)y;
  for (int i = 0; i < TOY_SIZE; i++) {
    jacobian[i * TOY_SIZE + i] = 3;
    if (i > 0)
      jacobian[i * TOY_SIZE + i - 1] = jacobian[(i - 1) * TOY_SIZE + i] = -1;
  }
}

static StStatus chain(const Toy *toy, const double *y, double *r) {
  double jacobian[TOY_SIZE * TOY_SIZE] = {0};
  chain_slope(toy, y, jacobian);
  dense_multiply(TOY_SIZE, jacobian, y, r);
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] -= i + 1;
  return ST_OK;
}

static void one_iteration_solves_what_is_linear(void **state) {
  (void)state;
  double jacobian[TOY_SIZE * TOY_SIZE] = {0}, b[TOY_SIZE] = {1, 2, 3, 4, 5, 6}, x[TOY_SIZE];
  chain_slope(NULL, NULL, jacobian);
  assert_true(dense_solve(TOY_SIZE, jacobian, b, x));
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = chain, .slope = chain_slope};
    double y[TOY_SIZE] = {0};
    options[i].change_tolerance = 10; // one change from zero to the solution will do
    StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &options[i], y);
    assert_int_equal(result.iterations, 1);
    assert_int_equal(result.linear_iterations, 1);
    assert_int_equal(result.norm_count, 2);
    assert_int_equal(result.line_search_cuts, 0);
    assert_true(result.residual <= 1e-9);
    assert_true(dense_distance(TOY_SIZE, x, y) < 1e-14);
  }
}

// The change is large, but what it leaves is so much smaller than what it found that the next one
// need not be made.
static void a_large_last_change_may_be_the_last(void **state) {
  (void)state;
  Toy toy = {.residual = chain, .slope = chain_slope};
  double y[TOY_SIZE] = {0}, again[TOY_SIZE];
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 1);
  assert_true(result.change > EXACT.change_tolerance);
  StNewtonOptions exacter = EXACT;
  exacter.residual_tolerance = 1e-3 * EXACT.residual_tolerance;
  exacter.change_tolerance = 1e-3 * EXACT.change_tolerance;
  memset(again, 0, sizeof again);
  ends_with(ST_NEWTON_CONVERGED, &toy, &exacter, again);
  for (int i = 0; i < TOY_SIZE; i++)
    assert_true(fabs(y[i] - again[i]) <= EXACT.change_tolerance);
}

// A guess whose residual is far below the tolerance by itself would have to be improved a
// thousandfold; compared with a worse guess it is good enough after one iteration, which is always
// made if it is extrapolated. Its residual is known.
static void a_good_guess_is_measured_by_a_worse_one(void **state) {
  (void)state;
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = chain, .slope = chain_slope};
    double y[TOY_SIZE] = {0};
    ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
    y[0] += 1e-3;
    options[i].residual_tolerance = options[i].change_tolerance = 1;
    options[i].start = (StNewtonStart){.evaluated = true, .usual_residual = 10};
    int before = toy.residuals;
    for (int extrapolated = 0; extrapolated < 2; extrapolated++) {
      options[i].start.extrapolated = extrapolated;
      StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &options[i], y);
      assert_int_equal(result.iterations, extrapolated);
      assert_int_equal(result.evaluations, extrapolated);
      assert_int_equal(toy.residuals - before, extrapolated);
    }
  }
}

// Started from the solution there is nothing to do.
static void nothing_to_do_at_the_solution(void **state) {
  (void)state;
  Toy toy = {.residual = chain, .slope = chain_slope};
  double y[TOY_SIZE] = {0};
  ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 0);
  assert_true(result.residual <= 1e-9);
}

// r = (y + y³)/2 + a mean of the neighbours' - 1: smooth, with its root at y = y0.
static StStatus smooth(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++) {
    int next = (i + 1) % TOY_SIZE;
    r[i] = y[i] + y[i] * y[i] * y[i] - 0.3 * y[next] - 1.7;
  }
  return ST_OK;
}

static void smooth_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++) {
    jacobian[i * TOY_SIZE + i] = 1 + 3 * y[i] * y[i];
    jacobian[i * TOY_SIZE + (i + 1) % TOY_SIZE] = -0.3;
  }
}

// The order p of ‖r_k+1‖ = c ‖r_k‖^p, from the last norms that are clear of round-off.
static double order_of(const StNewtonResult *result) {
  int last = result->norm_count - 1;
  while (last > 2 && result->norm[last] < 1e-12)
    last--;
  assert_true(last >= 2);
  const double *norm = result->norm + last;
  return log(norm[0] / norm[-1]) / log(norm[-1] / norm[-2]);
}

// y = 1 solves it. Exact steps converge with order 2; inexact ones with the forcing term's
// exponent, the golden ratio, at least, if the linear solves are no better than asked.
static void converges_as_fast_as_promised(void **state) {
  (void)state;
  StNewtonOptions tight[] = {EXACT, descending(EXACT), INEXACT};
  StLinearMethod method[] = {ST_LINEAR_LU, ST_LINEAR_LU, ST_LINEAR_NONE};
  const double least[] = {1.9, 1.9, 1.5};
  for (int i = 0; i < 3; i++) {
    Toy toy = {.residual = smooth, .slope = smooth_slope};
    double y[TOY_SIZE] = {1.3, 1.2, 1.4, 1.25, 1.35, 1.3};
    tight[i].residual_tolerance = 1e-13;
    StNewtonResult result;
    StError error = {0};
    assert_int_equal(toy_solve(&toy, method[i], &tight[i], y, &result, &error), ST_OK);
    assert_all_near(y, 1, 1e-12);
    print_message("order %.2f in %d iterations\n", order_of(&result), result.iterations);
    assert_true(order_of(&result) > least[i]);
  }
}

static StStatus nowhere(const Toy *toy, const double *y, double *r) {
  (void)toy, (void)y, (void)r;
  return ST_NOT_SOLVED;
}

static void a_first_guess_outside_is_bad(void **state) {
  (void)state;
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = nowhere, .slope = unit_slope};
    double y[TOY_SIZE] = {0};
    StNewtonResult result = ends_with(ST_NEWTON_BAD_START, &toy, &options[i], y);
    assert_int_equal(result.iterations, 0);
  }
}

// One entry that is NaN, or so large that its square overflows, among good ones.
static void a_first_residual_without_a_number_is_bad(void **state) {
  (void)state;
  const double bad[] = {NAN, -NAN, INFINITY, -INFINITY, 1e200};
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 10; i++) {
    Toy toy = {.residual = constant, .slope = unit_slope, .number = {0, bad[i / 2]}, .ulp = 1e-16};
    double y[TOY_SIZE] = {0};
    StNewtonResult result = ends_with(ST_NEWTON_BAD_START, &toy, &options[i % 2], y);
    assert_false(result.residual <= 1e199);
  }
}

// Where the residual turns into NaN or ∞ the domain ends: r = y - 1 below 2, nothing sound above.
static StStatus cliff(const Toy *toy, const double *y, double *r) {
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = y[i] < 2 ? y[i] - 1 : toy->number[0];
  return ST_OK;
}

// Steps four times too long, to fall over the cliff.
static void timid_slope(const Toy *toy, const double *y, double *jacobian) {
  unit_slope(toy, y, jacobian);
  for (int i = 0; i < TOY_SIZE * TOY_SIZE; i++)
    jacobian[i] /= 4;
}

static void steps_back_from_what_is_no_number(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 6; i++) {
    Toy toy = {.residual = cliff, .slope = timid_slope, .number = {bad[i / 2]}};
    double y[TOY_SIZE] = {0};
    StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &options[i % 2], y);
    assert_true(result.line_search_cuts > 0);
    assert_all_near(y, 1, 1e-8);
  }
}

static void iterations_are_used_up(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    StNewtonOptions options = i ? descending(EXACT) : EXACT;
    options.max_iterations = 3;
    options.residual_tolerance = 1e-13;
    Toy toy = {.residual = smooth, .slope = smooth_slope};
    double y[TOY_SIZE];
    set_all(y, 1e4);
    StNewtonResult result = ends_with(ST_NEWTON_TOO_MANY, &toy, &options, y);
    assert_int_equal(result.iterations, 3);
    assert_int_equal(result.norm_count, result.iterations + 1);
    assert_true(fabs(y[0]) < 1e4); // the best iterate, not the first
  }
}

// J points the wrong way.
static void wrong_slope(const Toy *toy, const double *y, double *jacobian) {
  chain_slope(toy, y, jacobian);
  for (int i = 0; i < TOY_SIZE * TOY_SIZE; i++)
    jacobian[i] = -jacobian[i];
}

static void a_wrong_direction_is_no_descent(void **state) {
  (void)state;
  Toy toy = {.residual = chain, .slope = wrong_slope};
  double y[TOY_SIZE] = {0};
  StNewtonResult result = ends_with(ST_NEWTON_NO_DESCENT, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 0);
  assert_int_equal(result.line_search_cuts, 30);
}

// Only the first guess lies in the domain.
static StStatus island(const Toy *toy, const double *y, double *r) {
  (void)toy;
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = 1;
  return y[0] == 0 ? ST_OK : ST_NOT_SOLVED;
}

static void an_island_is_no_descent(void **state) {
  (void)state;
  StNewtonOptions options[] = {EXACT, descending(EXACT)};
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = island, .slope = unit_slope, .ulp = 1e-16};
    double y[TOY_SIZE] = {0};
    StNewtonResult result = ends_with(ST_NEWTON_NO_DESCENT, &toy, &options[i], y);
    assert_int_equal(result.iterations, 0);
    assert_int_equal(result.line_search_cuts, 30);
    assert_all_near(y, 0, 0);
  }
}

// A thousandth of the way in every iteration: 1.5 % in fifteen.
static void creeping_is_too_slow(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = scaled_slope, .number = {1000}};
  double y[TOY_SIZE] = {0};
  StNewtonResult result = ends_with(ST_NEWTON_TOO_SLOW, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 15);
}

// Twenty times too far, so that a sixteenth is taken: impatient options give up after three such
// steps, patient ones converge.
static void the_impatient_give_up_on_short_steps(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    StNewtonOptions options = EXACT;
    options.impatient = i == 0;
    Toy toy = {.residual = straight, .slope = scaled_slope, .number = {1.0 / 20}};
    double y[TOY_SIZE] = {0};
    StNewtonReason reason = i == 0 ? ST_NEWTON_TOO_SLOW : ST_NEWTON_CONVERGED;
    StNewtonResult result = ends_with(reason, &toy, &options, y);
    if (i == 0)
      assert_int_equal(result.iterations, 3);
    else
      assert_all_near(y, 1, 1e-8);
  }
}

static void a_singular_jacobian_fails(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = scaled_slope, .number = {0}};
  double y[TOY_SIZE] = {0};
  StNewtonResult result = ends_with(ST_NEWTON_LINEAR_FAILED, &toy, &EXACT, y);
  assert_non_null(strstr(result.detail.text, "factorised"));
}

// So does Krylov's method when it is not given the iterations it needs.
static void krylov_fails_in_words(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = scaled_slope, .number = {0}};
  double y[TOY_SIZE] = {0};
  StNewtonResult result;
  StError error = {0};
  assert_int_equal(toy_solve(&toy, ST_LINEAR_NONE, &INEXACT, y, &result, &error), ST_NOT_SOLVED);
  assert_int_equal(result.reason, ST_NEWTON_LINEAR_FAILED);
  assert_non_null(strstr(result.detail.text, "gmres"));
}

static StStatus broken(const Toy *toy, const double *y, double *r) {
  (void)toy, (void)y, (void)r;
  return ST_SYSTEM_FAULT;
}

// Anything that is not a numerical outcome is passed on unchanged.
static void faults_are_passed_on(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    StNewtonOptions options = i % 2 ? descending(EXACT) : EXACT;
    Toy toy = {.residual = i < 2 ? broken : straight,
               .slope = unit_slope,
               .assembly = i < 2 ? ST_OK : ST_SYSTEM_FAULT};
    double y[TOY_SIZE] = {0};
    StNewtonResult result;
    StError error = {0};
    assert_int_equal(toy_solve(&toy, ST_LINEAR_LU, &options, y, &result, &error), ST_SYSTEM_FAULT);
    if (i >= 2)
      assert_non_null(strstr(error.text, "would not be assembled"));
  }
}

// The goal falls with the first residual, down to a hundred-thousandth of the tolerance: a small
// step is solved as well as a large one.
static void a_small_start_is_solved_too(void **state) {
  (void)state;
  Toy toy = {.residual = straight, .slope = unit_slope};
  double y[TOY_SIZE];
  set_all(y, 1 + 1e-10); // within the tolerance already
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 1);
  assert_true(result.residual <= 1e-13);
}

// Within the tolerance but short of the goal of a small start: good enough where nothing is better.
static void within_the_tolerance_is_good_enough(void **state) {
  (void)state;
  Toy toy = {.residual = constant, .slope = unit_slope, .number = {5e-10, 5e-10}};
  double y[TOY_SIZE] = {0};
  StNewtonResult result = ends_with(ST_NEWTON_CONVERGED, &toy, &EXACT, y);
  assert_int_equal(result.iterations, 0);
  assert_true(fabs(result.residual / 5e-10 - sqrt(3)) < 1e-15); // of a row
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_iteration_solves_what_is_linear),
      cmocka_unit_test(a_large_last_change_may_be_the_last),
      cmocka_unit_test(a_good_guess_is_measured_by_a_worse_one),
      cmocka_unit_test(nothing_to_do_at_the_solution),
      cmocka_unit_test(converges_as_fast_as_promised),
      cmocka_unit_test(a_first_guess_outside_is_bad),
      cmocka_unit_test(a_first_residual_without_a_number_is_bad),
      cmocka_unit_test(steps_back_from_what_is_no_number),
      cmocka_unit_test(iterations_are_used_up),
      cmocka_unit_test(a_wrong_direction_is_no_descent),
      cmocka_unit_test(an_island_is_no_descent),
      cmocka_unit_test(creeping_is_too_slow),
      cmocka_unit_test(the_impatient_give_up_on_short_steps),
      cmocka_unit_test(a_singular_jacobian_fails),
      cmocka_unit_test(krylov_fails_in_words),
      cmocka_unit_test(faults_are_passed_on),
      cmocka_unit_test(a_small_start_is_solved_too),
      cmocka_unit_test(within_the_tolerance_is_good_enough),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
