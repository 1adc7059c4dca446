// A value is far from all others when it lies beyond the middle 96 % of them by more than twice the
// width of those: a single step that took 400 iterations then leaves the others their room.
#include "plot/range.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 25 }; // of fewer values none is an exception

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Where a value is on the axis, as far as distances go.
static double place(const StPlotAxis *axis, double value) {
  return axis->logarithmic ? log(value) : value;
}

StPlotRange st_plot_range(const StPlotAxis *axis, double *value, int count) {
  if (count == 0)
    return (StPlotRange){INFINITY, -INFINITY, false};
  qsort(value, (size_t)count, sizeof *value, compare);
  StPlotRange range = {value[0], value[count - 1], false};
  if (!axis->robust || count < FEW)
    return range;
  int margin = (int)(0.02 * count) > 0 ? (int)(0.02 * count) : 1;
  double low = place(axis, value[margin]), high = place(axis, value[count - 1 - margin]);
  double span = high - low;
  int first = 0, last = count - 1;
  while (span > 0 && place(axis, value[first]) < low - 2 * span)
    first++;
  while (span > 0 && place(axis, value[last]) > high + 2 * span)
    last--;
  return (StPlotRange){value[first], value[last], first > 0 || last < count - 1};
}
