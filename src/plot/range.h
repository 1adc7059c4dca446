// The range of a plot's values, without outliers.
#pragma once

#include "plot/plot.h"

typedef struct StPlotRange {
  double low, high; // of what is shown; low > high: nothing
  bool cut;         // some values are outside
} StPlotRange;

// value: [count] in the axis' units, all of which can be shown; sorted here.
StPlotRange st_plot_range(const StPlotAxis *axis, double *value, int count);
