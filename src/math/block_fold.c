// Row by row: A's blocks are first summed by columns of P into a half row, which then goes to each
// of the row's targets. Doing both at once would take sixteen additions per block instead of little
// more than four.
#include "math/block_fold.h"

#include "base/memory.h"
#include "base/search.h"

#include <limits.h>
#include <string.h>

enum { ROWS_AT_ONCE = 64 }; // at least, for one thread

// A row of AP.
typedef struct Half {
  size_t first; // of its columns, and of their slots in the folded matrix, one list per target
  int count;
} Half;

struct StBlockFold {
  const StFoldMap *map;
  StBlockMatrix *folded;
  size_t half_capacity, place_capacity, column_capacity, slot_capacity;
  Half *half;     // [rows of A]
  int *place;     // of A's blocks, for each entry of P in their columns: which of the half row's
  int *column;    // of half rows
  size_t *slots;  // [rows of A] first slot of a half row
  int *slot;      // [targets of the row][columns of the half row]
  int *mark;      // [columns] last row that has the column …
  int *where;     // [columns] … and where
  size_t *places; // [rows of A] first place of a row
  int *cut;       // [cut_count + 1] rows of A that are folded, in parts with targets of their own
  int cut_count;
  int longest;    // half row
  double *buffer; // [threads][longest][9]
  size_t slots_capacity, places_capacity, cut_capacity, buffer_capacity;
};

static StBlockMatrix *empty_matrix(const StFoldMap *map) {
  StBlockMatrix *matrix = ST_NEW(StBlockMatrix, 1);
  if (!matrix)
    return NULL;
  matrix->row_count = map->row_count;
  matrix->column_count = map->column_count;
  matrix->row_start = ST_NEW(int, (size_t)map->row_count + 1);
  if (matrix->row_start)
    return matrix;
  st_block_matrix_destroy(matrix);
  return NULL;
}

StStatus st_block_fold_create(const StFoldMap *map, StBlockFold **result, StError *error) {
  StBlockFold *fold = ST_NEW(StBlockFold, 1);
  ST_TRY_MEMORY(fold, error);
  fold->map = map;
  fold->folded = empty_matrix(map);
  fold->mark = ST_NEW(int, map->column_count);
  fold->where = ST_NEW(int, map->column_count);
  if (!fold->folded || !fold->mark || !fold->where) {
    st_block_fold_destroy(fold);
    return st_fail_memory(error);
  }
  *result = fold;
  return ST_OK;
}

void st_block_fold_destroy(StBlockFold *fold) {
  if (!fold)
    return;
  st_block_matrix_destroy(fold->folded);
  void *array[] = {fold->half, fold->place, fold->column, fold->slots, fold->slot,
                   fold->mark, fold->where, fold->buffer, fold->cut,   fold->places};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  free(fold);
}

StBlockMatrix *st_block_fold_matrix(const StBlockFold *fold) {
  return fold->folded;
}

static int targets(const StFoldMap *map, int vertex) {
  return map->start[vertex + 1] - map->start[vertex];
}

static void forget_marks(StBlockFold *fold) {
  memset(fold->mark, 0xff, (size_t)fold->map->column_count * sizeof(int));
}

static bool grow(StBlockFold *fold, const StBlockMatrix *from) {
  size_t rows = (size_t)from->row_count, places = 0;
  for (int k = 0; k < from->row_start[from->row_count]; k++)
    places += (size_t)targets(fold->map, from->column[k]);
  return st_grow((void **)&fold->half, &fold->half_capacity, rows, sizeof(Half)) &&
         st_grow((void **)&fold->slots, &fold->slots_capacity, rows, sizeof(size_t)) &&
         st_grow((void **)&fold->places, &fold->places_capacity, rows, sizeof(size_t)) &&
         st_grow((void **)&fold->cut, &fold->cut_capacity, 2 * rows + 2, sizeof(int)) &&
         st_grow((void **)&fold->place, &fold->place_capacity, places, sizeof(int)) &&
         st_grow((void **)&fold->column, &fold->column_capacity, places, sizeof(int));
}

// Rows that stay have themselves as their target. The others are cut where no later row has a
// target that an earlier one has: carried vertices stand in the order of what carries them.
static void cut_rows(StBlockFold *fold, int rows) {
  const StFoldMap *map = fold->map;
  int stay = map->row_count < rows ? map->row_count : rows, highest = -1;
  int *lowest = fold->cut + rows + 1; // of this row's targets and all later ones
  for (int row = rows - 1; row >= stay; row--) {
    lowest[row] = row + 1 < rows ? lowest[row + 1] : INT_MAX;
    for (int e = map->start[row]; e < map->start[row + 1]; e++)
      lowest[row] = map->target[e] < lowest[row] ? map->target[e] : lowest[row];
  }
  fold->cut_count = 0;
  fold->cut[0] = stay;
  for (int row = stay; row < rows; row++) {
    if (row - fold->cut[fold->cut_count] >= ROWS_AT_ONCE && highest < lowest[row])
      fold->cut[++fold->cut_count] = row;
    for (int e = map->start[row]; e < map->start[row + 1]; e++)
      highest = map->target[e] > highest ? map->target[e] : highest;
  }
  fold->cut[++fold->cut_count] = rows;
}

// Columns of AP, and where A's blocks go among them.
static int list_halves(StBlockFold *fold, const StBlockMatrix *from) {
  const StFoldMap *map = fold->map;
  size_t used = 0, at = 0;
  int longest = 0;
  forget_marks(fold);
  for (int row = 0; row < from->row_count; row++) {
    Half *half = &fold->half[row];
    *half = (Half){used, 0};
    fold->places[row] = at;
    for (int k = from->row_start[row]; k < from->row_start[row + 1]; k++)
      for (int e = map->start[from->column[k]]; e < map->start[from->column[k] + 1]; e++) {
        int column = map->target[e];
        if (fold->mark[column] != row) {
          fold->mark[column] = row;
          fold->where[column] = half->count++;
          fold->column[used++] = column;
        }
        fold->place[at++] = fold->where[column];
      }
    longest = half->count > longest ? half->count : longest;
  }
  return longest;
}

// Rows of A that contribute to each row: Pᵀ, in compressed rows.
typedef struct Sources {
  int *start, *row;
} Sources;

static bool find_sources(const StBlockFold *fold, int rows, Sources *sources) {
  const StFoldMap *map = fold->map;
  *sources = (Sources){ST_NEW(int, (size_t)map->row_count + 2), ST_NEW(int, map->start[rows])};
  if (!sources->start || !sources->row)
    return false;
  for (int e = 0; e < map->start[rows]; e++)
    sources->start[map->target[e] + 2]++;
  for (int r = 0; r < map->row_count; r++)
    sources->start[r + 2] += sources->start[r + 1];
  for (int i = 0; i < rows; i++)
    for (int e = map->start[i]; e < map->start[i + 1]; e++)
      sources->row[sources->start[map->target[e] + 1]++] = i;
  return true;
}

// Columns of a folded row, sorted, into `list` if there is one; returns how many.
static int list_row(StBlockFold *fold, const Sources *sources, int row, int *list) {
  int count = 0;
  for (int s = sources->start[row]; s < sources->start[row + 1]; s++) {
    const Half *half = &fold->half[sources->row[s]];
    for (int k = 0; k < half->count; k++) {
      int column = fold->column[half->first + (size_t)k];
      if (fold->mark[column] == row)
        continue;
      fold->mark[column] = row;
      if (list)
        list[count] = column;
      count++;
    }
  }
  if (list)
    qsort(list, (size_t)count, sizeof(int), st_compare_ints);
  return count;
}

static StStatus build_pattern(StBlockFold *fold, const Sources *sources, int **row_start,
                              int **column, StError *error) {
  int rows = fold->map->row_count;
  size_t sum = 0;
  ST_TRY_MEMORY(*row_start = ST_NEW(int, (size_t)rows + 1), error);
  forget_marks(fold);
  for (int row = 0; row < rows; row++) {
    sum += (size_t)list_row(fold, sources, row, NULL);
    if (sum > INT_MAX)
      return st_fail(error, ST_BAD_INPUT,
                     "the scene needs more than %d matrix blocks; use more "
                     "ranks",
                     INT_MAX);
    (*row_start)[row + 1] = (int)sum;
  }
  ST_TRY_MEMORY(*column = ST_NEW(int, sum), error);
  forget_marks(fold);
  for (int row = 0; row < rows; row++)
    list_row(fold, sources, row, *column + (*row_start)[row]);
  return ST_OK;
}

static bool is_same(const StBlockMatrix *matrix, const int *row_start, const int *column) {
  size_t rows = (size_t)matrix->row_count + 1;
  return memcmp(matrix->row_start, row_start, rows * sizeof(int)) == 0 &&
         memcmp(matrix->column, column, (size_t)row_start[rows - 1] * sizeof(int)) == 0;
}

// Takes ownership of the arrays.
static StStatus take_pattern(StBlockFold *fold, int *row_start, int *column, bool *changed,
                             StError *error) {
  StBlockMatrix *matrix = fold->folded;
  *changed = !is_same(matrix, row_start, column);
  if (*changed && st_block_matrix_replace(matrix, row_start, column))
    return ST_OK;
  free(row_start);
  free(column);
  return *changed ? st_fail_memory(error) : ST_OK;
}

// For one target of a row of A.
static void find_slots(StBlockFold *fold, const Half *half, int target, int *slot) {
  for (int k = 0; k < half->count; k++)
    slot[k] = st_block_matrix_slot(fold->folded, target, fold->column[half->first + (size_t)k]);
}

static bool list_slots(StBlockFold *fold, const StBlockMatrix *from, int longest) {
  const StFoldMap *map = fold->map;
  size_t total = 0;
  for (int row = 0; row < from->row_count; row++) {
    fold->slots[row] = total;
    total += (size_t)fold->half[row].count * (size_t)targets(map, row);
  }
  size_t buffers = 9 * (size_t)longest * (size_t)st_crew_size(from->crew);
  fold->longest = longest;
  if (!st_grow((void **)&fold->slot, &fold->slot_capacity, total, sizeof(int)) ||
      !st_grow((void **)&fold->buffer, &fold->buffer_capacity, buffers, sizeof(double)))
    return false;
  for (int row = 0; row < from->row_count; row++)
    for (int e = map->start[row], at = 0; e < map->start[row + 1]; e++, at++)
      find_slots(fold, &fold->half[row], map->target[e],
                 fold->slot + fold->slots[row] + (size_t)(at * fold->half[row].count));
  return true;
}

StStatus st_block_fold_fit(StBlockFold *fold, const StBlockMatrix *from, bool *changed,
                           StError *error) {
  Sources sources = {0};
  int *row_start = NULL, *column = NULL, longest = 0;
  *changed = false;
  fold->folded->crew = from->crew;
  StStatus status = grow(fold, from) ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    longest = list_halves(fold, from);
    cut_rows(fold, from->row_count);
    status = find_sources(fold, from->row_count, &sources)
                 ? build_pattern(fold, &sources, &row_start, &column, error)
                 : st_fail_memory(error);
  }
  free(sources.start);
  free(sources.row);
  if (status != ST_OK) {
    free(row_start);
    free(column);
    return status;
  }
  ST_TRY(take_pattern(fold, row_start, column, changed, error));
  return list_slots(fold, from, longest) ? ST_OK : st_fail_memory(error);
}

static void add_block(double weight, const double *from, double *to) {
  for (int i = 0; i < 9; i++)
    to[i] += weight * from[i];
}

// Sums a row of A by columns of P.
static void fold_columns(const StBlockFold *fold, const StBlockMatrix *from, int row,
                         double *buffer) {
  const StFoldMap *map = fold->map;
  const int *place = fold->place + fold->places[row];
  memset(buffer, 0, 9 * (size_t)fold->half[row].count * sizeof(double));
  for (int k = from->row_start[row]; k < from->row_start[row + 1]; k++) {
    int column = from->column[k];
    for (int e = map->start[column]; e < map->start[column + 1]; e++)
      add_block(map->weight[e], from->value + 9 * (size_t)k, buffer + 9 * (size_t)*place++);
  }
}

// Most vertices that are carried touch nothing.
static bool is_empty(const StBlockMatrix *from, int row) {
  for (size_t k = 9 * (size_t)from->row_start[row]; k < 9 * (size_t)from->row_start[row + 1]; k++)
    if (from->value[k] != 0)
      return false;
  return true;
}

typedef struct Folding {
  StBlockFold *fold;
  const StBlockMatrix *from;
} Folding;

static void fold_rows(const Folding *folding, int begin, int end, int worker) {
  StBlockFold *fold = folding->fold;
  const StFoldMap *map = fold->map;
  double *buffer = fold->buffer + 9 * (size_t)fold->longest * (size_t)worker;
  for (int row = begin; row < end; row++) {
    const int *slot = fold->slot + fold->slots[row];
    if (is_empty(folding->from, row))
      continue;
    fold_columns(fold, folding->from, row, buffer);
    for (int e = map->start[row]; e < map->start[row + 1]; e++)
      for (int k = 0; k < fold->half[row].count; k++)
        add_block(map->weight[e], buffer + 9 * (size_t)k,
                  fold->folded->value + 9 * (size_t)*slot++);
  }
}

static void fold_staying(void *context, int part, int worker) {
  const Folding *folding = context;
  StSpan rows = st_span_part(folding->fold->cut[0], ROWS_AT_ONCE, part);
  fold_rows(folding, rows.begin, rows.end, worker);
}

static void fold_carried(void *context, int part, int worker) {
  const Folding *folding = context;
  const int *cut = folding->fold->cut;
  fold_rows(folding, cut[part], cut[part + 1], worker);
}

void st_block_fold_add(StBlockFold *fold, const StBlockMatrix *from) {
  Folding folding = {fold, from};
  st_block_matrix_clear(fold->folded);
  st_crew_do(from->crew, st_span_count(fold->cut[0], ROWS_AT_ONCE), fold_staying, &folding);
  st_crew_do(from->crew, fold->cut_count, fold_carried, &folding);
}
