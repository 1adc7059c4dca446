// Incomplete LU: exact where there is no fill, useful where there is, safe where a pivot goes bad.
#include "solve/ilu.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <cmocka.h>

// Vertices in a row, each coupled with the next: LU of such a matrix has no fill.
static StBlockMatrix *chain(int count, int ghosts, double coupling) {
  int *clique = malloc(2 * (size_t)(count + ghosts) * sizeof(int));
  for (int i = 0; i + 1 < count + ghosts; i++)
    clique[2 * i] = i, clique[2 * i + 1] = i + 1;
  StBlockMatrix *matrix = NULL;
  assert_int_equal(
      st_block_matrix_create(count, count + ghosts, clique, count + ghosts - 1, 2, &matrix, NULL),
      ST_OK);
  free(clique);
  uint64_t state = 3;
  for (int row = 0; row < count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        matrix->value[9 * k + e] = (matrix->column[k] == row && e % 4 == 0 ? 4 : 0) +
                                   coupling * random_between(&state, -1, 1);
  return matrix;
}

static double solve_error(const StBlockMatrix *matrix, StIlu *ilu) {
  int n = 3 * matrix->row_count, all = 3 * matrix->column_count;
  double *x = calloc((size_t)all, sizeof(double)), *b = calloc((size_t)n, sizeof(double));
  double *found = calloc((size_t)n, sizeof(double)), worst = 0;
  uint64_t state = 5;
  random_fill(&state, -1, 1, n, x); // ghosts stay zero: the factors do not see them
  st_block_matrix_multiply(matrix, x, b);
  st_ilu_solve(ilu, b, found);
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(found[i] - x[i]));
  free(x);
  free(b);
  free(found);
  return worst;
}

static void exact_without_fill(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(200, 3, 0.5);
  StIlu *ilu = NULL;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix, ST_ILU_SOUND));
  assert_true(solve_error(matrix, ilu) < 1e-5);
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

static void new_values_replace_old_ones(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(50, 0, 0.5);
  StIlu *ilu = NULL;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix, ST_ILU_SOUND));
  for (int k = 0; k < 9 * matrix->row_start[matrix->row_count]; k++)
    matrix->value[k] *= 2;
  assert_true(st_ilu_factor(ilu, matrix, ST_ILU_SOUND));
  assert_true(solve_error(matrix, ilu) < 1e-5);
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

static void singular_diagonals_are_found(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(20, 0, 0.1);
  StIlu *ilu = NULL;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  for (int k = matrix->row_start[7]; k < matrix->row_start[8]; k++)
    for (int e = 0; e < 9; e++)
      matrix->value[9 * k + e] = 0;
  assert_false(st_ilu_factor(ilu, matrix, ST_ILU_SOUND));
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_without_fill),
      cmocka_unit_test(new_values_replace_old_ones),
      cmocka_unit_test(singular_diagonals_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
