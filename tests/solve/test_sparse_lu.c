// Complete LU factors: solutions to round-off on patterns of all kinds, and what cannot be
// factorised.
#include "solve/sparse_lu.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <cmocka.h>

// Cliques of a pattern, made by one function each.
typedef struct Pattern {
  int rows, columns, count, size;
  int *clique;
} Pattern;

static Pattern pattern_of(int rows, int columns, int count, int size) {
  int *clique = calloc((size_t)(count * size) + 1, sizeof(int));
  assert_non_null(clique);
  return (Pattern){rows, columns, count, size, clique};
}

static Pattern chain(int rows) {
  Pattern pattern = pattern_of(rows, rows, rows - 1, 2);
  for (int i = 0; i + 1 < rows; i++)
    pattern.clique[2 * i] = i, pattern.clique[2 * i + 1] = i + 1;
  return pattern;
}

static Pattern diagonal(int rows) {
  return pattern_of(rows, rows, 0, 2);
}

static Pattern full(int rows) {
  Pattern pattern = pattern_of(rows, rows, 1, rows);
  for (int i = 0; i < rows; i++)
    pattern.clique[i] = i;
  return pattern;
}

// Cubes of a lattice, with ghost columns behind the last row.
static Pattern lattice(int side, int ghosts) {
  int cells = side - 1, rows = side * side * side;
  Pattern pattern = pattern_of(rows - ghosts, rows, cells * cells * cells, 8);
  for (int c = 0; c < pattern.count; c++)
    for (int k = 0; k < 8; k++) {
      int x = c % cells + k % 2, y = c / cells % cells + k / 2 % 2, z = c / cells / cells + k / 4;
      pattern.clique[8 * c + k] = x + side * (y + side * z);
    }
  return pattern;
}

// Two lattices that nothing joins, and a vertex alone.
static Pattern islands(void) {
  Pattern one = lattice(4, 0), both = pattern_of(129, 129, 2 * one.count, 8);
  for (int i = 0; i < 8 * one.count; i++) {
    both.clique[i] = one.clique[i];
    both.clique[8 * one.count + i] = 64 + one.clique[i];
  }
  free(one.clique);
  return both;
}

static Pattern tangle(int rows) {
  Pattern pattern = pattern_of(rows, rows, 2 * rows, 3);
  uint64_t state = 17;
  for (int i = 0; i < 6 * rows; i++)
    pattern.clique[i] = (int)random_between(&state, 0, rows - 0.001);
  return pattern;
}

// Unsymmetric values; larger on the diagonal by `strength`.
static StBlockMatrix *matrix_of(Pattern pattern, double strength) {
  StBlockMatrix *matrix = NULL;
  assert_int_equal(st_block_matrix_create(pattern.rows, pattern.columns, pattern.clique,
                                          pattern.count, pattern.size, &matrix, NULL),
                   ST_OK);
  free(pattern.clique);
  uint64_t state = 3;
  for (int row = 0; row < matrix->row_count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        matrix->value[9 * k + e] =
            (matrix->column[k] == row && e % 4 == 0 ? strength : 0) + random_between(&state, -1, 1);
  return matrix;
}

// Largest error of a solution whose right-hand side was made from a known one.
static double solve_error(const StBlockMatrix *matrix, StSparseLu *lu) {
  int n = 3 * matrix->row_count, all = 3 * matrix->column_count;
  double *x = calloc((size_t)all + 1, sizeof(double)), *b = calloc((size_t)n + 1, sizeof(double));
  double worst = 0;
  uint64_t state = 5;
  random_fill(&state, -1, 1, n, x); // ghosts stay zero: the factors do not see them
  st_block_matrix_multiply(matrix, x, b);
  st_sparse_lu_solve(lu, b, b); // in place
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(b[i] - x[i]));
  free(x);
  free(b);
  return worst;
}

// Errors are some hundred roundings at most: the matrices are well conditioned.
static void check_precisions(const StBlockMatrix *matrix, StSparseLu *lu) {
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, NULL), ST_OK);
  assert_false(st_sparse_lu_is_single(lu));
  assert_true(solve_error(matrix, lu) < 1e-11);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, true, NULL, NULL), ST_OK);
  assert_true(st_sparse_lu_is_single(lu));
  double error = solve_error(matrix, lu);
  assert_true(error < 1e-4);
  assert_true(error > 1e-12 || matrix->row_count == 1);
}

static void check(Pattern pattern, double strength) {
  StBlockMatrix *matrix = matrix_of(pattern, strength);
  StSparseLu *lu = NULL;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  check_precisions(matrix, lu);
  for (int k = 0; k < 9 * matrix->row_start[matrix->row_count]; k++)
    matrix->value[k] *= 1 + 0.3 * sin(k); // new values, the same plan
  check_precisions(matrix, lu);
  st_sparse_lu_destroy(lu);
  st_block_matrix_destroy(matrix);
}

static void solves_patterns_of_all_kinds(void **unused) {
  (void)unused;
  check(diagonal(1), 4);
  check(diagonal(7), 4);
  check(chain(2), 8);
  check(chain(300), 8);
  check(full(40), 60);
  check(lattice(9, 0), 40);
  check(lattice(6, 20), 40);
  check(islands(), 40);
  check(tangle(400), 60);
}

static void nothing_at_all(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(diagonal(0), 1);
  StSparseLu *lu = NULL;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, NULL), ST_OK);
  st_sparse_lu_destroy(lu);
  st_block_matrix_destroy(matrix);
}

// Zeros on the diagonal of a block need exchanges of rows, which a front has.
static void rows_are_exchanged(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(chain(30), 8);
  for (int i = 0; i < 30; i++) {
    double *block = matrix->value + 9 * (size_t)st_block_matrix_slot(matrix, i, i);
    for (int k = 0; k < 3; k++) {
      double keep = block[k];
      block[k] = block[3 + k];
      block[3 + k] = keep;
    }
    block[0] = 0;
  }
  StSparseLu *lu = NULL;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, NULL), ST_OK);
  assert_true(solve_error(matrix, lu) < 1e-9);
  st_sparse_lu_destroy(lu);
  st_block_matrix_destroy(matrix);
}

// Two lattices and a vertex alone. With nothing to solve for in the first, it need not be
// factorised: its solution is zero, or by the factors that it has.
static void rows_without_a_load_are_left_out(void **unused) {
  (void)unused;
  for (int single = 0; single < 2; single++) {
    StBlockMatrix *matrix = matrix_of(islands(), 40);
    StSparseLu *lu = NULL;
    bool zero[129] = {0};
    double x[3 * 129], b[3 * 129], tolerance = single ? 1e-4 : 1e-11;
    for (int row = 0; row < 64; row++)
      zero[row] = true;
    uint64_t state = 5;
    random_fill(&state, -1, 1, 3 * 129, x);
    st_block_matrix_multiply(matrix, x, b);
    assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
    assert_int_equal(st_sparse_lu_factor(lu, matrix, single, zero, NULL), ST_OK);
    double solved[3 * 129];
    st_sparse_lu_solve(lu, b, solved);
    for (int i = 0; i < 3 * 129; i++)
      assert_true(fabs(solved[i] - (zero[i / 3] ? 0 : x[i])) < tolerance);
    assert_int_equal(st_sparse_lu_factor(lu, matrix, single, NULL, NULL), ST_OK);
    for (int k = matrix->row_start[0]; k < 9 * matrix->row_start[64]; k++)
      matrix->value[k] = NAN; // nobody looks at these
    assert_int_equal(st_sparse_lu_factor(lu, matrix, single, zero, NULL), ST_OK);
    st_sparse_lu_solve(lu, b, solved);
    for (int i = 0; i < 3 * 129; i++)
      assert_true(fabs(solved[i] - x[i]) < tolerance);
    st_sparse_lu_destroy(lu);
    st_block_matrix_destroy(matrix);
  }
}

// Rows that are coupled with others are needed, whatever their load.
static void coupled_rows_are_not_left_out(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(chain(300), 8);
  StSparseLu *lu = NULL;
  bool zero[300] = {0};
  for (int row = 0; row < 200; row++)
    zero[row] = true;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, zero, NULL), ST_OK);
  assert_true(solve_error(matrix, lu) < 1e-11);
  st_sparse_lu_destroy(lu);
  st_block_matrix_destroy(matrix);
}

static void singular_matrices_are_found(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(chain(20), 8);
  StSparseLu *lu = NULL;
  StError error;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  for (int k = matrix->row_start[7]; k < matrix->row_start[8]; k++)
    for (int e = 0; e < 9; e++)
      matrix->value[9 * k + e] = 0;
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, &error), ST_NOT_SOLVED);
  st_sparse_lu_destroy(lu);
  st_block_matrix_destroy(matrix);
}

// A lattice eliminated from end to end fills its band: a plan that is not leaner is no plan.
static void plans_are_lean(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(lattice(12, 0), 40);
  StLuPlan *plan = NULL;
  assert_int_equal(st_lu_plan_create(matrix, &plan, NULL), ST_OK);
  double rows = plan->row_count, band = 12 * 12 + 12 + 1;
  assert_true((double)plan->factor_size < rows * 2 * band);
  assert_true(plan->work < 3 * rows * 2 * 9 * band * band);
  int pivots = 0;
  for (int f = 0; f < plan->front_count; f++) {
    pivots += st_lu_plan_pivots(plan, f);
    assert_true(plan->parent[f] == -1 || plan->parent[f] > f);
    for (size_t k = plan->below_start[f] + 1; k < plan->below_start[f + 1]; k++)
      assert_true(plan->below[k] > plan->below[k - 1]);
  }
  assert_int_equal(pivots, plan->row_count);
  st_lu_plan_destroy(plan);
  st_block_matrix_destroy(matrix);
}

// Rows and columns of the identity take no part, whatever stands in their blocks.
static void fixed_rows_are_left_out(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = matrix_of(lattice(9, 0), 40);
  StLuPlan *whole = NULL, *part = NULL;
  StSparseLu *lu = NULL;
  int n = matrix->row_count;
  bool *fixed = calloc((size_t)n, sizeof(bool));
  double *b = calloc(3 * (size_t)n, sizeof(double)), *x = calloc(3 * (size_t)n, sizeof(double));
  assert_int_equal(st_lu_plan_create(matrix, &whole, NULL), ST_OK);
  for (int i = 0; i < n; i++)
    fixed[i] = i >= n / 9;
  matrix->fixed = fixed;
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  assert_int_equal(st_lu_plan_create(matrix, &part, NULL), ST_OK);
  assert_true(part->work < whole->work / 20);
  assert_true(part->factor_size < whole->factor_size / 5);
  for (int row = 0; row < n; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9 && fixed[row]; e++)
        matrix->value[9 * k + e] = matrix->column[k] == row && e % 4 == 0 ? 1 : 7;
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, NULL), ST_OK);
  for (int i = 0; i < 3 * n; i++)
    b[i] = fixed[i / 3] ? 0 : 1 + i % 5;
  st_sparse_lu_solve(lu, b, x);
  for (int i = 0; i < 3 * n; i++)
    assert_true(!fixed[i / 3] || x[i] == 0);
  double *y = calloc(3 * (size_t)n, sizeof(double));
  st_block_matrix_multiply(matrix, x, y);
  for (int i = 0; i < 3 * n; i++)
    assert_true(fixed[i / 3] || fabs(y[i] - b[i]) < 1e-12);
  st_sparse_lu_destroy(lu);
  st_lu_plan_destroy(whole);
  st_lu_plan_destroy(part);
  st_block_matrix_destroy(matrix);
  free(fixed);
  free(b);
  free(x);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_patterns_of_all_kinds),
      cmocka_unit_test(nothing_at_all),
      cmocka_unit_test(rows_are_exchanged),
      cmocka_unit_test(rows_without_a_load_are_left_out),
      cmocka_unit_test(coupled_rows_are_not_left_out),
      cmocka_unit_test(singular_matrices_are_found),
      cmocka_unit_test(plans_are_lean),
      cmocka_unit_test(fixed_rows_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
