// Plots of the public interface: those of output/plot.h, with one panel.
#include "api/handles.h"
#include "base/memory.h"
#include "output/plot.h"

_Static_assert((int)STICTION_LINE_AND_MARKS == ST_PLOT_LINE_AND_MARKS &&
                   (int)STICTION_LINE == ST_PLOT_LINE && (int)STICTION_MARKS == ST_PLOT_MARKS &&
                   (int)STICTION_REFERENCE == ST_PLOT_REFERENCE,
               "public and internal styles are the same numbers");

static StStatus check(const StictionPlot *plot, StError *error) {
  bool good = plot->series_count >= 0 && (plot->series_count == 0 || plot->series);
  for (int i = 0; good && i < plot->series_count; i++) {
    const StictionSeries *series = &plot->series[i];
    good = series->count >= 0 && (series->count == 0 || (series->x && series->y)) &&
           series->style >= STICTION_LINE_AND_MARKS && series->style <= STICTION_REFERENCE;
  }
  return good ? ST_OK
              : st_fail(error, ST_BAD_INPUT,
                        "a plot needs series with a count, arrays of that many numbers and a "
                        "style that there is");
}

static const char *text_of(const char *text) {
  return text ? text : "";
}

static StStatus write(const char *path, const StictionPlot *plot, StError *error) {
  ST_TRY(check(plot, error));
  StPlotSeries *series = ST_NEW(StPlotSeries, (size_t)plot->series_count);
  if (!series)
    return st_fail_memory(error);
  for (int i = 0; i < plot->series_count; i++)
    series[i] = (StPlotSeries){.name = plot->series[i].name,
                               .style = (StPlotStyle)plot->series[i].style,
                               .count = plot->series[i].count,
                               .x = plot->series[i].x,
                               .y = plot->series[i].y};
  StPlot whole = {.title = text_of(plot->title),
                  .x = {.label = text_of(plot->x_label), .logarithmic = plot->x_logarithmic},
                  .y = {.label = text_of(plot->y_label), .logarithmic = plot->y_logarithmic},
                  .series_count = plot->series_count,
                  .series = series};
  StStatus status = st_plot_write(path, &whole, 1, 1, error);
  free(series);
  return status;
}

StictionStatus stiction_plot_write(Stiction *session, const char *path, const StictionPlot *plot) {
  ST_NEED(session);
  ST_NEED(path);
  ST_NEED(plot);
  ST_ENTER(session);
  return st_call_leave(session, write(path, plot, &session->error));
}
