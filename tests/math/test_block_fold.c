// PᵀAP against the same product of dense matrices, for two patterns one after the other.
#include "base/memory.h"
#include "math/block_fold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { ALL = 7, KEPT = 4 };

// Vertices 4, 5 and 6 are carried by 0 … 3; all rows are ours.
static const int start[ALL + 1] = {0, 1, 2, 3, 4, 8, 12, 14};
static const int target[14] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 1, 3};
static const double weight[14] = {1, 1, 1, 1, 0.4, 0.3, 0.2, 0.1, -0.5, 0.5, 0.25, 0.75, 2, -1};

static double P(int row, int column) {
  for (int e = start[row]; e < start[row + 1]; e++)
    if (target[e] == column)
      return weight[e];
  return 0;
}

static void check(const StBlockMatrix *full, const StBlockMatrix *folded) {
  double dense[3 * KEPT][3 * KEPT] = {{0}}, seen[3 * KEPT][3 * KEPT] = {{0}};
  for (int i = 0; i < ALL; i++)
    for (int k = full->row_start[i]; k < full->row_start[i + 1]; k++)
      for (int a = 0; a < KEPT; a++)
        for (int b = 0; b < KEPT; b++)
          for (int e = 0; e < 9; e++)
            dense[3 * a + e / 3][3 * b + e % 3] +=
                P(i, a) * P(full->column[k], b) * full->value[9 * k + e];
  for (int a = 0; a < KEPT; a++)
    for (int k = folded->row_start[a]; k < folded->row_start[a + 1]; k++)
      for (int e = 0; e < 9; e++)
        seen[3 * a + e / 3][3 * folded->column[k] + e % 3] = folded->value[9 * k + e];
  for (int i = 0; i < 9 * KEPT * KEPT; i++)
    assert_true(fabs((&dense[0][0])[i] - (&seen[0][0])[i]) < 1e-13);
}

static void fill(StBlockMatrix *matrix) {
  for (int k = 0; k < 9 * matrix->row_start[matrix->row_count]; k++)
    matrix->value[k] = sin(1 + k);
}

static void folds_are_products(void **unused) {
  (void)unused;
  const int few[2][2] = {{0, 1}, {2, 4}}, more[2] = {5, 6};
  const StFoldMap map = {KEPT, KEPT, start, target, weight};
  StBlockMatrix *full;
  StBlockFold *fold;
  bool changed;
  assert_int_equal(st_block_matrix_create(ALL, ALL, &few[0][0], 2, 2, &full, NULL), ST_OK);
  assert_int_equal(st_block_fold_create(&map, &fold, NULL), ST_OK);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(st_block_fold_fit(fold, full, &changed, NULL), ST_OK);
    assert_true(changed == (round == 0)); // four carriers couple already
    fill(full);
    st_block_fold_add(fold, full);
    check(full, st_block_fold_matrix(fold));
    assert_int_equal(st_block_matrix_fit(full, &(StCliques){(size_t[2]){0, 2}, NULL, more, 1}, true,
                                         &changed, NULL, NULL),
                     ST_OK);
  }
  st_block_fold_destroy(fold);
  st_block_matrix_destroy(full);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds_are_products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
