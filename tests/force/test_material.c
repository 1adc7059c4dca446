// What every law in the list must be: described, free of stress at rest, Hooke's law for small
// strains, indifferent to rotation (unless it says it is not), and infinite where it claims a
// barrier or has a guard, which changes nothing elsewhere.
#include "force/material.h"
#include "support/compare.h"
#include "support/law_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double fractions[] = {0.1, 0.4, 2.0 / 3, 0.9, 0.98};

typedef struct Moduli {
  double mu, lambda;
} Moduli;

// Expected at rest, from the parameters. A law with other parameters must be added here.
static Moduli expected_moduli(const StMaterialLaw *law, const double *value) {
  if (strcmp(law->param[0].name, "young") == 0) {
    double young = value[0], poisson = value[1];
    return (Moduli){young / (2 * (1 + poisson)),
                    young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
  }
  assert_string_equal(law->param[0].name, "c10");
  double mu = 2 * (value[0] + value[1]);
  return (Moduli){mu, value[2] - 2 * mu / 3};
}

static void laws_are_described(void **unused) {
  (void)unused;
  assert_string_equal(st_material_laws[0]->name, "neo_hookean");
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    assert_ptr_equal(st_material_law_find((*law)->name), *law);
    assert_true(strlen((*law)->summary) > 20);
    assert_in_range((*law)->param_count, 1, ST_PARAM_MAX);
    for (int i = 0; i < (*law)->param_count; i++) {
      assert_true(strlen((*law)->param[i].doc) > 10);
      assert_true((*law)->param[i].min < (*law)->param[i].max);
    }
  }
  assert_null(st_material_law_find("no such law"));
}

static void poisson_range_is_open(void **unused) {
  (void)unused;
  const StParam *poisson = &st_material_law_find("neo_hookean")->param[1];
  assert_string_equal(poisson->name, "poisson");
  assert_true(poisson->min == -1 && poisson->min_open);
  assert_true(poisson->max == 0.5 && poisson->max_open);
}

static void rest_is_free_of_stress_and_energy(void **unused) {
  (void)unused;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int f = 0; f < 5; f++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], W, P[9];
      law_sample(*law, fractions[f], value);
      (*law)->prepare(value, k);
      (*law)->energy(k, rest, &W);
      (*law)->stress(k, rest, P);
      double modulus = (*law)->modulus(k);
      assert_true(fabs(W) < 1e-14 * modulus);
      assert_true(largest(9, P) < 1e-14 * modulus);
    }
}

static double hooke_stress(Moduli m, const double *H, int i, int j) {
  double trace = H[0] + H[4] + H[8];
  return m.mu * (H[3 * i + j] + H[3 * j + i]) + (i == j ? m.lambda * trace : 0);
}

static void check_small_strain(const StMaterialLaw *law, const double *k, Moduli m,
                               const double *H) {
  const double small = 1e-6;
  double pulled[9], pushed[9], P[9], Q[9], C[81], hooke[9], by_stress[9], by_tangent[9];
  for (int p = 0; p < 9; p++) {
    pulled[p] = rest[p] + small * H[p];
    pushed[p] = rest[p] - small * H[p];
  }
  law->stress(k, pulled, P);
  law->stress(k, pushed, Q);
  law->tangent(k, rest, C);
  for (int p = 0; p < 9; p++) {
    hooke[p] = hooke_stress(m, H, p / 3, p % 3);
    by_stress[p] = (P[p] - Q[p]) / (2 * small);
    by_tangent[p] = 0;
    for (int q = 0; q < 9; q++)
      by_tangent[p] += C[9 * p + q] * H[q];
  }
  assert_true(relative_error(9, by_stress, hooke) < 1e-7);
  assert_true(relative_error(9, by_tangent, hooke) < 1e-12);
}

static void small_strains_obey_hooke(void **unused) {
  (void)unused;
  uint64_t state = 29;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int n = 0; n < 50; n++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], H[9];
      law_sample(*law, fractions[n % 5], value);
      (*law)->prepare(value, k);
      Moduli m = expected_moduli(*law, value);
      random_fill(&state, -1, 1, 9, H);
      check_small_strain(*law, k, m, H);
      assert_true(fabs((*law)->modulus(k) / (m.lambda + 2 * m.mu) - 1) < 1e-12);
    }
}

static void check_rotation(const StMaterialLaw *law, const double *k, const double *F,
                           const double *R) {
  double RF[9], P[9], RP[9], P_of_RF[9], W, W_of_RF;
  mat3_product(R, F, RF);
  law->energy(k, F, &W);
  law->energy(k, RF, &W_of_RF);
  law->stress(k, F, P);
  law->stress(k, RF, P_of_RF);
  mat3_product(R, P, RP);
  double energy_error = fabs(W_of_RF - W) / fabs(W), stress_error = relative_error(9, P_of_RF, RP);
  if (law->rotation_invariant) {
    assert_true(energy_error < 1e-12);
    assert_true(stress_error < 1e-12);
  } else {
    assert_true(energy_error > 1e-3); // or the flag is wrong
  }
}

static void rotation_changes_nothing(void **unused) {
  (void)unused;
  uint64_t state = 31;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int n = 0; n < 50; n++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], F[9], R[9];
      law_sample(*law, fractions[n % 5], value);
      (*law)->prepare(value, k);
      random_deformation(&state, false, F);
      random_rotation(&state, R);
      check_rotation(*law, k, F, R);
    }
}

static void check_closed(const StMaterialLaw *law, const double *k, const double *F) {
  const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
  const double *state[] = {F, flat};
  for (int i = 0; i < 2; i++) {
    double W, P[9];
    law->energy(k, state[i], &W);
    law->stress(k, state[i], P);
    bool finite = !st_material_law_is_closed(law, k);
    assert_int_equal(isfinite(W), finite);
    assert_int_equal(isfinite(largest(9, P)), finite);
  }
}

static void barriers_and_guards_hold(void **unused) {
  (void)unused;
  uint64_t state = 37;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int n = 0; n < 20; n++) {
      double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], F[9];
      law_sample(*law, fractions[n % 5], value);
      (*law)->prepare(value, k);
      random_deformation(&state, true, F);
      assert_int_equal(st_material_law_is_closed(*law, k), (*law)->barrier);
      check_closed(*law, k, F);
      st_material_law_guard(*law, k);
      assert_true(st_material_law_is_closed(*law, k));
      check_closed(*law, k, F);
    }
}

// Flattened along one axis to these heights: from each to the next a tenth, the energy that a guard
// adds becomes ten times as large in the end.
static void energy_grows_without_bound(void **unused) {
  (void)unused;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    double value[ST_PARAM_MAX], k[ST_LAW_CONSTANTS], W = 0, before;
    law_sample(*law, 0.8, value);
    (*law)->prepare(value, k);
    st_material_law_guard(*law, k);
    for (double height = 0.1; height > 1e-12; height *= 0.1) {
      const double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, height};
      before = W;
      (*law)->energy(k, F, &W);
      assert_true(W > before);
      if (!(*law)->barrier && height < 1e-6)
        assert_true(fabs(W / before - 10) < 1e-3);
    }
  }
}

static void eight_of(const double F[9], const double other[9], StLanes out[9]) {
  for (int p = 0; p < 9; p++)
    for (int lane = 0; lane < ST_LANES; lane++)
      out[p][lane] = lane == 3 ? other[p] : F[p];
}

// To the last bit, also beside an element that needs its guard.
static void check_untouched(const StMaterialLaw *law, const double *plain, const double *k,
                            const double *F) {
  const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.05};
  StLanes lanes[9], W[2], P[2][9], C[2][81];
  double w[2], p[2][9], c[2][81];
  const double *constants[] = {plain, k};
  eight_of(F, flat, lanes);
  for (int i = 0; i < 2; i++) {
    law->energy(constants[i], F, &w[i]);
    law->stress(constants[i], F, p[i]);
    law->tangent(constants[i], F, c[i]);
    law->energy_lanes(constants[i], lanes, &W[i]);
    law->stress_lanes(constants[i], lanes, P[i]);
    law->tangent_lanes(constants[i], lanes, C[i]);
  }
  assert_true(w[0] == w[1] && W[0][0] == W[1][0] && W[0][3] < W[1][3]);
  for (int q = 0; q < 81; q++)
    assert_true(c[0][q] == c[1][q] && C[0][q][0] == C[1][q][0]);
  for (int q = 0; q < 9; q++)
    assert_true(p[0][q] == p[1][q] && P[0][q][0] == P[1][q][0]);
}

static void guards_change_nothing_above_their_start(void **unused) {
  (void)unused;
  uint64_t state = 41;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int n = 0; n < 50 && !(*law)->barrier; n++) {
      double value[ST_PARAM_MAX], plain[ST_LAW_CONSTANTS], k[ST_LAW_CONSTANTS], F[9];
      law_sample(*law, fractions[n % 5], value);
      (*law)->prepare(value, plain);
      (*law)->prepare(value, k);
      st_material_law_guard(*law, k);
      do
        random_deformation(&state, false, F);
      while (mat3_determinant(F) <= ST_GUARD_START);
      check_untouched(*law, plain, k, n == 0 ? rest : F);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_are_described),
      cmocka_unit_test(poisson_range_is_open),
      cmocka_unit_test(rest_is_free_of_stress_and_energy),
      cmocka_unit_test(small_strains_obey_hooke),
      cmocka_unit_test(rotation_changes_nothing),
      cmocka_unit_test(barriers_and_guards_hold),
      cmocka_unit_test(energy_grows_without_bound),
      cmocka_unit_test(guards_change_nothing_above_their_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
