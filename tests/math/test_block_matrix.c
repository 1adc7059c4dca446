// The block matrix against a dense one.
#include "base/memory.h"
#include "math/block_matrix.h"
#include "support/compare.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { COLUMNS = 40, CLIQUES = 60, SIZE = 4 };

static void random_cliques(int *clique) {
  uint64_t state = 5;
  // The last vertices stay out of all cliques: their rows must still have a diagonal.
  for (int i = 0; i < CLIQUES * SIZE; i++)
    clique[i] = (int)random_between(&state, 0, COLUMNS - 3);
}

static bool coupled(const int *clique, int row, int column) {
  if (row == column)
    return true;
  for (int c = 0; c < CLIQUES; c++) {
    bool has_row = false, has_column = false;
    for (int i = 0; i < SIZE; i++) {
      has_row |= clique[c * SIZE + i] == row;
      has_column |= clique[c * SIZE + i] == column;
    }
    if (has_row && has_column)
      return true;
  }
  return false;
}

static void check_pattern(int rows) {
  int clique[CLIQUES * SIZE];
  random_cliques(clique);
  StBlockMatrix *matrix;
  assert_int_equal(st_block_matrix_create(rows, COLUMNS, clique, CLIQUES, SIZE, &matrix, NULL),
                   ST_OK);
  int count = 0;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < COLUMNS; column++) {
      int slot = st_block_matrix_slot(matrix, row, column);
      assert_int_equal(slot >= 0, coupled(clique, row, column));
      if (slot >= 0)
        assert_int_equal(slot, count++); // sorted, without gaps or doubles
    }
  assert_int_equal(matrix->row_start[rows], count);
  assert_int_equal(st_block_matrix_slot(matrix, rows, 0), -1);
  assert_int_equal(st_block_matrix_slot(matrix, -1, 0), -1);
  st_block_matrix_destroy(matrix);
}

static void pattern_follows_cliques(void **unused) {
  (void)unused;
  check_pattern(COLUMNS);
  check_pattern(17);
  check_pattern(0);
}

static void product_agrees_with_dense(void **unused) {
  (void)unused;
  enum { ROWS = 23 };
  int clique[CLIQUES * SIZE];
  random_cliques(clique);
  StBlockMatrix *matrix;
  assert_int_equal(st_block_matrix_create(ROWS, COLUMNS, clique, CLIQUES, SIZE, &matrix, NULL),
                   ST_OK);
  uint64_t state = 3;
  random_fill(&state, -1, 1, 9 * matrix->row_start[ROWS], matrix->value);
  double x[3 * COLUMNS], y[3 * ROWS], dense[3 * ROWS] = {0};
  random_fill(&state, -1, 1, 3 * COLUMNS, x);
  for (int row = 0; row < ROWS; row++)
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          dense[3 * row + i] += matrix->value[9 * e + 3 * i + j] * x[3 * matrix->column[e] + j];
  st_block_matrix_multiply(matrix, x, y);
  assert_true(relative_error(3 * ROWS, y, dense) < 1e-14);

  st_block_matrix_clear(matrix);
  st_block_matrix_multiply(matrix, x, y);
  assert_true(largest(3 * ROWS, y) == 0);
  st_block_matrix_destroy(matrix);
}

static void wrong_cliques_are_a_bug(void **unused) {
  (void)unused;
  StBlockMatrix *matrix;
  StError error;
  const int outside[4] = {0, 1, 2, 3};
  assert_int_equal(st_block_matrix_create(3, 3, outside, 1, 4, &matrix, &error), ST_BUG);
  assert_null(matrix);
  const int negative[4] = {0, 1, -1, 2};
  assert_int_equal(st_block_matrix_create(3, 3, negative, 1, 4, &matrix, &error), ST_BUG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pattern_follows_cliques),
      cmocka_unit_test(product_agrees_with_dense),
      cmocka_unit_test(wrong_cliques_are_a_bug),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
