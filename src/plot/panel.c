// Scales of a panel, positions of its values, and the styles of its series.
#include "plot/panel.h"

#include "plot/palette.h"
#include "plot/range.h"

static StSpot value_at(const StPlot *plot, const StPlotSeries *series, int i) {
  double x = series->x[i], y = series->y[i];
  return (StSpot){plot->x.unit > 0 ? x / plot->x.unit : x, plot->y.unit > 0 ? y / plot->y.unit : y};
}

static bool shown(const StPlot *plot, const StPlotSeries *series, int i) {
  StSpot value = value_at(plot, series, i);
  return st_scale_shows(plot->x.logarithmic, value.x) &&
         st_scale_shows(plot->y.logarithmic, value.y);
}

StPanel st_panel(const StPlot *plot, double *value) {
  StPlotRange range[2];
  for (int axis = 0; axis < 2; axis++) {
    int count = 0;
    for (int s = 0; s < plot->series_count; s++)
      for (int i = 0; i < plot->series[s].count; i++)
        if (shown(plot, &plot->series[s], i)) {
          StSpot spot = value_at(plot, &plot->series[s], i);
          value[count++] = axis == 0 ? spot.x : spot.y;
        }
    range[axis] = st_plot_range(axis == 0 ? &plot->x : &plot->y, value, count);
  }
  return (StPanel){.plot = plot,
                   .x = st_scale(&plot->x, range[0].low, range[0].high),
                   .y = st_scale(&plot->y, range[1].low, range[1].high),
                   .low = range[1].low,
                   .high = range[1].high,
                   .cut = range[1].cut};
}

bool st_panel_shows(const StPanel *panel, const StPlotSeries *series, int i) {
  return shown(panel->plot, series, i);
}

StSpot st_panel_value(const StPanel *panel, const StPlotSeries *series, int i) {
  return value_at(panel->plot, series, i);
}

double st_panel_across(const StPanel *panel, double x) {
  return panel->area.x + panel->area.width * st_scale_at(&panel->x, x);
}

double st_panel_down(const StPanel *panel, double y) {
  return panel->area.y + panel->area.height * (1 - st_scale_at(&panel->y, y));
}

StSpot st_panel_spot(const StPanel *panel, const StPlotSeries *series, int i) {
  StSpot value = value_at(panel->plot, series, i);
  return (StSpot){st_panel_across(panel, value.x), st_panel_down(panel, value.y)};
}

// Its number among the series without a fixed colour.
static int turn_of(const StPlot *plot, int series) {
  int number = 0;
  for (int s = 0; s < series; s++)
    number += plot->series[s].style != ST_PLOT_REFERENCE;
  return number;
}

int st_series_ink(const StPlot *plot, int series) {
  const StPlotSeries *own = &plot->series[series];
  if (own->style == ST_PLOT_REFERENCE || own->ink == ST_PLOT_INK_TEXT)
    return ST_INK_TEXT;
  return own->ink ? own->ink - 1 : turn_of(plot, series);
}

// When the colours repeat, line styles change.
StStroke st_series_stroke(const StPlot *plot, int series) {
  const StPlotSeries *own = &plot->series[series];
  int ink = st_series_ink(plot, series);
  StPlotDash dash = own->style == ST_PLOT_REFERENCE ? ST_PLOT_DASHED : own->dash;
  if (ink >= ST_PALETTE_SIZE && dash == ST_PLOT_SOLID)
    dash = (StPlotDash)(ink / ST_PALETTE_SIZE % ST_PLOT_DASHES);
  return (StStroke){.ink = ink, .dash = dash};
}

bool st_series_has_line(const StPlotSeries *series) {
  return series->style != ST_PLOT_MARKS && series->style != ST_PLOT_NOTE;
}

bool st_series_has_marks(const StPlotSeries *series) {
  return series->style == ST_PLOT_MARKS || series->style == ST_PLOT_LINE_AND_MARKS;
}
