// The point contact: eigenvalues against the characteristic polynomial, the threshold, spectral
// radii against closed forms and against the motion itself, step by step.
#include "experiment/point.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static StPointContact sample(double friction) {
  StPointContact point = {.mass = 1,
                          .contact_stiffness = 18e3,
                          .normal_force = 50,
                          .belt_speed = 2,
                          .damping = 1.7,
                          .friction = {.dynamic_coefficient = friction,
                                       .static_coefficient = friction,
                                       .sticking_speed = 1e-3,
                                       .stribeck_speed = 1e-2}};
  st_point_support(&point, 3e4, 1e4, -10 * M_PI / 180);
  st_friction_prepare(&point.friction);
  return point;
}

// det(m λ² + c λ + K) = 0
static void eigenvalues_are_roots(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) {
    StPointContact point = sample(0.1 * i);
    double complex root[4];
    st_point_eigenvalues(&point, root);
    double kc = point.contact_stiffness, mu = point.friction.dynamic_coefficient;
    for (int k = 0; k < 4; k++) {
      double complex inertia = point.mass * root[k] * root[k] + point.damping * root[k];
      double complex det = (inertia + point.support[0][0]) * (inertia + point.support[1][1] + kc) -
                           (point.support[0][1] + mu * kc) * point.support[1][0];
      assert_true(cabs(det) < 1e-9 * point.support[0][0] * kc);
    }
  }
}

static void it_flutters_beyond_the_threshold(void **state) {
  (void)state;
  StPointContact point = sample(0);
  point.damping = 0;
  double threshold = st_point_threshold(&point);
  assert_true(threshold > 0.1 && threshold < 0.3);
  point.friction.dynamic_coefficient = 0.999 * threshold;
  assert_true(st_point_growth(&point) < 1e-9);
  point.friction.dynamic_coefficient = 1.001 * threshold;
  assert_true(st_point_growth(&point) > 0.1);
  // Leaning the other way, it never does.
  st_point_support(&point, 3e4, 1e4, 10 * M_PI / 180);
  point.friction.dynamic_coefficient = 5;
  assert_true(isinf(st_point_threshold(&point)));
  assert_true(st_point_growth(&point) < 1e-9);
}

// Without friction and damping, with both modes alike: what textbooks have.
static void factors_are_those_of_textbooks(void **state) {
  (void)state;
  StPointContact point = {.mass = 2, .contact_stiffness = 1e-9};
  st_point_support(&point, 800, 800, 0);
  const double w = 20, hw[] = {0.1, 1, 10};
  for (int i = 0; i < 3; i++) {
    double h = hw[i] / w;
    double be = st_point_amplification(&point, st_integrator_find("be"), h);
    assert_true(fabs(be - 1 / sqrt(1 + hw[i] * hw[i])) < 1e-7);
    assert_true(fabs(st_point_amplification(&point, st_integrator_find("tr"), h) - 1) < 1e-7);
    // Both have the same stability function.
    double one = st_point_amplification(&point, st_integrator_find("tr_bdf2"), h);
    double other = st_point_amplification(&point, st_integrator_find("sdirk2"), h);
    assert_true(fabs(one - other) < 1e-7);
    assert_true(one < 1);
  }
}

static void only_stiffly_damping_ones_forget(void **state) {
  (void)state;
  StPointContact point = sample(0.5);
  double h = 1e4 / 171;
  for (const StIntegrator *one = st_integrators; one->name; one++) {
    double factor = st_point_amplification(&point, one, h);
    assert_true(one->rings ? factor > 0.99 : factor < 0.01);
  }
}

// Energy of a disturbance, for its growth over many steps.
static double size_of(const StPointState *state) {
  return hypot(171 * hypot(state->q[0], state->q[1]), hypot(state->v[0], state->v[1]));
}

static double measured_factor(const StPointContact *point, StPointLaw *law,
                              const StIntegrator *integrator, double h, double start) {
  StPointState state = {.q = {start, -start / 2}, .q_before = {start, -start / 2}};
  double logarithm = 0;
  enum { SETTLE = 400, SPAN = 4000 };
  for (int i = 0; i < SETTLE + SPAN; i++) {
    assert_true(st_point_step(point, law, integrator, h, &state));
    // Kept small, so that the motion stays the linear one.
    double size = size_of(&state), scale = 171 * start / size;
    logarithm += i >= SETTLE ? -log(scale) : 0;
    for (int k = 0; k < 2; k++) {
      state.q[k] *= scale, state.v[k] *= scale;
      state.q_before[k] *= scale, state.v_before[k] *= scale;
    }
  }
  return exp(logarithm / SPAN);
}

// Steps of the whole thing, penalty and friction curve included, against the spectral radius.
static void motion_grows_as_computed(void **state) {
  (void)state;
  const double hw[] = {0.2, 1, 3};
  StPointContact point = sample(0.5);
  for (const StIntegrator *one = st_integrators; one->name; one++)
    for (int i = 0; i < 3; i++) {
      double h = hw[i] / 171, expected = st_point_amplification(&point, one, h);
      double found = measured_factor(&point, st_point_whole, one, h, 1e-9);
      assert_true(fabs(found / expected - 1) < 1e-3);
    }
}

// Flutter does not grow without bound: the contact opens or the slip turns round.
static void flutter_ends_in_a_cycle(void **state) {
  (void)state;
  StPointContact point = sample(0.5);
  const StIntegrator *integrator = st_integrator_find("sdirk2");
  StPointState now = {.q = {1e-6, 0}};
  double early = 0, late = 0;
  for (int i = 0; i < 40000; i++) {
    assert_true(st_point_step(&point, st_point_whole, integrator, 2e-4, &now));
    double size = fabs(now.q[0]);
    early = i < 1000 ? fmax(early, size) : early;
    late = i >= 30000 ? fmax(late, size) : late;
  }
  assert_true(late > 100 * early);
  assert_true(late < 0.05);
}

// Derivatives against differences, where it slides and where it sticks.
static void derivatives_are_right(void **state) {
  (void)state;
  StPointContact point = sample(0.5);
  const double q[2] = {1e-4, -2e-4}, slip[2] = {-0.5, 4e-4};
  for (int s = 0; s < 2; s++)
    for (int axis = 0; axis < 2; axis++) {
      double v[2] = {point.belt_speed + slip[s], 0.1}, step = 1e-8;
      StPointForce at, low, high;
      double moved[2][2] = {{q[0], q[1]}, {q[0], q[1]}};
      st_point_whole(&point, q, v, &at);
      moved[0][axis] -= step, moved[1][axis] += step;
      st_point_whole(&point, moved[0], v, &low);
      st_point_whole(&point, moved[1], v, &high);
      for (int i = 0; i < 2; i++)
        assert_true(fabs((high.force[1][i] - low.force[1][i]) / (2 * step) -
                         at.by_position[1][i][axis]) < 1e-3 * point.contact_stiffness);
      double faster[2] = {v[0], v[1]}, slower[2] = {v[0], v[1]};
      faster[axis] += step, slower[axis] -= step;
      st_point_whole(&point, q, slower, &low);
      st_point_whole(&point, q, faster, &high);
      for (int i = 0; i < 2; i++)
        assert_true(fabs((high.force[1][i] - low.force[1][i]) / (2 * step) -
                         at.by_velocity[1][i][axis]) < 1e-3 * 25 / 1e-3);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvalues_are_roots),
      cmocka_unit_test(it_flutters_beyond_the_threshold),
      cmocka_unit_test(factors_are_those_of_textbooks),
      cmocka_unit_test(only_stiffly_damping_ones_forget),
      cmocka_unit_test(motion_grows_as_computed),
      cmocka_unit_test(flutter_ends_in_a_cycle),
      cmocka_unit_test(derivatives_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
