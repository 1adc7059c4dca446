// Plots of what history.csv says of a run over time: by themselves, or of several runs in one
// picture.
#ifndef ST_SHOW_PLOT_RUN_H
#define ST_SHOW_PLOT_RUN_H

#include "base/text.h"
#include "show/plot_quantity.h"

enum { ST_PLOT_RUNS = 4, ST_PLOT_PANELS = 24 }; // as many runs as there are kinds of lines

typedef struct StPlotRequest {
  int run_count;
  const StRecording *run;  // [run_count] the first one's columns count, others are compared with it
  int word_count;          // 0: what is usual
  const char *const *word; // [word_count] quantities, or columns of history.csv by name or pattern
  const char *body; // how this body moves, in place of what is usual; NULL: none in particular
} StPlotRequest;

// Writes path (.svg or .png) with a panel for each word.
StStatus st_plot_runs(const StPlotRequest *request, const char *path, StError *error);

// What there is to plot of a run, a line each.
void st_plot_list(const StRecording *run, StText *text);

#endif
