// One axis of a plot: the range it shows, where its ticks are and what they are called.
#ifndef ST_OUTPUT_PLOT_AXIS_H
#define ST_OUTPUT_PLOT_AXIS_H

#include "output/plot.h"

enum { ST_SCALE_TICKS = 16 };

typedef struct StScale {
  bool logarithmic;
  double low, high; // of the data, low < high
  int tick_count;
  double tick[ST_SCALE_TICKS];
} StScale;

bool st_scale_shows(bool logarithmic, double value); // finite, and positive where it must be

// For data between least and most, unless the axis says what to show.
StScale st_scale(const StPlotAxis *axis, double least, double most);

// 0 at the low end, 1 at the high one.
double st_scale_at(const StScale *scale, double value);

#endif
