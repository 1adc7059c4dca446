// Incomplete LU: exact where there is no fill, useful where there is, safe where a pivot goes bad.
#include "solve/ilu.h"
#include "support/dense.h"
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

static const double SHARE = 0.1; // by which the diagonal is raised

// What diagonal blocks have beyond the identity, where that is positive, larger by a share.
static void raise_diagonal(StBlockMatrix *matrix, double share) {
  for (int row = 0; row < matrix->row_count; row++) {
    double *block = matrix->value + 9 * st_block_matrix_slot(matrix, row, row);
    bool stiff = block[0] + block[4] + block[8] > 3;
    for (int e = 0; e < 9 && stiff; e++)
      block[e] += share * (block[e] - (e % 4 == 0));
  }
}

static void exact_without_fill(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(200, 3, 0.5);
  StIlu *ilu = NULL;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix));
  raise_diagonal(matrix, SHARE);
  assert_true(solve_error(matrix, ilu) < 1e-5);
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

static void new_values_replace_old_ones(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(50, 0, 0.5);
  StIlu *ilu = NULL;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix));
  for (int k = 0; k < 9 * matrix->row_start[matrix->row_count]; k++)
    matrix->value[k] *= 2;
  assert_true(st_ilu_factor(ilu, matrix));
  raise_diagonal(matrix, SHARE);
  assert_true(solve_error(matrix, ilu) < 1e-5);
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

// A chain that fixed rows cut into pieces, which have no fill.
static void fixed_rows_take_no_part(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = chain(60, 0, 0.5);
  StIlu *ilu = NULL;
  bool fixed[60] = {false};
  double b[180], x[180], y[180];
  for (int i = 0; i < 60; i++)
    fixed[i] = i % 3 == 0;
  matrix->fixed = fixed;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix));
  raise_diagonal(matrix, SHARE);
  for (int i = 0; i < 180; i++)
    b[i] = fixed[i / 3] ? 0 : 1 + i % 7;
  st_ilu_solve(ilu, b, x);
  st_block_matrix_multiply(matrix, x, y);
  for (int i = 0; i < 180; i++)
    assert_true(fixed[i / 3] ? x[i] == 0 : fabs(y[i] - b[i]) < 1e-4);
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
  assert_false(st_ilu_factor(ilu, matrix));
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

// A sheet with a stiff term g gᵀ for every patch of 3 × 3 vertices, of both signs as bending's: on
// top of the identity it is positive, but the fill that is dropped ruins pivots where k is large.
static StBlockMatrix *bent_sheet(int side, double stiffness) {
  int patches = (side - 2) * (side - 2), *clique = calloc((size_t)patches, 9 * sizeof(int));
  for (int p = 0; p < patches; p++)
    for (int k = 0; k < 9; k++)
      clique[9 * p + k] = p % (side - 2) + k % 3 + (p / (side - 2) + k / 3) * side;
  StBlockMatrix *matrix = NULL;
  int count = side * side;
  assert_int_equal(st_block_matrix_create(count, count, clique, patches, 9, &matrix, NULL), ST_OK);
  uint64_t state = 21;
  for (int p = 0; p < patches; p++) {
    double g[9];
    random_fill(&state, -1, 1, 9, g);
    for (int e = 0; e < 81; e++) {
      int slot = st_block_matrix_slot(matrix, clique[9 * p + e / 9], clique[9 * p + e % 9]);
      for (int c = 0; c < 3; c++)
        matrix->value[9 * slot + 4 * c] += stiffness * (1 + 0.1 * c) * g[e / 9] * g[e % 9];
    }
  }
  for (int i = 0; i < count; i++)
    for (int c = 0; c < 3; c++)
      matrix->value[9 * st_block_matrix_slot(matrix, i, i) + 4 * c] += 1;
  free(clique);
  return matrix;
}

// The same factors the long way: dense, in double, entry by entry where the pattern is. The blocks
// of these matrices are diagonal, so that every pivot is a number. Counts those that are unsound.
typedef struct Factors {
  int n, unsound;
  double *lu;
  bool *there;
} Factors;

static Factors factor_plainly(const StBlockMatrix *matrix, double share) {
  int n = 3 * matrix->row_count;
  Factors f = {.n = n, .lu = dense_of(matrix), .there = calloc((size_t)(n * n), sizeof(bool))};
  for (int row = 0; row < matrix->row_count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        f.there[(3 * row + e / 3) * n + 3 * matrix->column[k] + e % 3] = true;
  for (int i = 0; i < n; i++)
    f.lu[i * n + i] += share * fmax(f.lu[i * n + i] - 1, 0);
  for (int row = 0; row < matrix->row_count; row++) {
    double before[3];
    bool sound = true;
    for (int i = 3 * row; i < 3 * row + 3; i++) {
      before[i - 3 * row] = f.lu[i * n + i];
      for (int k = 0; k < 3 * row; k++) {
        if (!f.there[i * n + k])
          continue;
        double factor = f.lu[i * n + k] /= f.lu[k * n + k];
        for (int j = k + 1; j < n; j++)
          if (f.there[i * n + j] && f.there[k * n + j])
            f.lu[i * n + j] -= factor * f.lu[k * n + j];
      }
      sound = sound && f.lu[i * n + i] > 0.3;
    }
    f.unsound += !sound;
    for (int i = 3 * row; i < 3 * row + 3 && !sound; i++)
      f.lu[i * n + i] = before[i - 3 * row];
  }
  return f;
}

static void solve_plainly(const Factors *f, const double *b, double *x) {
  for (int i = 0; i < f->n; i++) {
    x[i] = b[i];
    for (int k = 0; k < i; k++)
      x[i] -= f->there[i * f->n + k] ? f->lu[i * f->n + k] * x[k] : 0;
  }
  for (int i = f->n - 1; i >= 0; i--) {
    for (int k = i + 1; k < f->n; k++)
      x[i] -= f->there[i * f->n + k] ? f->lu[i * f->n + k] * x[k] : 0;
    x[i] /= f->lu[i * f->n + i];
  }
}

static void free_factors(Factors *f) {
  free(f->lu);
  free(f->there);
}

// How far ours are from those with the diagonal raised by a share, relative.
static double distance_from(const StBlockMatrix *matrix, StIlu *ilu, double share, int *unsound) {
  Factors f = factor_plainly(matrix, share);
  double *b = calloc(3 * (size_t)f.n, sizeof(double)), *x = b + f.n, *y = x + f.n;
  uint64_t state = 9;
  random_fill(&state, -1, 1, f.n, b);
  solve_plainly(&f, b, x);
  st_ilu_solve(ilu, b, y);
  double distance = dense_distance(f.n, x, y) / dense_norm(f.n, x);
  *unsound = f.unsound;
  free(b);
  free_factors(&f);
  return distance;
}

// Rows whose pivots fill that was dropped ruins keep their diagonals, however many they are.
static void unsound_rows_keep_their_diagonals(void **unused) {
  (void)unused;
  const double stiffness[] = {2, 200, 2e4};
  for (int i = 0; i < 3; i++) {
    StBlockMatrix *matrix = bent_sheet(15, stiffness[i]);
    StIlu *ilu = NULL;
    int unsound;
    assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
    assert_true(st_ilu_factor(ilu, matrix));
    double distance = distance_from(matrix, ilu, SHARE, &unsound);
    print_message("k %g: %d unsound, %.1e\n", stiffness[i], unsound, distance);
    assert_true(distance < 1e-4); // single precision
    assert_true(i == 0 ? unsound == 0 : unsound > 0);
    st_ilu_destroy(ilu);
    st_block_matrix_destroy(matrix);
  }
}

// Where nothing makes pivots sound all rows keep their diagonals, which is better than no factors.
static void a_negative_matrix_keeps_its_diagonals(void **unused) {
  (void)unused;
  StBlockMatrix *matrix = bent_sheet(8, 5);
  for (int k = 0; k < 9 * matrix->row_start[matrix->row_count]; k++)
    matrix->value[k] = -matrix->value[k];
  StIlu *ilu = NULL;
  int unsound;
  assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
  assert_true(st_ilu_factor(ilu, matrix));
  assert_true(distance_from(matrix, ilu, 0, &unsound) < 1e-4);
  assert_int_equal(unsound, matrix->row_count);
  st_ilu_destroy(ilu);
  st_block_matrix_destroy(matrix);
}

// Beyond single precision, or no number at all: refused, not passed on.
static void infinite_values_are_refused(void **unused) {
  (void)unused;
  const double bad[] = {1e40, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    StBlockMatrix *matrix = chain(20, 0, 0.1);
    StIlu *ilu = NULL;
    assert_int_equal(st_ilu_create(matrix, &ilu, NULL), ST_OK);
    matrix->value[9 * st_block_matrix_slot(matrix, 3, 3)] = bad[i];
    assert_false(st_ilu_factor(ilu, matrix));
    st_ilu_destroy(ilu);
    st_block_matrix_destroy(matrix);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_without_fill),
      cmocka_unit_test(new_values_replace_old_ones),
      cmocka_unit_test(fixed_rows_take_no_part),
      cmocka_unit_test(singular_diagonals_are_found),
      cmocka_unit_test(unsound_rows_keep_their_diagonals),
      cmocka_unit_test(a_negative_matrix_keeps_its_diagonals),
      cmocka_unit_test(infinite_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
