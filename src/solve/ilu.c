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
  // Left of the diagonal, row i has the blocks lower[i] … lower[i + 1] - 1; the diagonal block and
  // those right of it are upper[i + 1] … upper[i] - 1: rows from last to first, so that both sweeps
  // of a solve read memory upwards and without gaps.
  int *lower, *upper; // [row_count + 1]
  int *column;        // [blocks]
  int *source;        // [blocks] place in the matrix the values come from
  float *value;       // [blocks][9] (+ padding for 4-wide loads); diagonals are stored inverted
  float *work;        // [row_count][4]
  int *place;         // [threads][row_count] place of a column in the row being eliminated, or -1
  int longest;        // blocks of a row
  float *row;         // [threads][longest][3][4] that row: a column of a block is four lanes
  bool *good;         // [slabs] of the phase at work: no block was singular
};

static int diagonal_of(const StIlu *ilu, int row) {
  return ilu->upper[row + 1];
}

static bool has_block(const StIlu *ilu, const StBlockMatrix *matrix, int row, int k) {
  return matrix->column[k] < ilu->row_count &&
         st_block_matrix_couples(matrix, row, matrix->column[k]);
}

static void count_square_part(const StBlockMatrix *matrix, StIlu *ilu) {
  int count = 0;
  for (int i = 0; i < ilu->row_count; i++) {
    int row = ilu->slabs.order[i];
    ilu->lower[i] = count;
    ilu->upper[i] = 0; // how many at first
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
      if (!has_block(ilu, matrix, row, k))
        continue;
      bool left = ilu->slabs.place[matrix->column[k]] < i;
      count += left;
      ilu->upper[i] += !left;
    }
  }
  ilu->lower[ilu->row_count] = ilu->upper[ilu->row_count] = count;
  for (int i = ilu->row_count - 1; i >= 0; i--) {
    int blocks = ilu->upper[i] + ilu->lower[i + 1] - ilu->lower[i];
    ilu->longest = blocks > ilu->longest ? blocks : ilu->longest;
    ilu->upper[i] += ilu->upper[i + 1];
  }
}

// Adds a block to those from `first` to `end` - 1, which have ascending columns.
static void insert_block(StIlu *ilu, int first, int end, int column, int source) {
  int k = end;
  for (; k > first && ilu->column[k - 1] > column; k--) {
    ilu->column[k] = ilu->column[k - 1];
    ilu->source[k] = ilu->source[k - 1];
  }
  ilu->column[k] = column;
  ilu->source[k] = source;
}

static void copy_pattern(const StBlockMatrix *matrix, StIlu *ilu) {
  for (int i = 0; i < ilu->row_count; i++) {
    int row = ilu->slabs.order[i], first[] = {ilu->lower[i], diagonal_of(ilu, i)};
    int end[] = {first[0], first[1]};
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
      if (!has_block(ilu, matrix, row, k))
        continue;
      int column = ilu->slabs.place[matrix->column[k]], part = column >= i;
      insert_block(ilu, first[part], end[part]++, column, k);
    }
  }
}

static StStatus make_arrays(const StBlockMatrix *matrix, StIlu *ilu, StError *error) {
  size_t rows = (size_t)matrix->row_count, places = rows * (size_t)st_crew_size(ilu->crew);
  ilu->lower = ST_NEW(int, rows + 1);
  ilu->upper = ST_NEW(int, rows + 1);
  ilu->place = ST_NEW(int, places);
  ilu->work = ST_NEW(float, 4 * rows);
  ilu->good = ST_NEW(bool, ilu->slabs.count);
  if (!ilu->lower || !ilu->upper || !ilu->place || !ilu->work || !ilu->good)
    return st_fail_memory(error);
  count_square_part(matrix, ilu);
  size_t blocks = (size_t)ilu->upper[0];
  ilu->row = ST_NEW(float, 12 * (size_t)ilu->longest * (size_t)st_crew_size(ilu->crew));
  ilu->column = ST_ROOM(int, blocks);
  ilu->source = ST_ROOM(int, blocks);
  ilu->value = ST_ROOM(float, 9 * blocks + 4);
  if (!ilu->row || !ilu->column || !ilu->source || !ilu->value)
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
  free(ilu->lower);
  free(ilu->upper);
  free(ilu->place);
  free(ilu->work);
  free(ilu->good);
  free(ilu->row);
  free(ilu->column);
  free(ilu->source);
  free(ilu->value);
  free(ilu);
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

static inline Lanes load(const float *from) {
  return *(const Lanes *)from;
}

static inline void store(Lanes lanes, float *to) {
  *(Lanes *)to = lanes;
}

// A thread's room for the row being eliminated.
typedef struct Desk {
  float *row;
  int *place;
} Desk;

static void load_blocks(const StIlu *ilu, const StBlockMatrix *matrix, int begin, int end,
                        float *to) {
  for (int k = begin; k < end; k++, to += 12) {
    const double *from = matrix->value + 9 * (size_t)ilu->source[k];
    for (int j = 0; j < 3; j++)
      store((Lanes){(float)from[j], (float)from[3 + j], (float)from[6 + j], 0}, to + 4 * j);
  }
}

static void keep_blocks(const StIlu *ilu, int begin, int end, const float *from) {
  float *to = ilu->value + 9 * (size_t)begin;
  for (int k = begin; k < end; k++, from += 12, to += 9)
    for (int j = 0; j < 3; j++)
      memcpy(to + 3 * j, from + 4 * j, 3 * sizeof(float));
}

static void note_places(const StIlu *ilu, int begin, int end, int first, int *place) {
  for (int k = begin; k < end; k++)
    place[ilu->column[k]] = first + k - begin;
}

static void forget_places(const StIlu *ilu, int begin, int end, int *place) {
  for (int k = begin; k < end; k++)
    place[ilu->column[k]] = -1;
}

// c -= a b; c has lanes
static inline void subtract(const Lanes a[3], const float *b, float *c) {
  for (int j = 0; j < 3; j++) {
    Lanes product = a[0] * b[3 * j] + a[1] * b[3 * j + 1] + a[2] * b[3 * j + 2];
    store(load(c + 4 * j) - product, c + 4 * j);
  }
}

// The row lies on the desk: what is left of the diagonal first.
static void eliminate_row(const StIlu *ilu, int row, const Desk *desk) {
  const float *value = ilu->value;
  float *block = desk->row;
  for (int k = ilu->lower[row]; k < ilu->lower[row + 1]; k++, block += 12) {
    int above = ilu->column[k], diagonal = diagonal_of(ilu, above);
    const float *inverse = value + 9 * (size_t)diagonal;
    Lanes factor[3];
    for (int j = 0; j < 3; j++)
      factor[j] = load(block) * inverse[3 * j] + load(block + 4) * inverse[3 * j + 1] +
                  load(block + 8) * inverse[3 * j + 2];
    for (int j = 0; j < 3; j++)
      store(factor[j], block + 4 * j);
    for (int u = diagonal + 1; u < ilu->upper[above]; u++) {
      int place = desk->place[ilu->column[u]];
      if (place >= 0)
        subtract(factor, value + 9 * (size_t)u, desk->row + 12 * place);
    }
  }
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

// An unsound row keeps its diagonal as it was, raised.
static bool invert_pivot(StIlu *ilu, const float *before, int row) {
  float *pivot = ilu->value + 9 * (size_t)diagonal_of(ilu, row);
  if (!pivot_is_sound(pivot))
    memcpy(pivot, before, 9 * sizeof(float));
  return block_invert(pivot);
}

// Fill that is dropped makes pivots too small. What a diagonal block, with lanes, has beyond the
// identity is raised by a share that was fitted; masses need no help.
static const float SHARE = 0.1F;

static void raise_block(float *block) {
  if (!(block[0] + block[5] + block[10] > 3))
    return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      block[4 * j + i] += SHARE * (block[4 * j + i] - (i == j ? 1 : 0));
}

// Factors that are being made, and the phase at work.
typedef struct Work {
  StIlu *ilu;
  const StBlockMatrix *matrix;
  int phase;
} Work;

static bool factor_row(const Work *work, int row, const Desk *desk) {
  StIlu *ilu = work->ilu;
  int left = ilu->lower[row], left_end = ilu->lower[row + 1];
  int right = ilu->upper[row + 1], right_end = ilu->upper[row];
  float before[9], *pivot = desk->row + 12 * (left_end - left);
  load_blocks(ilu, work->matrix, left, left_end, desk->row);
  load_blocks(ilu, work->matrix, right, right_end, pivot);
  raise_block(pivot);
  for (int i = 0; i < 9; i++)
    before[i] = pivot[i + i / 3];
  note_places(ilu, left, left_end, 0, desk->place);
  note_places(ilu, right, right_end, left_end - left, desk->place);
  eliminate_row(ilu, row, desk);
  forget_places(ilu, left, left_end, desk->place);
  forget_places(ilu, right, right_end, desk->place);
  keep_blocks(ilu, left, left_end, desk->row);
  keep_blocks(ilu, right, right_end, pivot);
  return invert_pivot(ilu, before, row);
}

static ST_HOT void factor_slab(void *context, int part, int worker) {
  const Work *work = context;
  StIlu *ilu = work->ilu;
  StSpan rows = st_slabs_rows(&ilu->slabs, work->phase, part);
  Desk desk = {ilu->row + 12 * (size_t)worker * (size_t)ilu->longest,
               ilu->place + (size_t)worker * (size_t)ilu->row_count};
  bool good = true;
  for (int row = rows.begin; row < rows.end && good; row++)
    good = factor_row(work, row, &desk);
  ilu->good[part] = good;
}

bool st_ilu_factor(StIlu *ilu, const StBlockMatrix *matrix) {
  Work work = {ilu, matrix, 0};
  for (; work.phase < ST_SLAB_PHASES; work.phase++) {
    int parts = st_slabs_parts(&ilu->slabs, work.phase);
    st_crew_do(ilu->crew, parts, factor_slab, &work);
    for (int part = 0; part < parts; part++)
      if (!ilu->good[part])
        return false;
  }
  return true;
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
    Lanes y = right - row_product(ilu, ilu->lower[i], ilu->lower[i + 1]);
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
              row_product(ilu, diagonal_of(ilu, i) + 1, ilu->upper[i]);
    const float *inverse = ilu->value + 9 * (size_t)diagonal_of(ilu, i);
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
