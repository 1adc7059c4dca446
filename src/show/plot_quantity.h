// The quantities of a run that can be plotted: const descriptors that select columns of history.csv
// by pattern.
#pragma once

#include "replay/recording.h"

enum { ST_PLOT_COLUMNS = 21, ST_PLOT_NAME = 96 }; // per panel: as many as can be told apart

typedef struct StPlotQuantity {
  const char *name;          // the word after --of
  const char *title;         // of its panel and, with a unit, of its axis
  const char *const *column; // NULL-terminated patterns: see st_plot_match
  const char *against; // quantity on the other axis instead of time: the * matches the same text
  bool logarithmic;
  bool usual; // plotted by default if the run has such columns
} StPlotQuantity;

extern const StPlotQuantity st_plot_quantities[]; // ends with a name of NULL

// The columns of a run that a quantity has.
typedef struct StPlotColumns {
  int count, left_out; // left_out: not enough colours
  int column[ST_PLOT_COLUMNS];
  int against[ST_PLOT_COLUMNS]; // -1: time
  char legend[ST_PLOT_COLUMNS][ST_PLOT_NAME];
} StPlotColumns;

// A ? matches one character, a * any number. Returns the part for the legend: what the star
// matched, or else that character, or else the whole name.
bool st_plot_match(const char *pattern, const char *name, int *begin, int *length);

// At most `most`. Leaves out columns that are zero throughout, unless there are no others or they
// are requested.
void st_plot_find(const StRecording *run, const StPlotQuantity *quantity, bool also_zero, int most,
                  StPlotColumns *columns);

bool st_plot_is_nonzero(const StRecording *run, int column); // not zero throughout
