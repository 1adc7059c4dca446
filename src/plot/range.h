// The range of a plot's values, without outliers.
#ifndef ST_PLOT_RANGE_H
#define ST_PLOT_RANGE_H

#include "plot/plot.h"

typedef struct StPlotRange {
  double low, high; // of what is shown; low > high: nothing
  bool cut;         // some values are outside
} StPlotRange;

// value: [count] in the axis' units, all of which can be shown; sorted here.
StPlotRange st_plot_range(const StPlotAxis *axis, double *value, int count);

#endif
