// Signs of determinants against 128-bit integers: random, degenerate and almost degenerate.
#include "judge/orient.h"

#include "support/whole_numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { TRIALS = 20000 };

static void check(const double p[4][3], double scale, int *zeros) {
  int expected = whole_orient(p[0], p[1], p[2], p[3]), quick = 2;
  double scaled[4][3];
  for (int i = 0; i < 12; i++)
    scaled[i / 3][i % 3] = scale * p[i / 3][i % 3];
  assert_int_equal(st_orient(scaled[0], scaled[1], scaled[2], scaled[3]), expected);
  if (st_orient_quick(scaled[0], scaled[1], scaled[2], scaled[3], &quick))
    assert_int_equal(quick, expected);
  *zeros += expected == 0;
}

static void test_random(void **state) {
  (void)state;
  static const double range[] = {2, 1000, 0x1p20, 0x1p38};
  static const double scale[] = {1, 0x1p-60, 0x1p-200, 0x1p150};
  uint64_t seed = 4711;
  for (int r = 0; r < 4; r++) {
    int zeros = 0;
    for (int k = 0; k < TRIALS; k++) {
      double p[4][3];
      for (int i = 0; i < 4; i++)
        whole_point(&seed, range[r], p[i]);
      check(p, scale[k % 4], &zeros);
    }
    if (r == 0)
      assert_in_range(zeros, TRIALS / 100, TRIALS);
  }
}

// The fourth point in the plane of the others, and one rounding beside it along an axis, which is
// more than plain arithmetic can tell. The determinant is then that of the axis' component of the
// triangle's normal alone.
static void test_nearly_flat(void **state) {
  (void)state;
  uint64_t seed = 1234;
  int zeros = 0, unsure = 0;
  for (int k = 0; k < TRIALS; k++) {
    double p[4][3];
    Whole e[3], f[3];
    int axis = k % 3, j = (axis + 1) % 3, l = (axis + 2) % 3, side = k % 2 ? 1 : -1, sign;
    for (int i = 0; i < 3; i++)
      whole_point(&seed, 0x1p18, p[i]);
    int u = (int)random_between(&seed, -3, 4), v = (int)random_between(&seed, -3, 4);
    for (int c = 0; c < 3; c++)
      p[3][c] = p[0][c] + u * (p[1][c] - p[0][c]) + v * (p[2][c] - p[0][c]);
    check(p, 1, &zeros);
    p[3][axis] += side * 0x1p-30;
    whole_difference(p[1], p[0], e);
    whole_difference(p[2], p[0], f);
    int normal = whole_sign(e[j] * f[l] - e[l] * f[j]);
    assert_int_equal(st_orient(p[0], p[1], p[2], p[3]), -side * normal);
    unsure += !st_orient_quick(p[0], p[1], p[2], p[3], &sign);
  }
  assert_int_equal(zeros, TRIALS);
  assert_in_range(unsure, TRIALS / 2, TRIALS);
}

// Differences that are not doubles: coordinates of very different size.
static void test_tails(void **state) {
  (void)state;
  double a[3] = {1, 0, 0}, b[3] = {0, 1, 0}, c[3] = {0, 0, 1}, far[3] = {0x1p70, -0x1p70, 1};
  // a + b + c - far·1 = 0 on the plane x + y + z = 1, which far lies on exactly.
  assert_int_equal(st_orient(a, b, c, far), 0);
  far[2] = nextafter(1, 2);
  assert_int_equal(st_orient(a, b, c, far), -1);
  far[2] = nextafter(1, 0);
  assert_int_equal(st_orient(a, b, c, far), 1);
}

// Exchanging two points changes the sign, whatever the numbers.
static void test_antisymmetric(void **state) {
  (void)state;
  uint64_t seed = 99;
  for (int k = 0; k < TRIALS; k++) {
    double p[4][3];
    random_fill(&seed, -1, 1, 12, &p[0][0]);
    for (int c = 0; c < 3; c++) // nearly in the plane
      p[3][c] = (p[0][c] + p[1][c] + p[2][c]) / 3;
    int sign = st_orient(p[0], p[1], p[2], p[3]);
    assert_int_equal(st_orient(p[1], p[0], p[2], p[3]), -sign);
    assert_int_equal(st_orient(p[0], p[1], p[3], p[2]), -sign);
    assert_int_equal(st_orient(p[3], p[2], p[1], p[0]), sign);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_nearly_flat),
      cmocka_unit_test(test_tails),
      cmocka_unit_test(test_antisymmetric),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
