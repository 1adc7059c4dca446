// The point contact: eigenvalues against the characteristic polynomial, the threshold, spectral
// radii against closed forms and against the motion itself, step by step.
#include "point.h"

#include "support/experiment.h"

static const PointMethod *method(const char *name) {
  for (int m = 0; m < POINT_METHODS; m++)
    if (strcmp(point_methods[m].name, name) == 0)
      return &point_methods[m];
  fail_msg("there is no method %s", name);
  return NULL;
}

static Point sample(double friction) {
  Point point = {.mass = 1, .contact_stiffness = 18e3, .damping = 1.7, .friction = friction};
  point_support(&point, 3e4, 1e4, -10 * M_PI / 180);
  return point;
}

static void must(StictionStatus status) {
  if (status != STICTION_OK)
    fail_msg("%s", stiction_error(NULL));
}

static double factor(Stiction *session, const Point *point, const char *name, double h) {
  PointScene scene;
  double found;
  must(point_open(session, point, method(name), &scene));
  must(point_amplification(&scene, h, &found));
  point_close(&scene);
  return found;
}

// det(m λ² + c λ + K) = 0
static void eigenvalues_are_roots(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) {
    Point point = sample(0.1 * i);
    double complex root[4];
    point_eigenvalues(&point, root);
    double kc = point.contact_stiffness, mu = point.friction;
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
  Point point = sample(0);
  point.damping = 0;
  double threshold = point_threshold(&point);
  assert_true(threshold > 0.1 && threshold < 0.3);
  point.friction = 0.999 * threshold;
  assert_true(point_growth(&point) < 1e-9);
  point.friction = 1.001 * threshold;
  assert_true(point_growth(&point) > 0.1);
  // Leaning the other way, it never does.
  point_support(&point, 3e4, 1e4, 10 * M_PI / 180);
  point.friction = 5;
  assert_true(isinf(point_threshold(&point)));
  assert_true(point_growth(&point) < 1e-9);
}

// Without friction and damping, on a support that is the same in all directions: the motion along
// the belt is the slower one, which steps damp least, and textbooks have its factors. Differences
// of steps have seven digits.
static void factors_are_those_of_textbooks(void **state) {
  Point point = {.mass = 2, .contact_stiffness = 8000};
  point_support(&point, 800, 800, 0);
  const double w = 20, hw[] = {0.1, 1, 10};
  for (int i = 0; i < 3; i++) {
    double h = hw[i] / w;
    assert_true(fabs(factor(*state, &point, "be", h) - 1 / sqrt(1 + hw[i] * hw[i])) < 1e-6);
    assert_true(fabs(factor(*state, &point, "tr", h) - 1) < 1e-6);
    // Both have the same stability function.
    double one = factor(*state, &point, "tr_bdf2", h), other = factor(*state, &point, "sdirk2", h);
    assert_true(fabs(one - other) < 1e-6);
    assert_true(one < 1);
  }
}

// Growth of a vibration under bdf2 with λ h = i y: the largest root of (3 − 2iy) z² − 4z + 1 = 0.
static void two_steps_are_those_of_textbooks(void **state) {
  Point point = {.mass = 2, .contact_stiffness = 800};
  point_support(&point, 800, 800, 0);
  const double hw[] = {0.1, 0.5, 2, 10};
  for (int i = 0; i < 4; i++) {
    double largest = 0;
    for (int fast = 0; fast < 2; fast++) { // along the belt, and across with the contact
      double y = hw[i] * (fast ? sqrt(2) : 1);
      double complex a = 3 - 2 * I * y, root = csqrt(16 - 4 * a);
      largest = fmax(largest, fmax(cabs((4 + root) / (2 * a)), cabs((4 - root) / (2 * a))));
    }
    assert_true(fabs(factor(*state, &point, "bdf2", hw[i] / 20) - largest) < 1e-6);
  }
}

static void only_stiffly_damping_ones_forget(void **state) {
  Point point = sample(0.5);
  for (int m = 0; m < POINT_METHODS; m++) {
    double found = factor(*state, &point, point_methods[m].name, 900 / 171.0);
    assert_true(point_methods[m].rings ? found > 0.99 : found < 0.03);
  }
}

// The size of a disturbance, as a speed.
static double size_of(const PointState *state) {
  return hypot(171 * hypot(state->q[0], state->q[1]), hypot(state->v[0], state->v[1]));
}

// It grows as the matrix of a step says, over hundreds of steps of the scene: from 1e-9 m on, by
// less than a million.
static void motion_grows_as_computed(void **state) {
  enum { SETTLE = 60, SPAN = 240 };
  Point point = sample(0.5);
  const char *const names[] = {"be", "tr", "bdf2", "tr_bdf2", "sdirk2", "tr_decoupled"};
  for (int m = 0; m < 6; m++) {
    PointScene scene;
    PointState now = {.q = {1e-9, -5e-10}};
    double h = 0.2 / 171, expected, settled = 0;
    must(point_open(*state, &point, method(names[m]), &scene));
    must(point_amplification(&scene, h, &expected));
    must(point_start(&scene, &now));
    for (int i = 0; i < SETTLE + SPAN; i++) {
      must(point_step(&scene, h, &now));
      settled = i == SETTLE - 1 ? size_of(&now) : settled;
    }
    point_close(&scene);
    double found = pow(size_of(&now) / settled, 1.0 / SPAN);
    // The size swings within a turn, by less than two, which counts once in all.
    assert_true(fabs(found / expected - 1) < log(2) / SPAN);
  }
}

// Flutter does not grow without bound: the contact opens or the slip turns round.
static void flutter_ends_in_a_cycle(void **state) {
  Point point = sample(0.5);
  PointScene scene;
  PointState now = {.q = {1e-5, 0}};
  double late = 0;
  must(point_open(*state, &point, method("sdirk2"), &scene));
  must(point_start(&scene, &now));
  for (int i = 0; i < 4000; i++) {
    must(point_step(&scene, 1e-3, &now));
    late = i >= 3000 ? fmax(late, fabs(now.q[0])) : late;
  }
  point_close(&scene);
  assert_true(late > 1e-3 && late < 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvalues_are_roots),
      cmocka_unit_test(it_flutters_beyond_the_threshold),
      cmocka_unit_test(factors_are_those_of_textbooks),
      cmocka_unit_test(two_steps_are_those_of_textbooks),
      cmocka_unit_test(only_stiffly_damping_ones_forget),
      cmocka_unit_test(motion_grows_as_computed),
      cmocka_unit_test(flutter_ends_in_a_cycle),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
