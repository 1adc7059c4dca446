// Pattern, lookup and product of the sparse matrix of 3×3 blocks.
#include "math/block_matrix.h"

#include "base/memory.h"
#include "math/hot.h"
#include "math/lanes.h"

#include <limits.h>
#include <string.h>

// The cliques of each vertex, in compressed rows.
typedef struct Incidence {
  size_t *start; // [vertex_count + 1]
  int *clique;
} Incidence;

static void incidence_free(Incidence *incidence) {
  free(incidence->start);
  free(incidence->clique);
}

static bool incidence_build(const int *clique, int clique_count, int size, int vertex_count,
                            Incidence *incidence) {
  size_t entries = (size_t)clique_count * (size_t)size;
  size_t *start = incidence->start = ST_NEW(size_t, (size_t)vertex_count + 1);
  incidence->clique = ST_NEW(int, entries);
  if (!start || !incidence->clique)
    return false;
  for (size_t e = 0; e < entries; e++)
    start[clique[e]]++;
  size_t sum = 0;
  for (int v = 0; v <= vertex_count; v++) {
    size_t count = start[v];
    start[v] = sum += count;
  }
  // Filled backwards, which leaves start[v] at the first entry and the cliques in order.
  for (size_t e = entries; e-- > 0;)
    incidence->clique[--start[clique[e]]] = (int)(e / (size_t)size);
  return true;
}

// Visits the blocks of the pattern column by column, so that every row gets sorted columns. With
// `column` they are written and next[row] advances; without, next[row] counts them.
static void pattern_visit(const StBlockMatrix *matrix, const Incidence *incidence,
                          const int *clique, int size, int *last, int *next, int *column) {
  for (int row = 0; row < matrix->row_count; row++)
    last[row] = -1;
  for (int c = 0; c < matrix->column_count; c++) {
    if (c < matrix->row_count) {
      last[c] = c;
      if (column)
        column[next[c]] = c;
      next[c]++;
    }
    for (size_t e = incidence->start[c]; e < incidence->start[c + 1]; e++) {
      const int *member = clique + (size_t)incidence->clique[e] * (size_t)size;
      for (int i = 0; i < size; i++) {
        int row = member[i];
        if (row >= matrix->row_count || last[row] == c)
          continue;
        last[row] = c;
        if (column)
          column[next[row]] = c;
        next[row]++;
      }
    }
  }
}

static StStatus pattern_build(StBlockMatrix *matrix, const Incidence *incidence, const int *clique,
                              int size, int *last, int *next, StError *error) {
  pattern_visit(matrix, incidence, clique, size, last, next, NULL);
  size_t sum = 0;
  for (int row = 0; row < matrix->row_count; row++) {
    sum += (size_t)next[row];
    if (sum > INT_MAX)
      return st_fail(error, ST_BAD_INPUT,
                     "a piece of %d vertices has more than %d matrix blocks; "
                     "use more ranks",
                     matrix->row_count, INT_MAX);
    matrix->row_start[row + 1] = (int)sum;
    next[row] = matrix->row_start[row];
  }
  matrix->column = ST_NEW(int, sum);
  matrix->value = ST_NEW(double, 9 * sum);
  if (!matrix->column || !matrix->value)
    return st_fail_memory(error);
  pattern_visit(matrix, incidence, clique, size, last, next, matrix->column);
  return ST_OK;
}

static StStatus keep_base(StBlockMatrix *matrix, StError *error) {
  size_t rows = (size_t)matrix->row_count, blocks = (size_t)matrix->row_start[rows];
  matrix->base_start = ST_NEW(int, rows + 1);
  matrix->base_column = ST_NEW(int, blocks);
  if (!matrix->base_start || !matrix->base_column)
    return st_fail_memory(error);
  memcpy(matrix->base_start, matrix->row_start, (rows + 1) * sizeof(int));
  memcpy(matrix->base_column, matrix->column, blocks * sizeof(int));
  return ST_OK;
}

StStatus st_block_matrix_create(int row_count, int column_count, const int *clique,
                                int clique_count, int size, StBlockMatrix **out, StError *error) {
  *out = NULL;
  ST_CHECK(row_count >= 0 && row_count <= column_count, error);
  for (size_t e = 0; e < (size_t)clique_count * (size_t)size; e++)
    ST_CHECK(clique[e] >= 0 && clique[e] < column_count, error);
  Incidence incidence = {0};
  int *last = ST_NEW(int, row_count), *next = ST_NEW(int, row_count);
  StBlockMatrix *matrix = ST_NEW(StBlockMatrix, 1);
  if (matrix) {
    matrix->row_count = row_count;
    matrix->column_count = column_count;
    matrix->row_start = ST_NEW(int, (size_t)row_count + 1);
  }
  StStatus status = ST_OK;
  if (!last || !next || !matrix || !matrix->row_start ||
      !incidence_build(clique, clique_count, size, column_count, &incidence))
    status = st_fail_memory(error);
  else
    status = pattern_build(matrix, &incidence, clique, size, last, next, error);
  if (status == ST_OK)
    status = keep_base(matrix, error);
  incidence_free(&incidence);
  free(last);
  free(next);
  if (status != ST_OK)
    st_block_matrix_destroy(matrix);
  else
    *out = matrix;
  return status;
}

void st_block_matrix_destroy(StBlockMatrix *matrix) {
  if (!matrix)
    return;
  free(matrix->row_start);
  free(matrix->column);
  free(matrix->value);
  free(matrix->base_start);
  free(matrix->base_column);
  free(matrix);
}

enum { LEAST_ROWS = 512, MOST_PARTS = 64 }; // of a part of the rows

static StSpan part_rows(const StBlockMatrix *matrix, int part) {
  int grain = st_span_grain(matrix->row_count, LEAST_ROWS, MOST_PARTS);
  return st_span_part(matrix->row_count, grain, part);
}

static void share_rows(const StBlockMatrix *matrix, StCrewWork work, void *context) {
  int grain = st_span_grain(matrix->row_count, LEAST_ROWS, MOST_PARTS);
  st_crew_do(matrix->crew, st_span_count(matrix->row_count, grain), work, context);
}

static void clear_rows(void *context, int part, int worker) {
  (void)worker;
  StBlockMatrix *matrix = context;
  StSpan rows = part_rows(matrix, part);
  size_t first = (size_t)matrix->row_start[rows.begin], end = (size_t)matrix->row_start[rows.end];
  memset(matrix->value + 9 * first, 0, 9 * (end - first) * sizeof(double));
}

void st_block_matrix_clear(StBlockMatrix *matrix) {
  share_rows(matrix, clear_rows, matrix);
}

int st_block_matrix_slot(const StBlockMatrix *matrix, int row, int column) {
  if (row < 0 || row >= matrix->row_count)
    return -1;
  int low = matrix->row_start[row], high = matrix->row_start[row + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < matrix->row_start[row + 1] && matrix->column[low] == column ? low : -1;
}

// Bound by memory bandwidth: every block is read once. The hardware does not prefetch early enough,
// hence the explicit prefetch; nine separate sums (eight in lanes) avoid dependencies between
// products.
static void multiply_rows(const StBlockMatrix *matrix, StSpan rows, const double *x, double *y) {
  enum { AHEAD = 1024 }; // doubles, 8 KiB; the best value tried, not critical
  const double *a = matrix->value + 9 * (size_t)matrix->row_start[rows.begin];
  for (int row = rows.begin; row < rows.end; row++) {
    StLanes sum = {0};
    double last = 0;
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++, a += 9) {
      const double *from = x + 3 * (size_t)matrix->column[e];
      double x0 = from[0], x1 = from[1], x2 = from[2];
      StLanes block;
      memcpy(&block, a, sizeof block);
      __builtin_prefetch(a + AHEAD);
      sum += block * (StLanes){x0, x1, x2, x0, x1, x2, x0, x1};
      last += a[8] * x2;
    }
    double *to = y + 3 * (size_t)row;
    to[0] = sum[0] + sum[1] + sum[2];
    to[1] = sum[3] + sum[4] + sum[5];
    to[2] = sum[6] + sum[7] + last;
  }
}

typedef struct Product {
  const StBlockMatrix *matrix;
  const double *x;
  double *y;
} Product;

static ST_HOT void multiply_part(void *context, int part, int worker) {
  (void)worker;
  const Product *product = context;
  multiply_rows(product->matrix, part_rows(product->matrix, part), product->x, product->y);
}

void st_block_matrix_multiply(const StBlockMatrix *matrix, const double *x, double *y) {
  share_rows(matrix, multiply_part, &(Product){matrix, x, y});
}
