// An outlier lies beyond the middle 96 % of the values by more than twice their width: a single
// step with 400 iterations then does not squash the rest.
#include "plot/range.h"

#include "base/search.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 25 }; // fewer values have no outliers

// Position of a value on the axis.
static double place(const StPlotAxis *axis, double value) {
  return axis->logarithmic ? log(value) : value;
}

StPlotRange st_plot_range(const StPlotAxis *axis, double *value, int count) {
  if (count == 0)
    return (StPlotRange){INFINITY, -INFINITY, false};
  qsort(value, (size_t)count, sizeof *value, st_compare_doubles);
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
