// Keyframed motion: positions at and between keys, and velocities that are the exact derivative.
#include "model/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

static double times[] = {1, 2, 4, 4.5};
static double shifts[] = {0, 0, 0, 1, 0, -2, 3, 5, -2, 2, 5, -4};
static double angles[] = {0, PI / 2, 2 * PI, 3};

static StMotion sample(StInterpolation interpolation, bool extend) {
  StMotion motion = {.axis = {0, 0.6, 0.8}, .centre = {1, 2, 3}};
  assert_int_equal(
      st_motion_set_keys(&motion, 4, times, shifts, angles, interpolation, extend, NULL), ST_OK);
  return motion;
}

static void assert_near(const double *a, const double *b, double tolerance) {
  for (int k = 0; k < 3; k++)
    if (!(fabs(a[k] - b[k]) <= tolerance))
      fail_msg("component %d: %.17g, not %.17g", k, a[k], b[k]);
}

static void test_without_keys(void **state) {
  (void)state;
  StMotion motion = {0};
  const double X[3] = {1, -2, 3}, zero[3] = {0};
  double x[3], v[3];
  st_motion_at(&motion, 7, X, x, v);
  assert_near(x, X, 0);
  assert_near(v, zero, 0);
  assert_true(st_motion_speed(&motion, 1, 1) == 0);
}

static void test_values_at_keys(void **state) {
  (void)state;
  for (int kind = ST_LINEAR; kind <= ST_CUBIC; kind++) {
    StMotion motion = sample((StInterpolation)kind, false);
    for (int i = 0; i < 4; i++) {
      double x[3], v[3];
      st_motion_at(&motion, times[i], motion.centre, x, v);
      double wanted[3];
      for (int k = 0; k < 3; k++)
        wanted[k] = motion.centre[k] + shifts[3 * i + k];
      assert_near(x, wanted, 1e-15);
    }
    st_motion_free(&motion);
  }
}

static void test_quarter_turn(void **state) {
  (void)state;
  double time[] = {0, 1}, shift[6] = {0}, angle[] = {0, PI / 2};
  StMotion motion = {.axis = {0, 0, 1}, .centre = {1, 0, 0}};
  st_motion_set_keys(&motion, 2, time, shift, angle, ST_LINEAR, false, NULL);
  const double X[3] = {3, 0, 5}, end[3] = {1, 2, 5},
               half_speed[3] = {-PI / sqrt(2), PI / sqrt(2), 0};
  double x[3], v[3];
  st_motion_at(&motion, 1, X, x, v);
  assert_near(x, end, 1e-15);
  st_motion_at(&motion, 0.5, X, x, v);
  assert_near(v, half_speed, 1e-14);
  assert_true(fabs(st_motion_speed(&motion, 2, 1) - PI) < 1e-15);
  st_motion_free(&motion);
}

static void test_velocity_is_the_derivative(void **state) {
  (void)state;
  const double X[3] = {4, -1, 2};
  for (int kind = ST_LINEAR; kind <= ST_CUBIC; kind++) {
    StMotion motion = sample((StInterpolation)kind, true);
    for (double t = 0.513; t < 6; t += 0.0977) {
      double h = 1e-4, x[4][3], v[3], ignored[3], difference[3];
      const double at[4] = {t - 2 * h, t - h, t + h, t + 2 * h};
      bool near_key = false;
      for (int i = 0; i < 4; i++) {
        st_motion_at(&motion, at[i], X, x[i], ignored);
        near_key = near_key || fabs(t - times[i]) < 3 * h;
      }
      st_motion_at(&motion, t, X, ignored, v);
      for (int k = 0; k < 3; k++)
        difference[k] = (x[0][k] - 8 * x[1][k] + 8 * x[2][k] - x[3][k]) / (12 * h);
      if (!near_key)
        assert_near(v, difference, 1e-9);
    }
    st_motion_free(&motion);
  }
}

static void test_rest_before_and_after(void **state) {
  (void)state;
  const double X[3] = {4, -1, 2}, zero[3] = {0};
  double first[3], last[3], x[3], v[3];
  StMotion motion = sample(ST_LINEAR, false);
  st_motion_at(&motion, times[0], X, first, v);
  st_motion_at(&motion, 0, X, x, v);
  assert_near(x, first, 0);
  assert_near(v, zero, 0);
  st_motion_at(&motion, times[3], X, last, v);
  st_motion_at(&motion, 99, X, x, v);
  assert_near(x, last, 0);
  assert_near(v, zero, 0);
  st_motion_free(&motion);
}

static void test_extension(void **state) {
  (void)state;
  StMotion motion = sample(ST_LINEAR, true);
  double x[3], v[3];
  const double wanted[3] = {1 + 2 - 2, 2 + 5, 3 - 4 - 4}, speed[3] = {-2, 0, -4};
  st_motion_at(&motion, 5.5, motion.centre, x,
               v); // a second and twice the last interval's shift on
  assert_near(x, wanted, 1e-14);
  assert_near(v, speed, 1e-14);
  st_motion_free(&motion);
}

// Continuous velocity, at rest at both ends, and no overshoot between keys.
static void test_smoothness(void **state) {
  (void)state;
  StMotion motion = sample(ST_SMOOTH, false);
  const double X[3] = {1, 2, 3}, zero[3] = {0};
  double x[3], before[3], after[3];
  for (int i = 0; i < 4; i++) {
    st_motion_at(&motion, times[i] - 1e-9, X, x, before);
    st_motion_at(&motion, times[i] + 1e-9, X, x, after);
    assert_near(before, after, 1e-6);
    if (i == 0 || i == 3)
      assert_near(after, zero, 1e-6);
  }
  for (double t = 2; t <= 4; t += 0.01) {
    st_motion_at(&motion, t, X, x, after);
    assert_true(x[0] >= 2 - 1e-12 && x[0] <= 4 + 1e-12);
    assert_true(fabs(x[2] - 1) < 1e-12); // equal keys stay put
  }
  st_motion_free(&motion);
}

// Spun up from 0 to 3 rad/s in 2 s, down to -1 rad/s in one more, then on and on.
static void test_spin_over_time(void **state) {
  (void)state;
  double time[] = {0, 2, 3}, angle[] = {0, 3, 4}, spin[] = {0, 3, -1};
  StMotion motion = {
      .angle = {.key_count = 3, .time = time, .value = angle, .rate = spin, .extend = true},
      .axis = {0, 0, 1}};
  const struct {
    double time, angle, spin;
  } wanted[] = {{0, 0, 0},        {1, 0.75, 1.5}, {2, 3, 3}, {2.5, 4, 1},
                {2.75, 4.125, 0}, {3, 4, -1},     {5, 2, -1}};
  for (int i = 0; i < (int)(sizeof wanted / sizeof wanted[0]); i++) {
    const double X[3] = {1, 0, 2};
    double a = wanted[i].angle, x[3], v[3];
    st_motion_at(&motion, wanted[i].time, X, x, v);
    assert_near(x, (double[3]){cos(a), sin(a), 2}, 1e-15);
    assert_near(v, (double[3]){-wanted[i].spin * sin(a), wanted[i].spin * cos(a), 0}, 4e-15);
  }
  assert_true(st_motion_speed(&motion, 2, 5) == 6);
}

// A quarter of a turn about z per second through (1, 0, 0), which itself goes up; no answer from 2
// s.
static bool drive(void *context, double t, StRigidPose *pose) {
  const double rate = *(double *)context;
  double c = cos(rate * t), s = sin(rate * t);
  *pose = (StRigidPose){.rotation = {c, -s, 0, s, c, 0, 0, 0, 1},
                        .shift = {1 - c, -s, t},
                        .velocity = {0, 0, 1},
                        .spin = {0, 0, rate},
                        .pivot = {1, 0, t}};
  return t < 2;
}

static void test_driver(void **state) {
  (void)state;
  double rate = acos(0), x[3], v[3];
  StDriver driver = {.pose = drive, .context = &rate};
  StMotion motion = {.driver = &driver};
  assert_true(st_motion_moves(&motion));
  st_motion_at(&motion, 1, (double[3]){3, 0, 0}, x, v);
  assert_near(x, (double[3]){1, 2, 1}, 1e-15);
  assert_near(v, (double[3]){-2 * rate, 0, 1}, 1e-15);
  assert_false(driver.failed);
  st_motion_at(&motion, 2, (double[3]){3, 0, 0}, x, v);
  assert_true(driver.failed);
  assert_false(st_motion_moves(&(StMotion){0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_keys),
      cmocka_unit_test(test_values_at_keys),
      cmocka_unit_test(test_quarter_turn),
      cmocka_unit_test(test_velocity_is_the_derivative),
      cmocka_unit_test(test_rest_before_and_after),
      cmocka_unit_test(test_extension),
      cmocka_unit_test(test_smoothness),
      cmocka_unit_test(test_spin_over_time),
      cmocka_unit_test(test_driver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
