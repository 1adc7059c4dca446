// Plots of the public interface: those of output/plot.h, with one panel.
#include "api/handles.h"
#include "base/memory.h"
#include "output/plot.h"

_Static_assert((int)STICTION_LINE_AND_MARKS == ST_PLOT_LINE_AND_MARKS &&
                   (int)STICTION_LINE == ST_PLOT_LINE && (int)STICTION_MARKS == ST_PLOT_MARKS &&
                   (int)STICTION_REFERENCE == ST_PLOT_REFERENCE,
               "public and internal styles are the same numbers");

StictionStatus stiction_plot_write(Stiction *session, const char *path, const StictionPlot *plot) {
  StPlotSeries *series = ST_NEW(StPlotSeries, (size_t)plot->series_count);
  if (!series)
    return (StictionStatus)st_fail_memory(&session->error);
  for (int i = 0; i < plot->series_count; i++)
    series[i] = (StPlotSeries){.name = plot->series[i].name,
                               .style = (StPlotStyle)plot->series[i].style,
                               .count = plot->series[i].count,
                               .x = plot->series[i].x,
                               .y = plot->series[i].y};
  StPlot whole = {.title = plot->title,
                  .x = {.label = plot->x_label, .logarithmic = plot->x_logarithmic},
                  .y = {.label = plot->y_label, .logarithmic = plot->y_logarithmic},
                  .series_count = plot->series_count,
                  .series = series};
  StStatus status = st_plot_write(path, &whole, 1, 1, &session->error);
  free(series);
  return (StictionStatus)status;
}
