// Block ILU(0) in single precision. Blocks are stored column-major, so that a block times a vector
// is three 4-wide multiply-adds; the fourth lane carries garbage that nobody reads. Rows are taken
// in the order of solve/slabs.h, so that threads can share them.
#include "solve/ilu.h"

#include "base/memory.h"
#include "math/hot.h"
#include "math/vec3.h"
#include "solve/slabs.h"

#include <string.h>

typedef float Lanes __attribute__((vector_size(16), aligned(4)));

// Rows and columns are numbered in the slabs' order.
struct StIlu {
  int row_count;
  StCrew *crew;
  StSlabs slabs;
  int *row_start; // [row_count + 1]
  int *diagonal;  // [row_count] place of the diagonal block
  int *column;    // [blocks]
  int *source;    // [blocks] place in the matrix the values come from
  float *value;   // [blocks][9] (+ padding for 4-wide loads); diagonals are stored inverted
  float *work;    // [row_count][4]
  int *place;     // [threads][row_count] place of a column in the row being eliminated, or -1
  int *unsound;   // [slabs] rows of the phase at work; -1: a block is singular
};

static void count_square_part(const StBlockMatrix *matrix, StIlu *ilu) {
  int count = 0;
  for (int i = 0; i < ilu->row_count; i++) {
    int row = ilu->slabs.order[i];
    ilu->row_start[i] = count;
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      count += matrix->column[k] < ilu->row_count;
  }
  ilu->row_start[ilu->row_count] = count;
}

// Adds a block to the row that ends at `count`, among its columns in ascending order.
static void insert_block(StIlu *ilu, int first, int count, int column, int source) {
  int k = count;
  for (; k > first && ilu->column[k - 1] > column; k--) {
    ilu->column[k] = ilu->column[k - 1];
    ilu->source[k] = ilu->source[k - 1];
  }
  ilu->column[k] = column;
  ilu->source[k] = source;
}

static void copy_pattern(const StBlockMatrix *matrix, StIlu *ilu) {
  int count = 0;
  for (int i = 0; i < ilu->row_count; i++) {
    int row = ilu->slabs.order[i];
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      if (matrix->column[k] < ilu->row_count)
        insert_block(ilu, ilu->row_start[i], count++, ilu->slabs.place[matrix->column[k]], k);
    for (int k = ilu->row_start[i]; k < count; k++)
      if (ilu->column[k] == i)
        ilu->diagonal[i] = k;
  }
}

static StStatus make_arrays(const StBlockMatrix *matrix, StIlu *ilu, StError *error) {
  size_t rows = (size_t)matrix->row_count, places = rows * (size_t)st_crew_size(ilu->crew);
  ilu->row_start = ST_NEW(int, rows + 1);
  ilu->diagonal = ST_NEW(int, rows);
  ilu->place = ST_NEW(int, places);
  ilu->work = ST_NEW(float, 4 * rows);
  ilu->unsound = ST_NEW(int, ilu->slabs.count);
  if (!ilu->row_start || !ilu->diagonal || !ilu->place || !ilu->work || !ilu->unsound)
    return st_fail_memory(error);
  count_square_part(matrix, ilu);
  size_t blocks = (size_t)ilu->row_start[rows];
  ilu->column = ST_ROOM(int, blocks);
  ilu->source = ST_ROOM(int, blocks);
  ilu->value = ST_ROOM(float, 9 * blocks + 4);
  if (!ilu->column || !ilu->source || !ilu->value)
    return st_fail_memory(error);
  memset(ilu->place, 0xff, places * sizeof(int));
  return ST_OK;
}

StStatus st_ilu_create(const StBlockMatrix *matrix, StIlu **result, StError *error) {
  StIlu *ilu = ST_NEW(StIlu, 1);
  if (!ilu)
    return st_fail_memory(error);
  ilu->row_count = matrix->row_count;
  ilu->crew = matrix->crew;
  StStatus status = st_slabs_create(matrix, &ilu->slabs, error);
  if (status == ST_OK)
    status = make_arrays(matrix, ilu, error);
  if (status != ST_OK) {
    st_ilu_destroy(ilu);
    return status;
  }
  copy_pattern(matrix, ilu);
  *result = ilu;
  return ST_OK;
}

void st_ilu_destroy(StIlu *ilu) {
  if (!ilu)
    return;
  st_slabs_free(&ilu->slabs);
  free(ilu->row_start);
  free(ilu->diagonal);
  free(ilu->place);
  free(ilu->work);
  free(ilu->unsound);
  free(ilu->column);
  free(ilu->source);
  free(ilu->value);
  free(ilu);
}

// c = a b, column-major
static inline void block_multiply(const float *restrict a, const float *restrict b,
                                  float *restrict c) {
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      c[3 * j + i] = a[i] * b[3 * j] + a[3 + i] * b[3 * j + 1] + a[6 + i] * b[3 * j + 2];
}

// c -= a b, column-major
static inline void block_subtract(const float *restrict a, const float *restrict b,
                                  float *restrict c) {
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      c[3 * j + i] -= a[i] * b[3 * j] + a[3 + i] * b[3 * j + 1] + a[6 + i] * b[3 * j + 2];
}

// Inverts in double: a pivot may be badly conditioned where the factors as a whole are not. False,
// and untouched, when it is singular.
static bool block_invert(float *block) {
  double a[9], inverse[9];
  for (int i = 0; i < 9; i++)
    a[i] = block[i];
  double det = mat3_inverse(a, inverse);
  if (!(fabs(det) > 0) || !isfinite(det))
    return false;
  for (int i = 0; i < 9; i++)
    block[i] = (float)inverse[i];
  return true;
}

static void load_row(const StIlu *ilu, const StBlockMatrix *matrix, int row) {
  for (int k = ilu->row_start[row]; k < ilu->row_start[row + 1]; k++) {
    const double *from = matrix->value + 9 * (size_t)ilu->source[k];
    float *to = ilu->value + 9 * (size_t)k;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        to[3 * j + i] = (float)from[3 * i + j];
  }
}

static void eliminate_row(StIlu *ilu, int row, int *placed) {
  int begin = ilu->row_start[row], end = ilu->row_start[row + 1];
  float *value = ilu->value;
  for (int k = begin; k < end; k++)
    placed[ilu->column[k]] = k;
  for (int k = begin; k < ilu->diagonal[row]; k++) {
    int above = ilu->column[k];
    float factor[9];
    block_multiply(value + 9 * (size_t)k, value + 9 * (size_t)ilu->diagonal[above], factor);
    memcpy(value + 9 * (size_t)k, factor, sizeof factor);
    for (int u = ilu->diagonal[above] + 1; u < ilu->row_start[above + 1]; u++) {
      int place = placed[ilu->column[u]];
      if (place >= 0)
        block_subtract(factor, value + 9 * (size_t)u, value + 9 * (size_t)place);
    }
  }
  for (int k = begin; k < end; k++)
    placed[ilu->column[k]] = -1;
}

// The matrix is the identity plus something mostly positive, and the quotients by which an exact
// elimination divides would be no smaller than 1. Smaller or negative ones come from the fill that
// was dropped: stiff contacts couple many vertices at once, and bending couples with both signs.
static const double LEAST_QUOTIENT = 0.3;

static bool pivot_is_sound(const float *pivot) {
  double a = pivot[0], b = 0.5 * (pivot[1] + pivot[3]), c = 0.5 * (pivot[2] + pivot[6]);
  double d = pivot[4], e = 0.5 * (pivot[5] + pivot[7]), f = pivot[8];
  if (!(a > LEAST_QUOTIENT))
    return false;
  double second = d - b * b / a, lower = e - b * c / a;
  if (!(second > LEAST_QUOTIENT))
    return false;
  return f - c * c / a - lower * lower / second > LEAST_QUOTIENT;
}

// An unsound row keeps its diagonal as it was, which is safe as long as few do.
static bool invert_pivot(StIlu *ilu, const float *before, int row, int *unsound) {
  float *pivot = ilu->value + 9 * (size_t)ilu->diagonal[row];
  if (!pivot_is_sound(pivot)) {
    memcpy(pivot, before, 9 * sizeof(float));
    ++*unsound;
  }
  return block_invert(pivot);
}

// Raises what a diagonal block has beyond the identity: masses need no help.
static void raise_block(float *block, float share) {
  if (!(block[0] + block[4] + block[8] > 3))
    return;
  for (int i = 0; i < 9; i++)
    block[i] += share * (block[i] - (i % 4 == 0 ? 1 : 0));
}

// One attempt at factors, and the phase that is at work.
typedef struct Attempt {
  StIlu *ilu;
  const StBlockMatrix *matrix;
  double share;
  int most;
  int phase;
} Attempt;

static ST_HOT void factor_slab(void *context, int part, int worker) {
  const Attempt *attempt = context;
  StIlu *ilu = attempt->ilu;
  StSpan rows = st_slabs_rows(&ilu->slabs, attempt->phase, part);
  int *unsound = &ilu->unsound[part],
      *placed = ilu->place + (size_t)worker * (size_t)ilu->row_count;
  *unsound = 0;
  for (int row = rows.begin; row < rows.end; row++) {
    float before[9], *pivot = ilu->value + 9 * (size_t)ilu->diagonal[row];
    load_row(ilu, attempt->matrix, row);
    raise_block(pivot, (float)attempt->share);
    memcpy(before, pivot, sizeof before);
    eliminate_row(ilu, row, placed);
    if (!invert_pivot(ilu, before, row, unsound))
      *unsound = -1;
    if (*unsound < 0 || *unsound > attempt->most)
      return;
  }
}

// Factors of the matrix with its diagonal blocks made larger by a share. Gives up when more rows
// than `most` are unsound.
static bool factor_shifted(StIlu *ilu, const StBlockMatrix *matrix, double share, int most) {
  Attempt attempt = {ilu, matrix, share, most, 0};
  int unsound = 0;
  for (; attempt.phase < ST_SLAB_PHASES; attempt.phase++) {
    int parts = st_slabs_parts(&ilu->slabs, attempt.phase);
    st_crew_do(ilu->crew, parts, factor_slab, &attempt);
    for (int part = 0; part < parts; part++) {
      if (ilu->unsound[part] < 0)
        return false;
      unsound += ilu->unsound[part];
    }
    if (unsound > most)
      return false;
  }
  return true;
}

// The share of the diagonal is searched again every time, so that earlier solves have no influence.
bool st_ilu_factor(StIlu *ilu, const StBlockMatrix *matrix, StIluCare care) {
  static const double share[] = {0.1, 0.2, 0.4};
  int few = ilu->row_count / 200;
  for (int i = 0; i < ST_LENGTH(share); i++)
    if (factor_shifted(ilu, matrix, share[i], care == ST_ILU_SOUND ? 0 : few))
      return true;
  return factor_shifted(ilu, matrix, 0, ilu->row_count);
}

static inline Lanes load(const float *from) {
  return *(const Lanes *)from;
}

// Sum of blocks begin … end-1 times their parts of x. Three sums keep the adders busy.
static inline Lanes row_product(const StIlu *ilu, int begin, int end) {
  Lanes a = {0}, b = {0}, c = {0};
  const float *block = ilu->value + 9 * (size_t)begin;
  for (int k = begin; k < end; k++, block += 9) {
    const float *x = ilu->work + 4 * (size_t)ilu->column[k];
    a += load(block) * x[0];
    b += load(block + 3) * x[1];
    c += load(block + 6) * x[2];
  }
  return a + b + c;
}

typedef struct Solve {
  StIlu *ilu;
  const double *b;
  double *x;
  int phase;
} Solve;

static ST_HOT void go_forward(void *context, int part, int worker) {
  (void)worker;
  const Solve *solve = context;
  const StIlu *ilu = solve->ilu;
  StSpan rows = st_slabs_rows(&ilu->slabs, solve->phase, part);
  for (int i = rows.begin; i < rows.end; i++) {
    const double *b = solve->b + 3 * (size_t)ilu->slabs.order[i];
    Lanes right = {(float)b[0], (float)b[1], (float)b[2], 0};
    Lanes y = right - row_product(ilu, ilu->row_start[i], ilu->diagonal[i]);
    y[3] = 0;
    *(Lanes *)(ilu->work + 4 * (size_t)i) = y;
  }
}

static ST_HOT void go_back(void *context, int part, int worker) {
  (void)worker;
  const Solve *solve = context;
  const StIlu *ilu = solve->ilu;
  StSpan rows = st_slabs_rows(&ilu->slabs, solve->phase, part);
  for (int i = rows.end - 1; i >= rows.begin; i--) {
    Lanes y = *(Lanes *)(ilu->work + 4 * (size_t)i) -
              row_product(ilu, ilu->diagonal[i] + 1, ilu->row_start[i + 1]);
    const float *inverse = ilu->value + 9 * (size_t)ilu->diagonal[i];
    Lanes z = load(inverse) * y[0] + load(inverse + 3) * y[1] + load(inverse + 6) * y[2];
    double *x = solve->x + 3 * (size_t)ilu->slabs.order[i];
    *(Lanes *)(ilu->work + 4 * (size_t)i) = z;
    for (int c = 0; c < 3; c++)
      x[c] = z[c];
  }
}

void st_ilu_solve(StIlu *ilu, const double *b, double *x) {
  Solve solve = {ilu, b, x, 0};
  for (; solve.phase < ST_SLAB_PHASES; solve.phase++)
    st_crew_do(ilu->crew, st_slabs_parts(&ilu->slabs, solve.phase), go_forward, &solve);
  while (solve.phase-- > 0)
    st_crew_do(ilu->crew, st_slabs_parts(&ilu->slabs, solve.phase), go_back, &solve);
}
