// Widening a block matrix's pattern by cliques of any size: contacts couple vertices that share no
// element, and which ones they are changes as bodies move.
#include "base/memory.h"
#include "math/block_matrix.h"

#include <stdint.h>
#include <string.h>

// Missing blocks as (row, column) in one number, so that sorting is plain.
typedef struct Missing {
  uint64_t *key;
  size_t count, capacity;
} Missing;

static bool note_missing(const StBlockMatrix *matrix, const int *clique, int size,
                         Missing *missing) {
  for (int i = 0; i < size; i++) {
    if (clique[i] >= matrix->row_count)
      continue;
    for (int j = 0; j < size; j++) {
      if (st_block_matrix_slot(matrix, clique[i], clique[j]) >= 0)
        continue;
      if (!st_grow((void **)&missing->key, &missing->capacity, missing->count + 1,
                   sizeof(uint64_t)))
        return false;
      missing->key[missing->count++] = (uint64_t)clique[i] << 32 | (uint32_t)clique[j];
    }
  }
  return true;
}

static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_unique(Missing *missing) {
  size_t kept = 0;
  qsort(missing->key, missing->count, sizeof(uint64_t), compare_keys);
  for (size_t i = 0; i < missing->count; i++)
    if (i == 0 || missing->key[i] != missing->key[i - 1])
      missing->key[kept++] = missing->key[i];
  missing->count = kept;
}

// Merges each row's present columns with its missing ones, both sorted.
static void merge(const StBlockMatrix *matrix, const Missing *missing, int *row_start,
                  int *column) {
  size_t next = 0;
  int written = 0;
  for (int row = 0; row < matrix->row_count; row++) {
    row_start[row] = written;
    int old = matrix->row_start[row], end = matrix->row_start[row + 1];
    while (old < end || (next < missing->count && missing->key[next] >> 32 == (uint64_t)row)) {
      bool more = next < missing->count && missing->key[next] >> 32 == (uint64_t)row;
      int fresh = more ? (int)(missing->key[next] & UINT32_MAX) : 0;
      if (!more || (old < end && matrix->column[old] < fresh)) {
        column[written++] = matrix->column[old++];
      } else {
        column[written++] = fresh;
        next++;
      }
    }
  }
  row_start[matrix->row_count] = written;
}

static StStatus replace_pattern(StBlockMatrix *matrix, const Missing *missing, StError *error) {
  size_t blocks = (size_t)matrix->row_start[matrix->row_count] + missing->count;
  int *row_start = ST_NEW(int, (size_t)matrix->row_count + 1), *column = ST_NEW(int, blocks);
  double *value = ST_NEW(double, 9 * blocks);
  if (!row_start || !column || !value) {
    free(row_start);
    free(column);
    free(value);
    return st_fail_memory(error);
  }
  merge(matrix, missing, row_start, column);
  free(matrix->row_start);
  free(matrix->column);
  free(matrix->value);
  matrix->row_start = row_start;
  matrix->column = column;
  matrix->value = value;
  return ST_OK;
}

StStatus st_block_matrix_widen(StBlockMatrix *matrix, const size_t *start, const int *clique,
                               int clique_count, bool *changed, StError *error) {
  Missing missing = {0};
  StStatus status = ST_OK;
  *changed = false;
  for (int c = 0; c < clique_count && status == ST_OK; c++)
    if (!note_missing(matrix, clique + start[c], (int)(start[c + 1] - start[c]), &missing))
      status = st_fail_memory(error);
  if (status == ST_OK && missing.count > 0) {
    sort_unique(&missing);
    status = replace_pattern(matrix, &missing, error);
    *changed = status == ST_OK;
  }
  free(missing.key);
  return status;
}
