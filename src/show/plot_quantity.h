// What of a run there is to plot: quantities are const descriptors that pick columns of history.csv
// by pattern.
#ifndef ST_SHOW_PLOT_QUANTITY_H
#define ST_SHOW_PLOT_QUANTITY_H

#include "replay/recording.h"

enum { ST_PLOT_COLUMNS = 21, ST_PLOT_NAME = 96 }; // of one panel: as many as can be told apart

typedef struct StPlotQuantity {
  const char *name;          // the word behind --of
  const char *title;         // of its panel and, with a unit, of its axis
  const char *const *column; // NULL-terminated patterns: see st_plot_match
  const char *against; // what stands at the other axis in place of time: the * is the same there
  bool logarithmic;
  bool usual; // plotted where nothing else is asked for and the run has such columns
} StPlotQuantity;

extern const StPlotQuantity st_plot_quantities[]; // ends with a name of NULL

// The columns of a run that a quantity has.
typedef struct StPlotColumns {
  int count, left_out; // for want of colours
  int column[ST_PLOT_COLUMNS];
  int against[ST_PLOT_COLUMNS]; // -1: time
  char legend[ST_PLOT_COLUMNS][ST_PLOT_NAME];
} StPlotColumns;

// A ? stands for one letter, a * for any number of them. Tells what the legend shows: those of the
// star, or else that letter, or else the whole name.
bool st_plot_match(const char *pattern, const char *name, int *begin, int *length);

// At most `most`. Columns that are zero from beginning to end are left out, unless there is nothing
// else or they are asked for.
void st_plot_find(const StRecording *run, const StPlotQuantity *quantity, bool also_zero, int most,
                  StPlotColumns *columns);

bool st_plot_says_something(const StRecording *run, int column); // it is not zero throughout

#endif
