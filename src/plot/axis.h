// One axis of a plot: the range it shows, where its ticks are and what they are called.
#ifndef ST_PLOT_AXIS_H
#define ST_PLOT_AXIS_H

#include "plot/plot.h"

enum { ST_SCALE_TICKS = 16, ST_SCALE_LABEL = 40 };

typedef struct StScale {
  bool logarithmic;
  double low, high; // of the data, low < high
  int tick_count;
  double tick[ST_SCALE_TICKS];
  int exponent; // ticks are called by their multiple of this power of ten
  int decimals;
  bool powers; // ticks are called 10ⁿ
} StScale;

bool st_scale_shows(bool logarithmic, double value); // finite, and positive where it must be

// For data between least and most, unless the axis says what to show.
StScale st_scale(const StPlotAxis *axis, double least, double most);

// 0 at the low end, 1 at the high one.
double st_scale_at(const StScale *scale, double value);

// What a tick is called; and what all of them are to be multiplied by, "" when by nothing.
void st_scale_label(const StScale *scale, int tick, char label[ST_SCALE_LABEL]);
void st_scale_factor(const StScale *scale, char label[ST_SCALE_LABEL]);

#endif
