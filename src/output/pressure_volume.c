// Draws P–V curves in units that suit their size.
#include "output/pressure_volume.h"

#include "base/memory.h"
#include "output/plot.h"
#include "output/plot_unit.h"

#include <stdio.h>

enum { COLUMNS = 3 };

// What a plot points to.
typedef struct Panel {
  StPlotSeries series;
  char x[32], y[32];
} Panel;

static void make_plot(const char *name, const StZoneCourse *course, int zone, Panel *panel,
                      StPlot *plot) {
  StZoneFigures figures = st_zone_figures(course, zone);
  StPlotUnit volume = st_plot_unit("m^3", figures.volume.most),
             pressure = st_plot_unit("Pa", figures.pressure.most);
  panel->series = (StPlotSeries){.style = ST_PLOT_PATH,
                                 .count = (int)course->rows,
                                 .x = st_zone_course_volume(course, zone),
                                 .y = st_zone_course_pressure(course, zone)};
  snprintf(panel->x, sizeof panel->x, "volume (%s)", volume.shown);
  snprintf(panel->y, sizeof panel->y, "absolute pressure (%s)", pressure.shown);
  *plot = (StPlot){.title = name,
                   .x = {.label = panel->x, .unit = volume.size},
                   .y = {.label = panel->y, .unit = pressure.size},
                   .series_count = 1,
                   .series = &panel->series};
}

StStatus st_pressure_volume_write(const char *path, const StDescription *description,
                                  const StZoneCourse *course, StError *error) {
  Panel panel[ST_PRESSURE_VOLUME_PANELS];
  StPlot plot[ST_PRESSURE_VOLUME_PANELS];
  int count = course->zone_count < ST_LENGTH(plot) ? course->zone_count : ST_LENGTH(plot);
  for (int zone = 0; zone < count; zone++)
    make_plot(description->volume[zone].name, course, zone, &panel[zone], &plot[zone]);
  return st_plot_write(path, plot, count, count < COLUMNS ? count : COLUMNS, error);
}
