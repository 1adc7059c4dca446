// Plots of a run's history.csv over time or another column, or of several runs in one picture.
#pragma once

#include "base/text.h"
#include "show/plot_quantity.h"

enum { ST_PLOT_RUNS = 4, ST_PLOT_PANELS = 24 }; // as many runs as there are line styles

typedef struct StPlotRequest {
  int run_count;
  const StRecording *run;  // [run_count] columns are those of the first
  int word_count;          // 0: the default ones
  const char *const *word; // [word_count] quantities, or columns of history.csv by name or pattern
  const char *over;        // column on the other axis instead of time; NULL: as quantities say
  const char *body;        // plot this body instead of the default ones; may be NULL
} StPlotRequest;

// Writes path (.svg or .png) with a panel for each word.
StStatus st_plot_runs(const StPlotRequest *request, const char *path, StError *error);

// Lists what can be plotted of a run, one per line.
void st_plot_list(const StRecording *run, StText *text);
