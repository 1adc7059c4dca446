// Newton's method where round-off is larger than the tolerance: what it may call a solution.
#include "solve/runtime.h"
#include "support/newton_case.h"

// A very stiff spring over a long step, as y sees it: r = y - 1 + k (x - x0) with x = 1 + 0.1 y and
// x0 = 1.05. Its root is y = 0.5 to within 1/k; one digit of x is worth 1e-16 k in the residual.
static StStatus stiff(const Toy *toy, const double *y, double *r) {
  for (int i = 0; i < TOY_SIZE; i++) {
    double x = 1 + 0.1 * y[i];
    r[i] = y[i] - 1 + toy->number[0] * (x - 1.05);
  }
  return ST_OK;
}

static void stiff_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 1 + 0.1 * toy->number[0];
}

// The root of `stiff`, where the spring's force and the momentum cancel.
static double stiff_root(double k) {
  return (1 + 0.05 * k) / (1 + 0.1 * k);
}

// The residual stays far above the tolerance, the velocity is right all the same, and who does not
// know how much round-off there is may not say so.
static void converges_at_round_off(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double k = 1e12;
    Toy toy = {.residual = stiff,
               .slope = stiff_slope,
               .number = {k},
               .ulp = i == 0 ? 1e-15 : 0}; // of y, a tenth of which is x's
    double y[TOY_SIZE];
    for (int c = 0; c < TOY_SIZE; c++)
      y[c] = 0.3 + 0.1 * c;
    StNewtonReason reason = i == 0 ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT;
    StNewtonResult result = ends_with(reason, &toy, &EXACT, y);
    assert_true(result.residual > 1e-6); // a thousand times the tolerance
    assert_true(result.iterations >= 1);
    assert_all_near(y, stiff_root(k), 1e-13);
  }
}

// The same for the first three, and a soft spring for the others.
static StStatus half_stiff(const Toy *toy, const double *y, double *r) {
  stiff(toy, y, r);
  for (int i = 3; i < TOY_SIZE; i++)
    r[i] = y[i] - 1;
  return ST_OK;
}

static void half_stiff_slope(const Toy *toy, const double *y, double *jacobian) {
  stiff_slope(toy, y, jacobian);
  for (int i = 3; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 1;
}

// Round-off of the stiff spring is 10⁵ times what is left of the soft one, which is five times the
// tolerance: the norm cannot show that a whole step brings it to its root.
static void finds_what_round_off_hides(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double k = 1e12, left = 5 * EXACT.residual_tolerance;
    Toy toy = {.residual = half_stiff,
               .slope = half_stiff_slope,
               .number = {k},
               .ulp = i == 0 ? 5e-15 : 0}; // a digit of x
    double y[TOY_SIZE];
    for (int c = 0; c < TOY_SIZE; c++)
      y[c] = c < 3 ? stiff_root(k) : 1 + left;
    ends_with(i == 0 ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT, &toy, &EXACT, y);
    for (int c = 3; c < TOY_SIZE; c++)
      assert_true(i == 0 ? fabs(y[c] - 1) < 1e-15 : y[c] > 1);
  }
}

// Between walls every solve is a descent, to which each step in round-off seems to lead down.
static void descent_converges_at_round_off(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double k = 1e12;
    const StNewtonOptions options = descending(EXACT);
    Toy toy = {.residual = stiff,
               .slope = stiff_slope,
               .number = {k},
               .ulp = i == 0 ? 1e-15 : 0,
               .free = 1};
    double y[TOY_SIZE];
    for (int c = 0; c < TOY_SIZE; c++)
      y[c] = 0.3 + 0.1 * c;
    StNewtonResult result;
    StStatus status = toy_solve(&toy, ST_LINEAR_LU, &options, y, &result, NULL);
    assert_int_equal(status, i == 0 ? ST_OK : ST_NOT_SOLVED);
    assert_true(result.residual > 1e-6);
    assert_true(i == 1 || result.iterations <= 4);
    assert_all_near(y, stiff_root(k), 1e-13);
  }
}

// Ten orders above the residual.
static void wall_slope(const Toy *toy, const double *y, double *jacobian) {
  (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    jacobian[i * TOY_SIZE + i] = 1e10 * toy->number[0];
}

// Residual and round-off follow the guess.
static StStatus huge(const Toy *toy, const double *y, double *r) {
  for (int i = 0; i < TOY_SIZE; i++)
    r[i] = toy->number[0] * (y[i] / 1e80);
  return ST_OK;
}

// A residual that no step lowers, with a Jacobian so large that the correction asked for is
// negligible: not solved, whatever its size.
static void a_small_correction_proves_nothing(void **state) {
  (void)state;
  const double size[] = {6e85, 1e9, 0.05, 1e-8};
  for (int i = 0; i < 8; i++) {
    Toy toy = {.residual = constant,
               .slope = wall_slope,
               .number = {size[i / 2], size[i / 2]},
               .ulp = i % 2 ? 1e-16 : 0};
    double y[TOY_SIZE];
    set_all(y, 1);
    StNewtonResult result = ends_with(ST_NEWTON_NO_DESCENT, &toy, &EXACT, y);
    assert_int_equal(result.iterations, 0);
    assert_true(fabs(result.residual / size[i / 2] - sqrt(3)) < 1e-15); // of a row
    assert_all_near(y, 1, 0);
  }
}

// From a first guess so large that corrections vanish in its last digit nothing can be known,
// whether that digit is felt in the residual or drowns it.
static void a_huge_first_guess_is_not_the_solution(void **state) {
  (void)state;
  const double ulp[] = {1e-16, 100};
  for (int i = 0; i < 2; i++) {
    Toy toy = {.residual = huge, .slope = wall_slope, .number = {6e85}, .ulp = ulp[i]};
    double y[TOY_SIZE];
    set_all(y, 1e80);
    StNewtonResult result = ends_with(ST_NEWTON_NO_DESCENT, &toy, &EXACT, y);
    assert_true(result.residual >= 1e85);
  }
}

// A direction that is not quite Newton's says nothing by being small.
static void rough_directions_prove_nothing(void **state) {
  (void)state;
  const double k = 1e12;
  StNewtonOptions options = EXACT;
  options.rough = true;
  Toy toy = {.residual = stiff, .slope = stiff_slope, .number = {k}, .ulp = 1e-15};
  double y[TOY_SIZE];
  set_all(y, 0.3);
  ends_with(ST_NEWTON_NO_DESCENT, &toy, &options, y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converges_at_round_off),
      cmocka_unit_test(finds_what_round_off_hides),
      cmocka_unit_test(descent_converges_at_round_off),
      cmocka_unit_test(a_small_correction_proves_nothing),
      cmocka_unit_test(a_huge_first_guess_is_not_the_solution),
      cmocka_unit_test(rough_directions_prove_nothing),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
