// One axis of a plot: its range, ticks and labels.
#pragma once

#include "plot/plot.h"

enum { ST_SCALE_TICKS = 16, ST_SCALE_LABEL = 40 };

typedef struct StScale {
  bool logarithmic;
  double low, high; // of the data, low < high
  int tick_count;
  double tick[ST_SCALE_TICKS];
  int exponent; // labels are multiples of this power of ten
  int decimals;
  bool powers; // labels are 10ⁿ
} StScale;

bool st_scale_shows(bool logarithmic, double value); // finite, and positive where it must be

// For data between least and most, unless the axis gives its range.
StScale st_scale(const StPlotAxis *axis, double least, double most);

// 0 at the low end, 1 at the high one.
double st_scale_at(const StScale *scale, double value);

// Label of a tick; and the common factor of all labels, "" if none.
void st_scale_label(const StScale *scale, int tick, char label[ST_SCALE_LABEL]);
void st_scale_factor(const StScale *scale, char label[ST_SCALE_LABEL]);
