// Pattern, lookup and product of the sparse matrix of 3×3 blocks.
#include "math/block_matrix.h"

#include "base/memory.h"
#include "math/hot.h"

#include <limits.h>
#include <string.h>

// Room that is used for less than this part of it is given back.
static const size_t LEAST_USE = 4;

static bool make_room(StBlockMatrix *matrix, size_t blocks) {
  if (blocks <= matrix->capacity && matrix->capacity / LEAST_USE <= blocks)
    return true;
  size_t room = matrix->value ? blocks + blocks / 8 : blocks;
  double *value = ST_ROOM(double, 9 * room);
  if (!value)
    return false;
  free(matrix->value);
  matrix->value = value;
  matrix->capacity = room;
  return true;
}

static StStatus keep_base(StBlockMatrix *matrix, StError *error) {
  size_t rows = (size_t)matrix->row_count, blocks = (size_t)matrix->row_start[rows];
  matrix->base_start = ST_NEW(int, rows + 1);
  matrix->base_column = ST_NEW(int, blocks);
  ST_TRY_MEMORY(matrix->base_start && matrix->base_column, error);
  memcpy(matrix->base_start, matrix->row_start, (rows + 1) * sizeof(int));
  memcpy(matrix->base_column, matrix->column, blocks * sizeof(int));
  return ST_OK;
}

// The diagonal alone.
static StStatus begin_pattern(StBlockMatrix *matrix, StError *error) {
  matrix->row_start = ST_NEW(int, (size_t)matrix->row_count + 1);
  matrix->column = ST_NEW(int, matrix->row_count);
  ST_TRY_MEMORY(matrix->row_start && matrix->column, error);
  for (int row = 0; row < matrix->row_count; row++)
    matrix->row_start[row + 1] = (matrix->column[row] = row) + 1;
  return ST_OK;
}

static StStatus build_pattern(StBlockMatrix *matrix, const int *clique, int clique_count, int size,
                              StError *error) {
  bool changed;
  ST_FREE size_t *start = ST_NEW(size_t, (size_t)clique_count + 1);
  ST_TRY_MEMORY(start, error);
  for (int c = 0; c <= clique_count; c++)
    start[c] = (size_t)c * (size_t)size;
  const StCliques cliques = {.start = start, .member = clique, .count = clique_count};
  ST_TRY(begin_pattern(matrix, error));
  ST_TRY(st_block_matrix_fit(matrix, &cliques, true, &changed, NULL, error));
  free(matrix->former_start);
  matrix->former_start = NULL;
  if (!changed) {
    ST_TRY_MEMORY(make_room(matrix, (size_t)matrix->row_count), error);
    st_block_matrix_clear(matrix);
  }
  return keep_base(matrix, error);
}

StStatus st_block_matrix_create(int row_count, int column_count, const int *clique,
                                int clique_count, int size, StBlockMatrix **out, StError *error) {
  *out = NULL;
  ST_CHECK(row_count >= 0 && row_count <= column_count, error);
  for (size_t e = 0; e < (size_t)clique_count * (size_t)size; e++)
    ST_CHECK(clique[e] >= 0 && clique[e] < column_count, error);
  StBlockMatrix *matrix = ST_NEW(StBlockMatrix, 1);
  ST_TRY_MEMORY(matrix, error);
  matrix->row_count = row_count;
  matrix->column_count = column_count;
  StStatus status = build_pattern(matrix, clique, clique_count, size, error);
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
  free(matrix->lost);
  free(matrix->base_start);
  free(matrix->former_start);
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
  matrix->rounded = false;
  share_rows(matrix, clear_rows, matrix);
}

bool st_block_matrix_replace(StBlockMatrix *matrix, int *row_start, int *column) {
  if (!make_room(matrix, (size_t)row_start[matrix->row_count]))
    return false;
  free(matrix->former_start);
  free(matrix->column);
  matrix->former_start = matrix->row_start;
  matrix->row_start = row_start;
  matrix->column = column;
  st_block_matrix_clear(matrix);
  return true;
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

int st_block_matrix_slot_again(const StBlockMatrix *matrix, int row, int column, int former) {
  if (!matrix->former_start || row < 0 || row >= matrix->row_count)
    return st_block_matrix_slot(matrix, row, column);
  int offset = former - matrix->former_start[row];
  int length = matrix->row_start[row + 1] - matrix->row_start[row];
  int slot = matrix->row_start[row] + offset;
  if (offset >= 0 && offset < length && matrix->column[slot] == column)
    return slot;
  return st_block_matrix_slot(matrix, row, column);
}

// A row of a block is a load of four lanes, of which one, behind it or (`ahead`) before, carries
// garbage that nobody reads.
typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
typedef float Four __attribute__((vector_size(4 * sizeof(float))));

static inline Quad load(const double *from) {
  Quad quad;
  memcpy(&quad, from, sizeof quad);
  return quad;
}

static inline Quad load_single(const float *from) {
  return (Quad){from[0], from[1], from[2], from[3]}; // one instruction
}

static inline Quad place_of(const double *x, int column) {
  const double *from = x + 3 * (size_t)column;
  return (Quad){from[0], from[1], from[2], 0};
}

static inline Quad ahead(Quad x) {
  return __builtin_shufflevector(x, x, 3, 0, 1, 2);
}

static inline void add_up(Quad first, Quad second, Quad third, double *y) {
  y[0] = first[0] + first[1] + first[2];
  y[1] = second[0] + second[1] + second[2];
  y[2] = third[1] + third[2] + third[3];
}

// Bound by memory bandwidth: every block is read once. The hardware does not prefetch early enough,
// hence the explicit prefetch.
static void multiply_rows(const StBlockMatrix *matrix, StSpan rows, const double *x, double *y) {
  enum { AHEAD = 1024 }; // doubles, 8 KiB; the best value tried, not critical
  const double *a = matrix->value + 9 * (size_t)matrix->row_start[rows.begin];
  for (int row = rows.begin; row < rows.end; row++) {
    Quad first = {0}, second = {0}, third = {0};
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++, a += 9) {
      Quad there = place_of(x, matrix->column[e]);
      __builtin_prefetch(a + AHEAD);
      first += load(a) * there;
      second += load(a + 3) * there;
      third += load(a + 5) * ahead(there);
    }
    add_up(first, second, third, y + 3 * (size_t)row);
  }
}

// The same of rounded values, and what each row has lost.
static void multiply_rounded(const StBlockMatrix *matrix, StSpan rows, const double *x, double *y) {
  enum { AHEAD = 1024 };
  const float *a = (const float *)matrix->value + 9 * (size_t)matrix->row_start[rows.begin];
  for (int row = rows.begin; row < rows.end; row++) {
    const float *lost = matrix->lost + 9 * (size_t)row;
    Quad here = place_of(x, row);
    Quad first = load_single(lost) * here, second = load_single(lost + 3) * here;
    Quad third = load_single(lost + 5) * ahead(here);
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++, a += 9) {
      Quad there = place_of(x, matrix->column[e]);
      __builtin_prefetch(a + AHEAD);
      first += load_single(a) * there;
      second += load_single(a + 3) * there;
      third += load_single(a + 5) * ahead(there);
    }
    add_up(first, second, third, y + 3 * (size_t)row);
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
  StSpan rows = part_rows(product->matrix, part);
  if (product->matrix->rounded)
    multiply_rounded(product->matrix, rows, product->x, product->y);
  else
    multiply_rows(product->matrix, rows, product->x, product->y);
}

void st_block_matrix_multiply(const StBlockMatrix *matrix, const double *x, double *y) {
  share_rows(matrix, multiply_part, &(Product){matrix, x, y});
}

// Not lane by lane: gcc 12 then drops the rounding of a number that is widened again.
static inline Four narrow(Quad a) {
  return __builtin_convertvector(a, Four);
}

static inline Quad widen(Four a) {
  return __builtin_convertvector(a, Quad);
}

// A block becomes half as long and moves to half its distance from the first, so that what is
// written lies where everything has been read. Bytes are copied because the same memory has two
// types.
static ST_HOT void round_rows(StBlockMatrix *matrix, int begin, int end) {
  char *single = (char *)matrix->value;
  for (int row = begin; row < end; row++) {
    Quad first_lost = {0}, second_lost = {0};
    double last_lost = 0;
    for (size_t k = (size_t)matrix->row_start[row]; k < (size_t)matrix->row_start[row + 1]; k++) {
      const double *block = matrix->value + 9 * k;
      Quad first = load(block), second = load(block + 4);
      Four low = narrow(first), high = narrow(second);
      double last;
      memcpy(&last, block + 8, sizeof last);
      float top = (float)last;
      memcpy(single + 36 * k, &low, sizeof low);
      memcpy(single + 36 * k + 16, &high, sizeof high);
      memcpy(single + 36 * k + 32, &top, sizeof top);
      first_lost += first - widen(low);
      second_lost += second - widen(high);
      last_lost += last - (double)top;
    }
    Four low = narrow(first_lost), high = narrow(second_lost);
    memcpy(matrix->lost + 9 * (size_t)row, &low, sizeof low);
    memcpy(matrix->lost + 9 * (size_t)row + 4, &high, sizeof high);
    matrix->lost[9 * (size_t)row + 8] = (float)last_lost;
  }
}

static void round_some(void *context, int begin, int end) {
  round_rows(context, begin, end);
}

// The first row whose end is beyond `blocks`.
static int row_beyond(const StBlockMatrix *matrix, int row, size_t blocks) {
  while (row < matrix->row_count && (size_t)matrix->row_start[row + 1] <= blocks)
    row++;
  return row;
}

// Threads share rows that are written below the first of them. One row alone is in order anyway.
void st_block_matrix_round(StBlockMatrix *matrix) {
  if (!matrix->lost)
    matrix->lost = ST_NEW(float, 9 * (size_t)matrix->row_count);
  if (!matrix->lost || matrix->rounded)
    return;
  for (int row = 0; row < matrix->row_count;) {
    int end = row_beyond(matrix, row, 2 * (size_t)matrix->row_start[row]);
    if (end == row)
      round_rows(matrix, row, ++end);
    else
      st_crew_sweep(matrix->crew, row, end, LEAST_ROWS, round_some, matrix);
    row = end;
  }
  matrix->rounded = true;
}

// Roundings are independent, each at most half of the last place, and multiply differences from the
// row's own vertex.
static ST_HOT double doubt_rows(const StBlockMatrix *matrix, const double *x) {
  const double place = 0x1p-24;
  const float *a = (const float *)matrix->value;
  Quad sum = {0};
  for (int row = 0; row < matrix->row_count; row++) {
    Quad here = place_of(x, row);
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++, a += 9) {
      if (matrix->column[e] >= matrix->row_count)
        continue;
      Quad apart = place_of(x, matrix->column[e]) - here, before = ahead(apart);
      Quad first = load_single(a) * apart, second = load_single(a + 3) * apart;
      Quad third = load_single(a + 5) * before;
      first[3] = second[3] = third[0] = 0;
      sum += first * first + second * second + third * third;
    }
  }
  return (sum[0] + sum[1] + sum[2] + sum[3]) * place * place / 3;
}

double st_block_matrix_doubt(const StBlockMatrix *matrix, const double *x) {
  return matrix->rounded ? doubt_rows(matrix, x) : 0;
}
