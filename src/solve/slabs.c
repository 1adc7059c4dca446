// Slabs and the phases of their rows.
// Tested by tests/solve/test_shared_work.c.
#include "solve/slabs.h"

#include "base/memory.h"

#include <string.h>

// Each cut costs iterations, and slabs that are too thin have many rows that cannot be shared. With
// twelve slabs, and with four, systems of nearly incompressible rubber failed that two solve.
enum { LEAST_ROWS = 2000, MOST_SLABS = 2 };
static const double MOST_LEFT = 0.04; // of all rows
static const double MOVED_CUT = 0.25; // of a slab: how far a cut may be from its even place

typedef struct Draft {
  const StBlockMatrix *matrix;
  char *slab;     // [rows]
  char *phase;    // [rows]
  int *crossings; // [rows + 1] rows from here on that are coupled to some before
} Draft;

static void count_crossings(const Draft *draft) {
  const StBlockMatrix *matrix = draft->matrix;
  int *crossings = draft->crossings, rows = matrix->row_count;
  for (int i = 0; i < rows; i++) {
    int lowest = matrix->column[matrix->row_start[i]]; // they ascend
    crossings[lowest + 1]++;
    crossings[i + 1]--;
  }
  for (int i = 0; i < rows; i++)
    crossings[i + 1] += crossings[i];
}

// Cuts where few rows are coupled across: between bodies, at narrow places.
static void cut_slabs(const Draft *draft, int count) {
  int rows = draft->matrix->row_count, from = 0;
  double even = (double)rows / count;
  for (int slab = 1; slab <= count; slab++) {
    int best = slab == count ? rows : (int)(slab * even);
    int low = (int)((slab - MOVED_CUT) * even), high = (int)((slab + MOVED_CUT) * even);
    for (int i = low; i <= high && slab < count; i++)
      if (draft->crossings[i] < draft->crossings[best])
        best = i;
    memset(draft->slab + from, slab - 1, (size_t)(best - from));
    from = best;
  }
}

// Raises the later of two coupled rows of different slabs to a phase, where both are in the one
// before it or later.
static void raise_rows(const Draft *draft, char phase) {
  const StBlockMatrix *matrix = draft->matrix;
  for (int i = 0; i < matrix->row_count; i++)
    for (int k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
      int j = matrix->column[k], later = j > i ? j : i;
      if (j < matrix->row_count && draft->slab[i] != draft->slab[j] &&
          draft->phase[i] >= phase - 1 && draft->phase[j] >= phase - 1 &&
          draft->phase[later] < phase)
        draft->phase[later] = phase;
    }
}

static int count_left(const Draft *draft) {
  int count = 0;
  for (int i = 0; i < draft->matrix->row_count; i++)
    count += draft->phase[i] == ST_SLAB_PHASES - 1;
  return count;
}

// As many slabs as leave little for the last phase.
static void choose_slabs(Draft *draft, StSlabs *slabs) {
  int rows = draft->matrix->row_count, count = rows / LEAST_ROWS;
  count_crossings(draft);
  for (slabs->count = count < MOST_SLABS ? count : MOST_SLABS; slabs->count > 1;
       slabs->count /= 2) {
    cut_slabs(draft, slabs->count);
    memset(draft->phase, 0, (size_t)rows);
    raise_rows(draft, 1);
    raise_rows(draft, 2);
    if (count_left(draft) <= MOST_LEFT * rows)
      return;
  }
  slabs->count = 1;
  memset(draft->slab, 0, (size_t)rows);
  memset(draft->phase, 0, (size_t)rows);
}

static void fill_order(const Draft *draft, StSlabs *slabs) {
  int rows = draft->matrix->row_count, *start = slabs->start;
  for (int i = 0; i < rows; i++)
    start[draft->phase[i] * slabs->count + draft->slab[i] + 1]++;
  for (int s = 0; s < ST_SLAB_PHASES * slabs->count; s++)
    start[s + 1] += start[s];
  for (int i = 0; i < rows; i++) {
    int at = start[draft->phase[i] * slabs->count + draft->slab[i]]++;
    slabs->order[at] = i;
    slabs->place[i] = at;
  }
  memmove(start + 1, start, (size_t)(ST_SLAB_PHASES * slabs->count) * sizeof(int));
  start[0] = 0;
}

StStatus st_slabs_create(const StBlockMatrix *matrix, StSlabs *slabs, StError *error) {
  size_t rows = (size_t)matrix->row_count;
  Draft draft = {.matrix = matrix,
                 .slab = ST_NEW(char, rows),
                 .phase = ST_NEW(char, rows),
                 .crossings = ST_NEW(int, rows + 1)};
  *slabs = (StSlabs){.order = ST_NEW(int, rows),
                     .place = ST_NEW(int, rows),
                     .start = ST_NEW(int, ST_SLAB_PHASES *MOST_SLABS + 2)};
  bool good =
      draft.slab && draft.phase && draft.crossings && slabs->order && slabs->place && slabs->start;
  if (good) {
    choose_slabs(&draft, slabs);
    fill_order(&draft, slabs);
  }
  free(draft.slab);
  free(draft.phase);
  free(draft.crossings);
  if (!good)
    st_slabs_free(slabs);
  return good ? ST_OK : st_fail_memory(error);
}

void st_slabs_free(StSlabs *slabs) {
  free(slabs->order);
  free(slabs->place);
  free(slabs->start);
  *slabs = (StSlabs){0};
}
