// Plots: lines and marks over linear or logarithmic axes with a legend, several panels in one
// picture, as SVG or PNG.
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "plot/canvas.h"

typedef enum StPlotStyle {
  ST_PLOT_LINE_AND_MARKS,
  ST_PLOT_LINE,
  ST_PLOT_MARKS,
  ST_PLOT_REFERENCE, // a dashed line in the colour of the text: the expected result
  ST_PLOT_PATH,      // a line with a dot at its start: a path over time
  ST_PLOT_NOTE,      // text in the legend only
} StPlotStyle;

enum { ST_PLOT_INK_TEXT = -1 };

typedef struct StPlotSeries {
  const char *name; // in the legend; NULL: none
  StPlotStyle style;
  StPlotDash dash;     // of the line
  int ink;             // 0: the next colour; 1, 2 …: that one of the palette; ST_PLOT_INK_TEXT
  int count;           // 0: only in the legend
  const double *x, *y; // [count]; the line breaks where one is not finite
} StPlotSeries;

typedef struct StPlotAxis {
  const char *label; // with its unit: "time step (s)"
  bool logarithmic;  // values that are not positive are left out
  double unit;       // values are divided by it for display; 0: they are not
  double low, high;  // shown range; both 0: from the data
  bool robust;       // y: ignores a few outliers, which are marked at the edge
} StPlotAxis;

typedef enum StPlotLegend {
  ST_PLOT_LEGEND_BESIDE,
  ST_PLOT_LEGEND_INSIDE, // in the emptiest corner
} StPlotLegend;

typedef struct StPlot {
  const char *title;
  StPlotAxis x, y;
  StPlotLegend legend;
  int series_count;
  const StPlotSeries *series;
} StPlot;

// Panels in rows of `columns`, added to the text as a whole file.
StStatus st_plot_draw(StPicture kind, const StPlot *plot, int plot_count, int columns, StText *file,
                      StError *error);

// PNG where the path ends in .png, else SVG.
StStatus st_plot_write(const char *path, const StPlot *plot, int plot_count, int columns,
                       StError *error);
