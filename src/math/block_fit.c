// Fits a block matrix's pattern to cliques of any size: elements, and contacts, which couple
// vertices that share no element, and other ones as bodies move.
#include "base/memory.h"
#include "math/block_matrix.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

enum { CLIQUES_AT_ONCE = 64 }; // for one thread

// Member m of a clique, in the list of its row.
typedef struct Entry {
  int clique, member;
} Entry;

typedef struct Fit {
  StBlockMatrix *matrix;
  const StCliques *cliques;
  const int *kept_start, *kept; // blocks that are always kept
  size_t *start;                // [row_count + 1]
  Entry *entry;                 // [start[row_count]] the cliques' members by rows
  int *length;                  // [row_count] columns that a row needs
  int *mark;                    // [column_count] last row that has the column …
  int *place;                   // [column_count] … and where
} Fit;

static void fit_free(Fit *fit) {
  free(fit->start);
  free(fit->entry);
  free(fit->length);
  free(fit->mark);
  free(fit->place);
}

static void count_entries(Fit *fit) {
  int rows = fit->matrix->row_count;
  const StCliques *cliques = fit->cliques;
  for (size_t e = 0; e < cliques->start[cliques->count]; e++)
    if (cliques->member[e] >= 0 && cliques->member[e] < rows)
      fit->start[cliques->member[e]]++;
  size_t sum = 0;
  for (int row = 0; row <= rows; row++) {
    size_t count = fit->start[row];
    fit->start[row] = sum += row < rows ? count : 0;
  }
}

// Backwards, which leaves start[row] at the first entry.
static void sort_entries(Fit *fit) {
  const StCliques *cliques = fit->cliques;
  for (int c = cliques->count; c-- > 0;)
    for (int m = st_cliques_size(cliques, c); m-- > 0;) {
      int row = cliques->member[cliques->start[c] + (size_t)m];
      if (row >= 0 && row < fit->matrix->row_count)
        fit->entry[--fit->start[row]] = (Entry){c, m};
    }
}

static bool fit_create(StBlockMatrix *matrix, const StCliques *cliques, bool keep, Fit *fit) {
  *fit = (Fit){.matrix = matrix,
               .cliques = cliques,
               .kept_start = keep ? matrix->row_start : matrix->base_start,
               .kept = keep ? matrix->column : matrix->base_column,
               .start = ST_NEW(size_t, (size_t)matrix->row_count + 1),
               .entry = ST_ROOM(Entry, cliques->start[cliques->count]),
               .length = ST_ROOM(int, matrix->row_count),
               .mark = ST_ROOM(int, matrix->column_count),
               .place = ST_ROOM(int, matrix->column_count)};
  if (!fit->start || !fit->entry || !fit->length || !fit->mark || !fit->place)
    return false;
  memset(fit->mark, 0xff, (size_t)matrix->column_count * sizeof(int));
  count_entries(fit);
  sort_entries(fit);
  return true;
}

// Marks the columns a row needs. Those that are not kept are added to `more`, unless it is NULL.
static int need_row(Fit *fit, int row, int *more) {
  const StCliques *cliques = fit->cliques;
  int kept = fit->kept_start[row + 1] - fit->kept_start[row], count = 0;
  for (int k = fit->kept_start[row]; k < fit->kept_start[row + 1]; k++)
    fit->mark[fit->kept[k]] = row;
  for (size_t e = fit->start[row]; e < fit->start[row + 1]; e++) {
    int clique = fit->entry[e].clique;
    for (size_t m = cliques->start[clique]; m < cliques->start[clique + 1]; m++) {
      int column = cliques->member[m];
      if (column < 0 || fit->mark[column] == row)
        continue;
      fit->mark[column] = row;
      if (more)
        more[count] = column;
      count++;
    }
  }
  return kept + count;
}

// Whether the matrix has exactly the blocks needed.
static bool measure_rows(Fit *fit) {
  const StBlockMatrix *matrix = fit->matrix;
  bool same = true;
  for (int row = 0; row < matrix->row_count; row++) {
    fit->length[row] = need_row(fit, row, NULL);
    same = same && fit->length[row] == matrix->row_start[row + 1] - matrix->row_start[row];
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1] && same; k++)
      same = fit->mark[matrix->column[k]] == row;
  }
  return same;
}

static void sort_columns(int *column, int count) {
  for (int i = 1; i < count; i++) {
    int here = column[i], k = i;
    for (; k > 0 && column[k - 1] > here; k--)
      column[k] = column[k - 1];
    column[k] = here;
  }
}

static void merge(const int *a, int a_count, const int *b, int b_count, int *to) {
  int i = 0, j = 0;
  while (i < a_count || j < b_count) {
    bool first = j == b_count || (i < a_count && a[i] < b[j]);
    *to++ = first ? a[i++] : b[j++];
  }
}

// `place` is unused until slots are looked up, and large enough for the columns of a row.
static void fill_columns(Fit *fit, const int *row_start, int *column) {
  memset(fit->mark, 0xff, (size_t)fit->matrix->column_count * sizeof(int));
  for (int row = 0; row < fit->matrix->row_count; row++) {
    int kept = fit->kept_start[row + 1] - fit->kept_start[row];
    int more = need_row(fit, row, fit->place) - kept;
    sort_columns(fit->place, more);
    merge(fit->kept + fit->kept_start[row], kept, fit->place, more, column + row_start[row]);
  }
}

static StStatus replace_pattern(Fit *fit, StError *error) {
  StBlockMatrix *matrix = fit->matrix;
  int *row_start = ST_NEW(int, (size_t)matrix->row_count + 1);
  size_t blocks = 0;
  for (int row = 0; row < matrix->row_count; row++)
    blocks += (size_t)fit->length[row];
  bool small = blocks <= INT_MAX;
  int *column = small ? ST_NEW(int, blocks) : NULL;
  if (!row_start || !column) {
    free(row_start);
    free(column);
    return small ? st_fail_memory(error)
                 : st_fail(error, ST_BAD_INPUT,
                           "a piece of %d vertices has more than %d matrix blocks; "
                           "use more ranks",
                           matrix->row_count, INT_MAX);
  }
  for (int row = 0; row < matrix->row_count; row++)
    row_start[row + 1] = row_start[row] + fit->length[row];
  fill_columns(fit, row_start, column);
  if (st_block_matrix_replace(matrix, row_start, column))
    return ST_OK;
  free(row_start);
  free(column);
  return st_fail_memory(error);
}

static void find_slots(Fit *fit, int *slot) {
  const StBlockMatrix *matrix = fit->matrix;
  const StCliques *cliques = fit->cliques;
  for (int row = 0; row < matrix->row_count; row++) {
    if (fit->start[row] == fit->start[row + 1])
      continue;
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      fit->place[matrix->column[k]] = k;
    for (size_t e = fit->start[row]; e < fit->start[row + 1]; e++) {
      int clique = fit->entry[e].clique, size = st_cliques_size(cliques, clique);
      const int *member = cliques->member + cliques->start[clique];
      int *to = slot + cliques->slot_start[clique] + (size_t)fit->entry[e].member * (size_t)size;
      for (int m = 0; m < size; m++)
        to[m] = member[m] < 0 ? -1 : fit->place[member[m]];
    }
  }
}

// Rows of a clique often have the same columns: a block is where it was in the row before.
static bool look_up_row(const StBlockMatrix *matrix, const int *member, int size, int m, int former,
                        int *slot) {
  int start = matrix->row_start[member[m]], end = matrix->row_start[member[m] + 1];
  int ahead = former < 0 ? 0 : start - matrix->row_start[member[former]];
  const int *before = slot + former * size;
  slot += m * size;
  for (int k = 0; k < size; k++) {
    slot[k] = -1;
    if (member[k] < 0)
      continue;
    int guess = former < 0 ? end : before[k] + ahead;
    bool same = guess < end && matrix->column[guess] == member[k];
    slot[k] = same ? guess : st_block_matrix_slot(matrix, member[m], member[k]);
    if (slot[k] < 0)
      return false;
  }
  return true;
}

static bool look_up_clique(const StBlockMatrix *matrix, const int *member, int size, int *slot) {
  int former = -1;
  for (int m = 0; m < size; m++) {
    if (member[m] < 0 || member[m] >= matrix->row_count)
      continue;
    if (!look_up_row(matrix, member, size, m, former, slot))
      return false;
    former = m;
  }
  return true;
}

typedef struct LookUp {
  const StBlockMatrix *matrix;
  const StCliques *cliques;
  int *slot;
  atomic_bool missing;
} LookUp;

static void look_up_some(void *context, int begin, int end) {
  LookUp *job = context;
  const StCliques *cliques = job->cliques;
  for (int c = begin; c < end; c++)
    if (!look_up_clique(job->matrix, cliques->member + cliques->start[c],
                        st_cliques_size(cliques, c), job->slot + cliques->slot_start[c])) {
      atomic_store(&job->missing, true);
      return;
    }
}

bool st_block_matrix_look_up(const StBlockMatrix *matrix, const StCliques *cliques, int *slot) {
  LookUp job = {.matrix = matrix, .cliques = cliques, .slot = slot};
  st_crew_sweep(matrix->crew, 0, cliques->count, CLIQUES_AT_ONCE, look_up_some, &job);
  return !atomic_load(&job.missing);
}

StStatus st_block_matrix_fit(StBlockMatrix *matrix, const StCliques *cliques, bool keep,
                             bool *changed, int *slot, StError *error) {
  Fit fit;
  *changed = false;
  StStatus status = fit_create(matrix, cliques, keep, &fit) ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && !measure_rows(&fit)) {
    status = replace_pattern(&fit, error);
    *changed = status == ST_OK;
  }
  if (status == ST_OK && slot)
    find_slots(&fit, slot);
  fit_free(&fit);
  return status;
}
