// One panel of a picture: a plot with its scales and position on the canvas.
#pragma once

#include "plot/axis.h"

typedef struct StPanel {
  const StPlot *plot;
  StBox area; // within the frame
  StScale x, y;
  double low, high; // range of the y values shown
  bool cut;         // some values are outside
} StPanel;

// value: buffer for all values of one coordinate.
StPanel st_panel(const StPlot *plot, double *value);

bool st_panel_shows(const StPanel *panel, const StPlotSeries *series, int i);
StSpot st_panel_value(const StPanel *panel, const StPlotSeries *series, int i); // in axes' units
StSpot st_panel_spot(const StPanel *panel, const StPlotSeries *series, int i);  // on the canvas
double st_panel_across(const StPanel *panel, double x);
double st_panel_down(const StPanel *panel, double y);

int st_series_ink(const StPlot *plot, int series);
StStroke st_series_stroke(const StPlot *plot, int series);
bool st_series_has_line(const StPlotSeries *series);
bool st_series_has_marks(const StPlotSeries *series);
