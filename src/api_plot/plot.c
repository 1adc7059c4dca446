// Plots of the public interface: those of plot/plot.h.
#include "stiction/plot.h"

#include "base/memory.h"
#include "plot/plot.h"

_Static_assert((int)STICTION_LINE_AND_MARKS == ST_PLOT_LINE_AND_MARKS &&
                   (int)STICTION_LINE == ST_PLOT_LINE && (int)STICTION_MARKS == ST_PLOT_MARKS &&
                   (int)STICTION_REFERENCE == ST_PLOT_REFERENCE,
               "public and internal styles are the same numbers");
_Static_assert((int)STICTION_DASHED == ST_PLOT_DASHED && (int)STICTION_DOTTED == ST_PLOT_DOTTED &&
                   (int)STICTION_DASH_DOT == ST_PLOT_MIXED,
               "public and internal dashes are the same numbers");

static _Thread_local StError last;

static bool is_series(const StictionSeries *series) {
  return series->count >= 0 && (series->count == 0 || (series->x && series->y)) &&
         series->style >= STICTION_LINE_AND_MARKS && series->style <= STICTION_REFERENCE &&
         series->dash >= STICTION_SOLID && series->dash <= STICTION_DASH_DOT && series->colour >= 0;
}

static StStatus check(const StictionPlot *plot, StError *error) {
  if (plot->size != sizeof *plot)
    return st_fail(error, ST_BAD_INPUT,
                   "the size of StictionPlot is %zu, not %zu: set it to sizeof(StictionPlot), with "
                   "the header of this library",
                   plot->size, sizeof *plot);
  bool good = plot->series_count >= 0 && (plot->series_count == 0 || plot->series);
  for (int i = 0; good && i < plot->series_count; i++)
    good = is_series(&plot->series[i]);
  return good ? ST_OK
              : st_fail(error, ST_BAD_INPUT,
                        "a plot needs series with a count, arrays of that many numbers, and a "
                        "style, a dash and a colour that there are");
}

static StPlotAxis axis_of(const StictionAxis *axis) {
  return (StPlotAxis){.label = axis->label,
                      .logarithmic = axis->logarithmic,
                      .low = axis->low,
                      .high = axis->high,
                      .unit = axis->unit};
}

static StPlotSeries series_of(const StictionSeries *series) {
  return (StPlotSeries){.name = series->name,
                        .style = (StPlotStyle)series->style,
                        .dash = (StPlotDash)series->dash,
                        .ink = series->colour,
                        .count = series->count,
                        .x = series->x,
                        .y = series->y};
}

static StPlot plot_of(const StictionPlot *plot, StPlotSeries *series) {
  for (int i = 0; i < plot->series_count; i++)
    series[i] = series_of(&plot->series[i]);
  return (StPlot){.title = plot->title,
                  .x = axis_of(&plot->x),
                  .y = axis_of(&plot->y),
                  .legend = plot->legend_inside ? ST_PLOT_LEGEND_INSIDE : ST_PLOT_LEGEND_BESIDE,
                  .series_count = plot->series_count,
                  .series = series};
}

static StStatus write(const char *path, const StictionPlot *plot, int count, int columns,
                      StError *error) {
  size_t all = 0;
  if (!path || !plot || count < 1 || columns < 1)
    return st_fail(error, ST_BAD_INPUT, "stiction_plot_write needs a path, plots and columns");
  for (int p = 0; p < count; p++) {
    ST_TRY(check(&plot[p], error));
    all += (size_t)plot[p].series_count;
  }
  ST_FREE StPlot *drawn = ST_NEW(StPlot, count);
  ST_FREE StPlotSeries *series = ST_NEW(StPlotSeries, all);
  ST_TRY_MEMORY(drawn && series, error);
  for (int p = 0, used = 0; p < count; used += plot[p++].series_count)
    drawn[p] = plot_of(&plot[p], series + used);
  return st_plot_write(path, drawn, count, columns < count ? columns : count, error);
}

StictionStatus stiction_plot_write(const char *path, const StictionPlot *plot, int count,
                                   int columns) {
  return (StictionStatus)write(path, plot, count, columns, &last);
}

const char *stiction_plot_error(void) {
  return last.text;
}
