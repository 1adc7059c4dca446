// The block matrix against a dense one.
#include "base/memory.h"
#include "math/block_matrix.h"
#include "support/compare.h"
#include "support/random.h"

#include <limits.h>
#include <math.h>
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

// Each entry is wrong by half of the last place at most, where it multiplies differences from the
// row's own vertex: what all vertices have in common is multiplied as before.
static void rounded_products_are_near(void **unused) {
  (void)unused;
  int clique[CLIQUES * SIZE];
  random_cliques(clique);
  StBlockMatrix *matrix;
  assert_int_equal(st_block_matrix_create(COLUMNS, COLUMNS, clique, CLIQUES, SIZE, &matrix, NULL),
                   ST_OK);
  uint64_t state = 9;
  int count = 9 * matrix->row_start[COLUMNS];
  double x[3 * COLUMNS], exact[3 * COLUMNS], near[3 * COLUMNS], bound[3 * COLUMNS] = {0};
  random_fill(&state, -1e6, 1e6, count, matrix->value);
  const double common = 1e3, half_a_place = 0x1p-24, places = 0x1p-48;
  for (int i = 0; i < 3 * COLUMNS; i++)
    x[i] = common + random_between(&state, -1, 1);
  for (int row = 0; row < COLUMNS; row++)
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++)
      for (int i = 0; i < 9; i++) {
        double a = fabs(matrix->value[9 * e + i]);
        double apart = fabs(x[3 * matrix->column[e] + i % 3] - x[3 * row + i % 3]);
        bound[3 * row + i / 3] += a * (half_a_place * apart + places * common);
      }
  st_block_matrix_multiply(matrix, x, exact);
  st_block_matrix_round(matrix);
  assert_true(matrix->rounded);
  st_block_matrix_round(matrix); // once is enough
  st_block_matrix_multiply(matrix, x, near);
  double square = 0, most = 0, doubt = st_block_matrix_doubt(matrix, x);
  for (int i = 0; i < 3 * COLUMNS; i++) {
    assert_true(fabs(near[i] - exact[i]) <= 1.01 * bound[i]);
    square += (near[i] - exact[i]) * (near[i] - exact[i]);
    most += bound[i] * bound[i];
  }
  assert_true(square > 0 && doubt <= most);
  assert_true(doubt > 0.1 * square && doubt < 10 * square); // what is expected of many roundings
  st_block_matrix_clear(matrix);
  assert_true(st_block_matrix_doubt(matrix, x) == 0);
  assert_false(matrix->rounded);
  st_block_matrix_multiply(matrix, x, near);
  for (int i = 0; i < 3 * COLUMNS; i++)
    assert_true(near[i] == 0);
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

// The pattern of creation and three more cliques: one with a vertex that is nobody and one with a
// row that is not ours.
enum { ROWS_FIT = 30, MORE = 3 };
static const size_t FIT_START[] = {0, 4, 6, 9};
static const size_t FIT_SLOT[] = {0, 16, 20};
static const int FIT_MEMBER[] = {0, 38, 12, 39, -1, 29, 38, 3, 17};

static bool fits(const int *clique, int first, int count, int row, int column) {
  bool there = coupled(clique, row, column);
  for (int c = first; c < first + count; c++) {
    bool has_row = false, has_column = false;
    for (size_t m = FIT_START[c]; m < FIT_START[c + 1]; m++) {
      has_row |= FIT_MEMBER[m] == row;
      has_column |= FIT_MEMBER[m] == column;
    }
    there |= has_row && has_column;
  }
  return there;
}

static void check_fit(const StBlockMatrix *matrix, const int *clique, int first, int count) {
  int blocks = 0;
  for (int row = 0; row < ROWS_FIT; row++)
    for (int column = 0; column < COLUMNS; column++) {
      int slot = st_block_matrix_slot(matrix, row, column);
      assert_int_equal(slot >= 0, fits(clique, first, count, row, column));
      if (slot >= 0)
        assert_int_equal(slot, blocks++);
    }
  assert_int_equal(matrix->row_start[ROWS_FIT], blocks);
}

static void check_slots(const StBlockMatrix *matrix, const int *slot) {
  for (int c = 0; c < MORE; c++) {
    int size = (int)(FIT_START[c + 1] - FIT_START[c]);
    const int *member = FIT_MEMBER + FIT_START[c];
    for (int k = 0; k < size * size; k++) {
      int row = member[k / size], column = member[k % size];
      int expected = row < 0 || row >= ROWS_FIT ? -7
                     : column < 0               ? -1
                                                : st_block_matrix_slot(matrix, row, column);
      assert_int_equal(slot[FIT_SLOT[c] + (size_t)k], expected);
    }
  }
}

// Blocks of the first pattern are found again, whatever the guess.
static void check_slots_again(const StBlockMatrix *matrix, const int *former) {
  for (int row = 0; row < ROWS_FIT; row++)
    for (int column = 0; column < COLUMNS; column++) {
      int expected = st_block_matrix_slot(matrix, row, column);
      for (int off = -3; off <= 3; off++) {
        int guess = former[row * COLUMNS + column] + off;
        assert_int_equal(st_block_matrix_slot_again(matrix, row, column, guess), expected);
      }
      assert_int_equal(st_block_matrix_slot_again(matrix, row, column, INT_MAX / 2), expected);
    }
  assert_int_equal(st_block_matrix_slot_again(matrix, ROWS_FIT, 0, 0), -1);
}

static void pattern_fits_more_cliques(void **unused) {
  (void)unused;
  int clique[CLIQUES * SIZE], slot[29], former[ROWS_FIT * COLUMNS];
  bool changed;
  random_cliques(clique);
  StBlockMatrix *matrix;
  assert_int_equal(st_block_matrix_create(ROWS_FIT, COLUMNS, clique, CLIQUES, SIZE, &matrix, NULL),
                   ST_OK);
  for (int k = 0; k < ROWS_FIT * COLUMNS; k++)
    former[k] = st_block_matrix_slot(matrix, k / COLUMNS, k % COLUMNS);
  check_slots_again(matrix, former);
  for (int k = 0; k < 29; k++)
    slot[k] = -7; // must stay where rows are not ours
  StCliques all = {FIT_START, FIT_SLOT, FIT_MEMBER, MORE}, none = {FIT_START, NULL, FIT_MEMBER, 0};
  StCliques one = {FIT_START, NULL, FIT_MEMBER, 1};
  assert_int_equal(st_block_matrix_fit(matrix, &all, true, &changed, slot, NULL), ST_OK);
  assert_true(changed);
  check_fit(matrix, clique, 0, MORE);
  check_slots(matrix, slot);
  check_slots_again(matrix, former);
  for (int k = 0; k < 29; k++)
    slot[k] = -7;
  assert_true(st_block_matrix_look_up(matrix, &all, slot));
  check_slots(matrix, slot);
  // The same again changes nothing, with values and all; nor does less while all is kept.
  matrix->value[5] = 3;
  assert_int_equal(st_block_matrix_fit(matrix, &all, false, &changed, slot, NULL), ST_OK);
  assert_false(changed);
  assert_int_equal(st_block_matrix_fit(matrix, &one, true, &changed, NULL, NULL), ST_OK);
  assert_false(changed);
  assert_true(matrix->value[5] == 3);
  // Without keeping, what is not needed goes.
  assert_int_equal(st_block_matrix_fit(matrix, &one, false, &changed, NULL, NULL), ST_OK);
  assert_true(changed && matrix->value[5] == 0);
  check_fit(matrix, clique, 0, 1);
  assert_false(st_block_matrix_look_up(matrix, &all, slot));
  assert_int_equal(st_block_matrix_fit(matrix, &none, false, &changed, NULL, NULL), ST_OK);
  assert_true(changed);
  check_fit(matrix, clique, 0, 0);
  st_block_matrix_destroy(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pattern_follows_cliques),   cmocka_unit_test(product_agrees_with_dense),
      cmocka_unit_test(rounded_products_are_near), cmocka_unit_test(pattern_fits_more_cliques),
      cmocka_unit_test(wrong_cliques_are_a_bug),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
