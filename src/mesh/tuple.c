// Least-significant-item-first counting sort.
#include "mesh/tuple.h"

#include "base/memory.h"

#include <string.h>

static void sort_by_item(const int *tuple, size_t count, int width, int item, int bound,
                         size_t *start, const int *from, int *to) {
  memset(start, 0, ((size_t)bound + 1) * sizeof *start);
  for (size_t k = 0; k < count; k++)
    start[tuple[(size_t)width * (size_t)from[k] + (size_t)item] + 1]++;
  for (int b = 0; b < bound; b++)
    start[b + 1] += start[b];
  for (size_t k = 0; k < count; k++)
    to[start[tuple[(size_t)width * (size_t)from[k] + (size_t)item]]++] = from[k];
}

StStatus st_tuple_sort(const int *tuple, size_t count, int width, int bound, int *order,
                       StError *error) {
  int *other = ST_NEW(int, count);
  size_t *start = ST_NEW(size_t, (size_t)bound + 1);
  if (!other || !start) {
    free(other);
    free(start);
    return st_fail_memory(error);
  }
  // Sorted passes alternate between the two arrays; begin so that the last one ends in order[].
  int *from = width % 2 ? other : order, *to = width % 2 ? order : other;
  for (size_t k = 0; k < count; k++)
    from[k] = (int)k;
  for (int item = width - 1; item >= 0; item--) {
    sort_by_item(tuple, count, width, item, bound, start, from, to);
    int *swap = from;
    from = to;
    to = swap;
  }
  free(other);
  free(start);
  return ST_OK;
}

void st_tuple_ascend(int *tuple, int width) {
  for (int i = 1; i < width; i++)
    for (int j = i; j > 0 && tuple[j - 1] > tuple[j]; j--) {
      int swap = tuple[j];
      tuple[j] = tuple[j - 1];
      tuple[j - 1] = swap;
    }
}

bool st_tuple_equal(const int *tuple, int width, int a, int b) {
  return memcmp(tuple + (size_t)width * (size_t)a, tuple + (size_t)width * (size_t)b,
                (size_t)width * sizeof *tuple) == 0;
}

size_t st_tuple_run(const int *tuple, int width, const int *order, size_t count, size_t start) {
  size_t end = start + 1;
  while (end < count && st_tuple_equal(tuple, width, order[start], order[end]))
    end++;
  return end;
}
