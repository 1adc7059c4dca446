// Factors, incomplete factors, products and iterations come out the same, to the last bit, on any
// number of threads.
#include "solve/ilu.h"
#include "solve/krylov.h"
#include "solve/slabs.h"
#include "solve/sparse_lu.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

enum { SIDE = 19, ROWS = SIDE * SIDE * SIDE, SIZE = 3 * ROWS, MOST_THREADS = 3 };

// Cubes of a lattice, and some springs right across it, as contacts are.
static StBlockMatrix *lattice(void) {
  enum { CELLS = SIDE - 1, COUNT = CELLS * CELLS * CELLS, SPRINGS = 40 };
  int(*clique)[8] = calloc(COUNT + SPRINGS, sizeof *clique);
  for (int c = 0; c < COUNT; c++)
    for (int k = 0; k < 8; k++)
      clique[c][k] = c % CELLS + k % 2 + SIDE * (c / CELLS % CELLS + k / 2 % 2) +
                     SIDE * SIDE * (c / CELLS / CELLS + k / 4);
  for (int s = 0; s < SPRINGS; s++)
    for (int k = 0; k < 8; k++)
      clique[COUNT + s][k] = k < 4 ? 7 * s : ROWS - 1 - 11 * s;
  StBlockMatrix *matrix = NULL;
  assert_int_equal(
      st_block_matrix_create(ROWS, ROWS, &clique[0][0], COUNT + SPRINGS, 8, &matrix, NULL), ST_OK);
  free(clique);
  uint64_t state = 3;
  for (int row = 0; row < ROWS; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        matrix->value[9 * k + e] =
            (matrix->column[k] == row && e % 4 == 0 ? 30 : 0) + random_between(&state, -1, 1);
  return matrix;
}

typedef struct Answers {
  double product[SIZE], rounded[SIZE], lu[SIZE], single_lu[SIZE], ilu[SIZE], gmres[SIZE];
  int iterations;
} Answers;

static void multiply(void *context, const double *x, double *y) {
  st_block_matrix_multiply(((void **)context)[0], x, y);
}

static StStatus precondition(void *context, const double *x, double *y) {
  st_ilu_solve(((void **)context)[1], x, y);
  return ST_OK;
}

static void solve_all(StBlockMatrix *matrix, const double *b, Answers *answers) {
  StSparseLu *lu = NULL;
  StIlu *ilu = NULL;
  StKrylov *krylov = NULL;
  StError error = {0};
  st_block_matrix_multiply(matrix, b, answers->product);
  assert_int_equal(st_sparse_lu_create(matrix, &lu, NULL), ST_OK);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, true, NULL, NULL), ST_OK);
  st_sparse_lu_solve(lu, b, answers->single_lu);
  assert_int_equal(st_sparse_lu_factor(lu, matrix, false, NULL, NULL), ST_OK);
  st_sparse_lu_solve(lu, b, answers->lu);
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix));
  st_ilu_solve(ilu, b, answers->ilu);
  assert_int_equal(st_krylov_create(SIZE, matrix->crew, &krylov, NULL), ST_OK);
  StKrylovSystem system = {(void *[]){matrix, ilu}, multiply, precondition};
  StKrylovGoal goal = {1e-9, 200};
  assert_int_equal(
      st_krylov_gmres(krylov, &system, b, goal, answers->gmres, &answers->iterations, &error),
      ST_OK);
  st_krylov_destroy(krylov);
  st_ilu_destroy(ilu);
  st_sparse_lu_destroy(lu);
  st_block_matrix_round(matrix);
  st_block_matrix_multiply(matrix, b, answers->rounded);
}

static double difference(const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < SIZE; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void the_same_bits_on_any_number_of_threads(void **unused) {
  (void)unused;
  Answers *answers = calloc(MOST_THREADS, sizeof *answers);
  double *b = calloc(SIZE, sizeof(double));
  uint64_t state = 8;
  random_fill(&state, -1, 1, SIZE, b);
  for (int threads = 1; threads <= MOST_THREADS; threads++) {
    StBlockMatrix *matrix = lattice();
    assert_int_equal(st_crew_create(threads, &matrix->crew, NULL), ST_OK);
    solve_all(matrix, b, &answers[threads - 1]);
    st_crew_destroy(matrix->crew);
    st_block_matrix_destroy(matrix);
    assert_memory_equal(&answers[threads - 1], &answers[0], sizeof *answers);
  }
  assert_true(difference(answers->lu, answers->gmres) < 1e-8);
  free(answers);
  free(b);
}

// Rows of a phase depend on their own slab and on earlier phases alone, but in the last one.
static void slabs_are_independent(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = lattice();
  StSlabs slabs;
  int *part = calloc(ROWS, sizeof(int)), *phase = calloc(ROWS, sizeof(int)), seen = 0;
  assert_int_equal(st_slabs_create(matrix, &slabs, NULL), ST_OK);
  assert_true(slabs.count > 1);
  for (int p = 0; p < ST_SLAB_PHASES; p++)
    for (int s = 0; s < st_slabs_parts(&slabs, p); s++) {
      StSpan rows = st_slabs_rows(&slabs, p, s);
      for (int i = rows.begin; i < rows.end; i++, seen++) {
        phase[slabs.order[i]] = p;
        part[slabs.order[i]] = s;
        assert_int_equal(slabs.place[slabs.order[i]], i);
      }
    }
  assert_int_equal(seen, ROWS);
  for (int i = 0; i < ROWS; i++)
    for (int k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
      int j = matrix->column[k];
      assert_true(phase[i] != phase[j] || part[i] == part[j]);
    }
  st_slabs_free(&slabs);
  free(part);
  free(phase);
  st_block_matrix_destroy(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(slabs_are_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
