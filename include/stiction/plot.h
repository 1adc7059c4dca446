// Plots from C: lines and marks over labelled axes, one panel or several in a picture, as SVG or
// PNG. A library of its own, -lstiction_plot, for cairo comes with it; it needs no session and may
// be called from any thread.
#ifndef STICTION_PLOT_H
#define STICTION_PLOT_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum StictionPlotStyle {
  STICTION_LINE_AND_MARKS = 0,
  STICTION_LINE = 1,
  STICTION_MARKS = 2,
  STICTION_REFERENCE = 3, // a dashed line: what should come out
} StictionPlotStyle;

typedef enum StictionDash {
  STICTION_SOLID = 0,
  STICTION_DASHED = 1,
  STICTION_DOTTED = 2,
  STICTION_DASH_DOT = 3,
} StictionDash;

typedef struct StictionSeries {
  const char *name; // in the legend; NULL: not there
  StictionPlotStyle style;
  StictionDash dash; // of the line
  int colour;        // 0: the next in turn; 1, 2 …: that one of the palette
  int count;
  const double *x, *y; // [count]; the line breaks where one is not finite
} StictionSeries;

typedef struct StictionAxis {
  const char *label; // with its unit: "time (s)"; NULL: none
  bool logarithmic;  // values that are not positive are left out
  double low, high;  // shown; both 0: what the values need
  double unit;       // what values are divided by before they are shown, low and high are not; 0: 1
} StictionAxis;

typedef struct StictionPlot {
  size_t size;       // sizeof(StictionPlot)
  const char *title; // NULL: none
  StictionAxis x, y;
  bool legend_inside; // in the corner where the least is drawn, and not beside the panel
  int series_count;
  const StictionSeries *series; // [series_count]
} StictionPlot;

// Writes `count` panels in rows of `columns`: PNG where the path ends in .png, else SVG.
STICTION_API StictionStatus stiction_plot_write(const char *path, const StictionPlot *plot,
                                                int count, int columns);

// Why the last call of this thread that failed did so; "" when none has.
STICTION_API const char *stiction_plot_error(void);

#ifdef __cplusplus
}
#endif

#endif
