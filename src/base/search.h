// Order of plain numbers for qsort and bsearch, and search in an array of structures that ascend by
// one of their members.
#pragma once

#include <stddef.h>

static inline int st_compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static inline int st_compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The first row whose number, an int at this offset in a row, is `number` or more; count: there is
// none.
static inline int st_find_row(const void *rows, int count, size_t row_size, size_t offset,
                              int number) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const char *row = (const char *)rows + (size_t)middle * row_size;
    if (*(const int *)(const void *)(row + offset) < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
