// The pairs of boxes that meet are those that a comparison of all with all finds.
#include "math/box_pairs.h"

#include "base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { BOXES = 300 };

static double draw(uint32_t *seed) {
  *seed = 1664525 * *seed + 1013904223;
  return *seed / 4294967296.0;
}

static bool meet(const double *a, const double *b) {
  for (int c = 0; c < 3; c++)
    if (a[c] > b[c + 3] || b[c] > a[c + 3])
      return false;
  return true;
}

// Coordinates on a grid, so that many boxes touch exactly.
static void expect_all_pairs(uint32_t seed, const double wide[3]) {
  static double box[6 * BOXES];
  StBoxPairs pairs = {0};
  size_t at = 0;
  for (int i = 0; i < BOXES; i++)
    for (int c = 0; c < 3; c++) {
      box[6 * i + c] = floor(wide[c] * draw(&seed));
      box[6 * i + c + 3] = box[6 * i + c] + floor(4 * draw(&seed));
    }
  for (int c = 0; c < 3; c++) { // one that is empty
    box[6 * 17 + c] = INFINITY;
    box[6 * 17 + c + 3] = -INFINITY;
  }
  assert_true(st_box_pairs_find(BOXES, box, &pairs));
  for (int a = 0; a < BOXES; a++)
    for (int b = a + 1; b < BOXES; b++)
      if (a != 17 && b != 17 && meet(box + 6 * a, box + 6 * b)) {
        assert_true(at < pairs.count);
        assert_int_equal(pairs.pair[at][0], a);
        assert_int_equal(pairs.pair[at++][1], b);
      }
  assert_int_equal(at, pairs.count);
  st_box_pairs_free(&pairs);
}

static void test_random(void **state) {
  (void)state;
  static const double WIDE[][3] = {{40, 40, 40}, {200, 1, 1}, {1, 3, 300}, {1, 1, 1}};
  for (int i = 0; i < ST_LENGTH(WIDE); i++)
    for (uint32_t seed = 1; seed < 20; seed++)
      expect_all_pairs(seed, WIDE[i]);
}

static void test_none(void **state) {
  (void)state;
  StBoxPairs pairs = {0};
  assert_true(st_box_pairs_find(0, NULL, &pairs));
  assert_int_equal(pairs.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
