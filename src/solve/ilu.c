// Block ILU(0) in single precision. Blocks are stored column-major, so that a block times a vector
// is three 4-wide multiply-adds; the fourth lane carries garbage that nobody reads.
#include "solve/ilu.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

typedef float Lanes __attribute__((vector_size(16), aligned(4)));

struct StIlu {
  int row_count;
  int *row_start; // [row_count + 1]
  int *diagonal;  // [row_count] place of the diagonal block
  int *column;    // [blocks]
  int *source;    // [blocks] place in the matrix the values come from
  float *value;   // [blocks][9] (+ padding for 4-wide loads); diagonals are stored inverted
  float *work;    // [row_count][4]
  int *place;     // [row_count] scratch: place of a column in the row being eliminated, or -1
};

static void count_square_part(const StBlockMatrix *matrix, StIlu *ilu) {
  int count = 0;
  for (int i = 0; i < ilu->row_count; i++) {
    ilu->row_start[i] = count;
    for (int k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++)
      count += matrix->column[k] < ilu->row_count;
  }
  ilu->row_start[ilu->row_count] = count;
}

static void copy_pattern(const StBlockMatrix *matrix, StIlu *ilu) {
  int count = 0;
  for (int i = 0; i < ilu->row_count; i++)
    for (int k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
      int j = matrix->column[k];
      if (j >= ilu->row_count)
        continue;
      if (j == i)
        ilu->diagonal[i] = count;
      ilu->column[count] = j;
      ilu->source[count++] = k;
    }
}

StStatus st_ilu_create(const StBlockMatrix *matrix, StIlu **result, StError *error) {
  StIlu *ilu = ST_NEW(StIlu, 1);
  if (!ilu)
    return st_fail_memory(error);
  int rows = ilu->row_count = matrix->row_count;
  ilu->row_start = ST_NEW(int, rows + 1);
  ilu->diagonal = ST_NEW(int, rows);
  ilu->place = ST_NEW(int, rows);
  ilu->work = ST_NEW(float, 4 * (size_t)rows);
  if (ilu->row_start)
    count_square_part(matrix, ilu);
  size_t blocks = ilu->row_start ? (size_t)ilu->row_start[rows] : 0;
  ilu->column = ST_NEW(int, blocks);
  ilu->source = ST_NEW(int, blocks);
  ilu->value = ST_NEW(float, 9 * blocks + 4);
  if (!ilu->row_start || !ilu->diagonal || !ilu->place || !ilu->work || !ilu->column ||
      !ilu->source || !ilu->value) {
    st_ilu_destroy(ilu);
    return st_fail_memory(error);
  }
  copy_pattern(matrix, ilu);
  for (int i = 0; i < rows; i++)
    ilu->place[i] = -1;
  *result = ilu;
  return ST_OK;
}

void st_ilu_destroy(StIlu *ilu) {
  if (!ilu)
    return;
  free(ilu->row_start);
  free(ilu->diagonal);
  free(ilu->place);
  free(ilu->work);
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

static void eliminate_row(StIlu *ilu, int row) {
  int begin = ilu->row_start[row], end = ilu->row_start[row + 1];
  float *value = ilu->value;
  for (int k = begin; k < end; k++)
    ilu->place[ilu->column[k]] = k;
  for (int k = begin; k < ilu->diagonal[row]; k++) {
    int above = ilu->column[k];
    float factor[9];
    block_multiply(value + 9 * (size_t)k, value + 9 * (size_t)ilu->diagonal[above], factor);
    memcpy(value + 9 * (size_t)k, factor, sizeof factor);
    for (int u = ilu->diagonal[above] + 1; u < ilu->row_start[above + 1]; u++) {
      int place = ilu->place[ilu->column[u]];
      if (place >= 0)
        block_subtract(factor, value + 9 * (size_t)u, value + 9 * (size_t)place);
    }
  }
  for (int k = begin; k < end; k++)
    ilu->place[ilu->column[k]] = -1;
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

// Factors of the matrix with its diagonal blocks made larger by a share. Gives up when more rows
// than `most` are unsound.
static bool factor_shifted(StIlu *ilu, const StBlockMatrix *matrix, double share, int most) {
  int unsound = 0;
  for (int row = 0; row < ilu->row_count; row++) {
    float before[9], *pivot = ilu->value + 9 * (size_t)ilu->diagonal[row];
    load_row(ilu, matrix, row);
    for (int i = 0; i < 9; i++)
      pivot[i] *= (float)(1 + share);
    memcpy(before, pivot, sizeof before);
    eliminate_row(ilu, row);
    if (!invert_pivot(ilu, before, row, &unsound) || unsound > most)
      return false;
  }
  return true;
}

// A share of the diagonal is sought anew every time, so that what was solved before has no say.
bool st_ilu_factor(StIlu *ilu, const StBlockMatrix *matrix, StIluCare care) {
  static const double share[] = {0, 0.02, 0.1, 0.4};
  int few = ilu->row_count / 200;
  for (int i = 0; i < ST_LENGTH(share); i++)
    if (factor_shifted(ilu, matrix, share[i], care == ST_ILU_SOUND && i > 0 ? 0 : few))
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

void st_ilu_solve(StIlu *ilu, const double *b, double *x) {
  float *work = ilu->work;
  for (int i = 0; i < ilu->row_count; i++) {
    Lanes right = {(float)b[3 * i], (float)b[3 * i + 1], (float)b[3 * i + 2], 0};
    Lanes y = right - row_product(ilu, ilu->row_start[i], ilu->diagonal[i]);
    y[3] = 0;
    *(Lanes *)(work + 4 * (size_t)i) = y;
  }
  for (int i = ilu->row_count - 1; i >= 0; i--) {
    Lanes y = *(Lanes *)(work + 4 * (size_t)i) -
              row_product(ilu, ilu->diagonal[i] + 1, ilu->row_start[i + 1]);
    const float *inverse = ilu->value + 9 * (size_t)ilu->diagonal[i];
    Lanes z = load(inverse) * y[0] + load(inverse + 3) * y[1] + load(inverse + 6) * y[2];
    *(Lanes *)(work + 4 * (size_t)i) = z;
    for (int c = 0; c < 3; c++)
      x[3 * i + c] = z[c];
  }
}
