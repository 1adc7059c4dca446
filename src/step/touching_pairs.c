// Gathers, sorts, and keeps one of each.
// Tested by tests/verify/test_free_impact.c.
#include "step/touching_pairs.h"

#include "base/memory.h"
#include "base/search.h"
#include "step/rows.h"

#include <string.h>

static void keep_one_each(StTouchingPairs *pairs) {
  int count = 0;
  for (int i = 0; i < pairs->count; i++)
    if (count == 0 || pairs->pair[count - 1] != pairs->pair[i])
      pairs->pair[count++] = pairs->pair[i];
  pairs->count = count;
}

StStatus st_touching_pairs_list(const StContactArray *contacts, StTouchingPairs *pairs,
                                StError *error) {
  StStatus status = ST_OK;
  if (!ST_GROW(pairs->pair, pairs->capacity, contacts->count))
    status = st_fail_memory(error);
  pairs->count = status == ST_OK ? contacts->count : 0;
  for (int t = 0; t < pairs->count; t++)
    pairs->pair[t] = contacts->contact[t].pair;
  keep_one_each(pairs);
  StStatus gathered = ST_ROWS_GATHER(pairs->pair, pairs->capacity, pairs->count, error);
  if (pairs->count > 1)
    qsort(pairs->pair, (size_t)pairs->count, sizeof(int), st_compare_ints);
  keep_one_each(pairs);
  return status == ST_OK ? gathered : status;
}

bool st_touching_pairs_equal(const StTouchingPairs *a, const StTouchingPairs *b) {
  return a->count == b->count &&
         (a->count == 0 || memcmp(a->pair, b->pair, (size_t)a->count * sizeof(int)) == 0);
}

void st_touching_pairs_free(StTouchingPairs *pairs) {
  free(pairs->pair);
  *pairs = (StTouchingPairs){0};
}
