// Boxes are visited in the order in which they begin along the axis.
#include "math/box_pairs.h"

#include "base/memory.h"

#include <math.h>

typedef struct Begin {
  double low;
  int box;
} Begin;

static int compare_begins(const void *a, const void *b) {
  const Begin *x = a, *y = b;
  return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : x->box - y->box;
}

static int compare_pairs(const void *a, const void *b) {
  const int *x = a, *y = b;
  return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

static bool is_empty(const double *box) {
  return !(box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5]);
}

// The axis along which the fewest boxes are above each other: the largest extent of all in extents
// of one.
static int widest_axis(int count, const double *box) {
  int best = 0;
  double most = -1;
  for (int c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int i = 0; i < count; i++) {
      const double *of = box + 6 * (size_t)i;
      if (is_empty(of))
        continue;
      low = fmin(low, of[c]);
      high = fmax(high, of[c + 3]);
      sum += of[c + 3] - of[c];
    }
    double wide = sum > 0 ? (high - low) / sum : INFINITY;
    if (high > low && wide > most) {
      most = wide;
      best = c;
    }
  }
  return best;
}

static bool meet(const double *a, const double *b) {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] &&
         b[2] <= a[5];
}

static bool add(StBoxPairs *pairs, int a, int b) {
  if (!st_grow((void **)&pairs->pair, &pairs->capacity, pairs->count + 1, sizeof *pairs->pair))
    return false;
  pairs->pair[pairs->count][0] = a < b ? a : b;
  pairs->pair[pairs->count++][1] = a < b ? b : a;
  return true;
}

static bool sweep(const Begin *begin, int count, const double *box, int axis, StBoxPairs *pairs) {
  for (int i = 0; i < count; i++) {
    const double *of = box + 6 * (size_t)begin[i].box;
    for (int k = i + 1; k < count && begin[k].low <= of[axis + 3]; k++)
      if (meet(of, box + 6 * (size_t)begin[k].box) && !add(pairs, begin[i].box, begin[k].box))
        return false;
  }
  return true;
}

bool st_box_pairs_find(int count, const double *box, StBoxPairs *pairs) {
  Begin *begin = ST_NEW(Begin, count);
  int axis = widest_axis(count, box), used = 0;
  pairs->count = 0;
  if (!begin)
    return false;
  for (int i = 0; i < count; i++)
    if (!is_empty(box + 6 * (size_t)i))
      begin[used++] = (Begin){box[6 * (size_t)i + (size_t)axis], i};
  if (used > 1)
    qsort(begin, (size_t)used, sizeof *begin, compare_begins);
  bool good = sweep(begin, used, box, axis, pairs);
  free(begin);
  if (good && pairs->count > 1)
    qsort(pairs->pair, pairs->count, sizeof *pairs->pair, compare_pairs);
  return good;
}

void st_box_pairs_free(StBoxPairs *pairs) {
  free(pairs->pair);
  *pairs = (StBoxPairs){0};
}
