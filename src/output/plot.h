// Plots as SVG files: lines and marks over linear or logarithmic axes with a legend, several panels
// in one picture. Text stays text and nothing is loaded from elsewhere.
#ifndef ST_OUTPUT_PLOT_H
#define ST_OUTPUT_PLOT_H

#include "base/status.h"
#include "base/text.h"

typedef enum StPlotStyle {
  ST_PLOT_LINE_AND_MARKS,
  ST_PLOT_LINE,
  ST_PLOT_MARKS,
  ST_PLOT_REFERENCE, // a dashed dark line: what should come out
} StPlotStyle;

typedef struct StPlotSeries {
  const char *name; // in the legend; NULL: not there
  StPlotStyle style;
  int count;
  const double *x, *y; // [count]; the line breaks where one is not finite
} StPlotSeries;

typedef struct StPlotAxis {
  const char *label; // with its unit: "time step (s)"
  bool logarithmic;  // values that are not positive are left out
  double low, high;  // shown range; both 0: from the data
} StPlotAxis;

typedef struct StPlot {
  const char *title;
  StPlotAxis x, y;
  int series_count;
  const StPlotSeries *series;
} StPlot;

// Panels in rows of `columns`. Running out of memory is in text->failed.
void st_plot_add_svg(StText *text, const StPlot *plot, int plot_count, int columns);

StStatus st_plot_write(const char *path, const StPlot *plot, int plot_count, int columns,
                       StError *error);

#endif
