// Plots of what history.csv says of a run over time: by themselves, or of several runs in one
// picture. Quantities are const descriptors that pick columns by pattern.
#ifndef ST_SHOW_PLOT_RUN_H
#define ST_SHOW_PLOT_RUN_H

#include "base/text.h"
#include "replay/recording.h"

enum { ST_PLOT_RUNS = 4, ST_PLOT_PANELS = 24 }; // as many runs as there are kinds of lines

typedef struct StPlotQuantity {
  const char *name;          // the word behind --of
  const char *title;         // of its panel and, with a unit, of its axis
  const char *const *column; // NULL-terminated patterns; a * stands for what the legend shows
  bool logarithmic;
  bool usual; // plotted where nothing else is asked for and the run has such columns
} StPlotQuantity;

extern const StPlotQuantity st_plot_quantities[]; // ends with a name of NULL

// Writes path (.svg or .png) with a panel for each word: a quantity, or a column of history.csv.
// word_count 0: what is usual. The first run's columns count; others are compared with it.
StStatus st_plot_runs(const StRecording *run, int run_count, const char *const *word,
                      int word_count, const char *path, StError *error);

// What there is to plot of a run, a line each.
void st_plot_list(const StRecording *run, StText *text);

#endif
