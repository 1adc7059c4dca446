// Every law in the list: stress against energy, tangent against stress and the tangent's own
// derivative, each by complex numbers and by differences at strongly deformed states.
#include "force/material.h"
#include "support/compare.h"
#include "support/law_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { STATES = 40 };
static const double fractions[] = {0.3, 0.62, 0.85, 0.97};

typedef void LawCheck(const StMaterialLaw *law, const double *k, const double *F);

// Squeezes a deformation evenly to this det F.
static void squeeze(double J, double *F) {
  double factor = cbrt(J / mat3_determinant(F));
  for (int p = 0; p < 9; p++)
    F[p] *= factor;
}

// The same where a guard acts, but not so near to its start that differences reach past it.
static void for_all_guarded_states(LawCheck *check) {
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    uint64_t state = 19;
    for (int n = 0; n < STATES && !(*law)->barrier; n++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], F[9];
      law_sample(*law, fractions[n % 4], value);
      (*law)->prepare(value, k);
      st_material_law_guard(*law, k);
      assert_true(k[ST_LAW_GUARD] > 0);
      random_deformation(&state, false, F);
      squeeze(random_between(&state, 0.4 * ST_GUARD_START, 0.95 * ST_GUARD_START), F);
      check(*law, k, F);
    }
  }
}

// Runs a check for all laws, parameters and random states; inverted ones where the law allows them.
static void for_all_states(LawCheck *check) {
  for_all_guarded_states(check);
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    uint64_t state = 17;
    for (int n = 0; n < STATES; n++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], F[9];
      law_sample(*law, fractions[n % 4], value);
      (*law)->prepare(value, k);
      random_deformation(&state, !(*law)->barrier && n % 3 == 0, F);
      check(*law, k, F);
    }
  }
}

static void stress_by_complex(const StMaterialLaw *law, const double *k, const double *F,
                              double *P) {
  for (int q = 0; q < 9; q++) {
    StDual along[9], W;
    for (int p = 0; p < 9; p++)
      along[p] = s_dual(F[p], p == q);
    law->energy_complex(k, along, &W);
    P[q] = s_derivative(W);
  }
}

static void stress_by_differences(const StMaterialLaw *law, const double *k, const double *F,
                                  double *P) {
  const double h = 1e-3;
  for (int q = 0; q < 9; q++) {
    P[q] = 0;
    for (int s = 0; s < DIFFERENCE_POINTS; s++) {
      double moved[9], W;
      memcpy(moved, F, sizeof moved);
      moved[q] += h * difference_at[s];
      law->energy(k, moved, &W);
      P[q] += difference_weight[s] * W / h;
    }
  }
}

static void check_stress(const StMaterialLaw *law, const double *k, const double *F) {
  double P[9], other[9];
  law->stress(k, F, P);
  stress_by_complex(law, k, F, other);
  assert_true(relative_error(9, P, other) < 1e-12);
  stress_by_differences(law, k, F, other);
  assert_true(relative_error(9, P, other) < 1e-8);
}

static void tangent_by_complex(const StMaterialLaw *law, const double *k, const double *F,
                               double *C) {
  for (int q = 0; q < 9; q++) {
    StDual along[9], P[9];
    for (int p = 0; p < 9; p++)
      along[p] = s_dual(F[p], p == q);
    law->stress_complex(k, along, P);
    for (int p = 0; p < 9; p++)
      C[9 * p + q] = s_derivative(P[p]);
  }
}

static void tangent_by_differences(const StMaterialLaw *law, const double *k, const double *F,
                                   double *C) {
  const double h = 1e-3;
  for (int q = 0; q < 9; q++)
    for (int p = 0; p < 9; p++)
      C[9 * p + q] = 0;
  for (int q = 0; q < 9; q++)
    for (int s = 0; s < DIFFERENCE_POINTS; s++) {
      double moved[9], P[9];
      memcpy(moved, F, sizeof moved);
      moved[q] += h * difference_at[s];
      law->stress(k, moved, P);
      for (int p = 0; p < 9; p++)
        C[9 * p + q] += difference_weight[s] * P[p] / h;
    }
}

static void check_tangent(const StMaterialLaw *law, const double *k, const double *F) {
  double C[81], other[81];
  law->tangent(k, F, C);
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < p; q++)
      assert_true(fabs(C[9 * p + q] - C[9 * q + p]) <= 1e-13 * largest(81, C));
  tangent_by_complex(law, k, F, other);
  assert_true(relative_error(81, C, other) < 1e-12);
  tangent_by_differences(law, k, F, other);
  assert_true(relative_error(81, C, other) < 1e-8);
}

// The derivative of the tangent along a rate, and its full symmetry.
static void check_third_derivative(const StMaterialLaw *law, const double *k, const double *F) {
  uint64_t state = 23;
  const double h = 1e-3;
  double rate[9], C[81], by_complex[81], by_differences[81] = {0};
  random_fill(&state, -1, 1, 9, rate);
  StDual along[9], T[81];
  for (int p = 0; p < 9; p++)
    along[p] = s_dual(F[p], rate[p]);
  law->tangent_complex(k, along, T);
  for (int p = 0; p < 81; p++)
    by_complex[p] = s_derivative(T[p]);
  for (int s = 0; s < DIFFERENCE_POINTS; s++) {
    double moved[9];
    for (int p = 0; p < 9; p++)
      moved[p] = F[p] + h * difference_at[s] * rate[p];
    law->tangent(k, moved, C);
    for (int p = 0; p < 81; p++)
      by_differences[p] += difference_weight[s] * C[p] / h;
  }
  double scale = largest(81, C);
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) {
      assert_true(fabs(by_complex[9 * p + q] - by_differences[9 * p + q]) < 1e-8 * scale);
      assert_true(fabs(by_complex[9 * p + q] - by_complex[9 * q + p]) < 1e-12 * scale);
    }
}

// Batches give what single points give, in every lane.
static void check_lanes(const StMaterialLaw *law, const double *k, const double *F) {
  StLanes lanes[9], W, P[9], C[81];
  for (int p = 0; p < 9; p++)
    for (int lane = 0; lane < ST_LANES; lane++)
      lanes[p][lane] = F[p] * (1 + 0.01 * lane);
  law->energy_lanes(k, lanes, &W);
  law->stress_lanes(k, lanes, P);
  law->tangent_lanes(k, lanes, C);
  for (int lane = 0; lane < ST_LANES; lane++) {
    double at[9], stress[9], tangent[81], energy, P_lane[9], C_lane[81];
    for (int p = 0; p < 9; p++)
      at[p] = lanes[p][lane], P_lane[p] = P[p][lane];
    for (int p = 0; p < 81; p++)
      C_lane[p] = C[p][lane];
    law->energy(k, at, &energy);
    law->stress(k, at, stress);
    law->tangent(k, at, tangent);
    double scale = fmax(fabs(energy), largest(81, tangent));
    assert_true(fabs(W[lane] - energy) < 1e-13 * scale);
    assert_true(relative_error(9, P_lane, stress) < 1e-12);
    assert_true(relative_error(81, C_lane, tangent) < 1e-12);
  }
}

// A constant changed in the seventh digit on one side must show: the comparison can fail, and the
// two sides are not one function called twice.
static void check_difference_shows(const StMaterialLaw *law, const double *k, const double *F) {
  double by_complex[81], C[81];
  tangent_by_complex(law, k, F, by_complex);
  for (int i = 0; i < ST_LAW_CONSTANTS; i++) {
    if (k[i] == 0)
      continue;
    double changed[ST_LAW_CONSTANTS];
    memcpy(changed, k, sizeof changed);
    changed[i] *= 1 + 1e-6;
    law->tangent(changed, F, C);
    assert_true(relative_error(81, C, by_complex) > 1e-9);
  }
  assert_true((void *)law->tangent != (void *)law->stress_complex);
}

static void stress_is_the_slope_of_energy(void **unused) {
  (void)unused;
  for_all_states(check_stress);
}

static void tangent_is_the_slope_of_stress(void **unused) {
  (void)unused;
  for_all_states(check_tangent);
}

static void third_derivative_is_the_slope_of_tangent(void **unused) {
  (void)unused;
  for_all_states(check_third_derivative);
}

static void batches_agree_with_points(void **unused) {
  (void)unused;
  for_all_states(check_lanes);
}

static void a_wrong_constant_shows(void **unused) {
  (void)unused;
  for_all_states(check_difference_shows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_is_the_slope_of_energy),
      cmocka_unit_test(tangent_is_the_slope_of_stress),
      cmocka_unit_test(third_derivative_is_the_slope_of_tangent),
      cmocka_unit_test(batches_agree_with_points),
      cmocka_unit_test(a_wrong_constant_shows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
