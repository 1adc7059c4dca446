// Counting folds: what stands out on both sides counts, once, at its true height.
#include "folds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void check(const double *height, int count, int folds, double tallest) {
  Folds found = folds_count(height, count, 1);
  assert_int_equal(found.count, folds);
  assert_true(fabs(found.tallest - tallest) < 1e-12);
}

static void peaks_are_counted(void **state) {
  (void)state;
  const double one[] = {0, 1, 3, 2, 0};
  const double two[] = {0, 2, 0.5, 5, 5, 0};
  const double uneven[] = {0, 6, 4, 3.5, 8, 1};
  check(one, 5, 1, 3);
  check(two, 6, 2, 4.5);
  check(uneven, 6, 2, 4.5); // 6 above 3.5 on its lower side, 8 above 3.5 and 1
}

static void ripples_and_ends_are_not(void **state) {
  (void)state;
  const double ripple[] = {0, 0.9, 0, 0.9, 0};
  const double on_the_way[] = {0, 1, 2, 1.5, 3, 2.5, 4, 0};
  const double flared[] = {4, 2, 0, 0.5, 0, 3, 5};
  check(ripple, 5, 0, 0);
  check(on_the_way, 8, 1, 4);
  check(flared, 7, 0, 0);
  check(ripple, 1, 0, 0);
  check(ripple, 0, 0, 0);
}

// A wave has as many folds as periods, however finely it is seen.
static void counts_do_not_depend_on_sampling(void **state) {
  (void)state;
  double height[400];
  for (int count = 50; count <= 400; count *= 2) {
    for (int i = 0; i < count; i++)
      height[i] = 1.5 * (1 - cos(2 * M_PI * 6 * i / (count - 1)));
    Folds found = folds_count(height, count, 1);
    assert_int_equal(found.count, 6);
    assert_true(fabs(found.tallest - 3) < 0.1);
  }
}

static void heights_are_distances_to_the_line(void **state) {
  (void)state;
  const double line[] = {0, 0, 0, 1, 0, 0, 1, 0, 1};
  const double point[] = {0.5, 0, 0.25, 1, 3, 0.5, -3, 4, 0, 1, 0, 2};
  double height[4];
  folds_heights(point, 4, line, 3, height);
  const double expected[] = {0.25, 3, 5, 1};
  for (int i = 0; i < 4; i++)
    assert_true(fabs(height[i] - expected[i]) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(peaks_are_counted),
      cmocka_unit_test(ripples_and_ends_are_not),
      cmocka_unit_test(counts_do_not_depend_on_sampling),
      cmocka_unit_test(heights_are_distances_to_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
