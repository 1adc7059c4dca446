// The range of a plot's values, and which of them are far from all others.
#ifndef ST_PLOT_RANGE_H
#define ST_PLOT_RANGE_H

#include "plot/plot.h"

typedef struct StPlotRange {
  double low, high; // of what is shown; low > high: of nothing
  bool cut;         // some values lie outside of it
} StPlotRange;

// value: [count] in the axis' units, all of which it can show; they are sorted.
StPlotRange st_plot_range(const StPlotAxis *axis, double *value, int count);

#endif
