// Draws P–V curves in units that suit their size.
#include "output/pressure_volume.h"

#include "base/memory.h"
#include "base/unit.h"
#include "output/plot.h"

#include <stdio.h>

enum { COLUMNS = 3 };

// What one axis can be written in, the largest first, and as it stands in a picture.
typedef struct Written {
  const char *unit, *shown;
} Written;

static const Written VOLUMES[] = {{"m^3", "m³"}, {"l", "l"}, {"cm^3", "cm³"}, {"mm^3", "mm³"}};
static const Written PRESSURES[] = {{"MPa", "MPa"}, {"kPa", "kPa"}, {"Pa", "Pa"}};

typedef struct Measure {
  const char *shown;
  double size; // in SI
} Measure;

// The largest unit of which there is one at least, or else the smallest there is.
static StStatus measure_of(const Written *written, int count, StDimension dimension, double most,
                           Measure *measure, StError *error) {
  for (int i = 0; i < count; i++) {
    char one[16];
    snprintf(one, sizeof one, "1 %s", written[i].unit);
    measure->shown = written[i].shown;
    ST_TRY(st_quantity_parse(one, dimension, &measure->size, error));
    if (most >= measure->size)
      break;
  }
  return ST_OK;
}

// What a plot points to.
typedef struct Panel {
  StPlotSeries series;
  char x[32], y[32];
} Panel;

static StStatus make_plot(const char *name, const StZoneCourse *course, int zone, Panel *panel,
                          StPlot *plot, StError *error) {
  StZoneFigures figures = st_zone_figures(course, zone);
  Measure volume, pressure;
  ST_TRY(measure_of(VOLUMES, ST_LENGTH(VOLUMES), ST_VOLUME, figures.volume.most, &volume, error));
  ST_TRY(measure_of(PRESSURES, ST_LENGTH(PRESSURES), ST_PRESSURE, figures.pressure.most, &pressure,
                    error));
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
  return ST_OK;
}

StStatus st_pressure_volume_write(const char *path, const StDescription *description,
                                  const StZoneCourse *course, StError *error) {
  Panel panel[ST_PRESSURE_VOLUME_PANELS];
  StPlot plot[ST_PRESSURE_VOLUME_PANELS];
  int count = course->zone_count < ST_LENGTH(plot) ? course->zone_count : ST_LENGTH(plot);
  for (int zone = 0; zone < count; zone++)
    ST_TRY(
        make_plot(description->volume[zone].name, course, zone, &panel[zone], &plot[zone], error));
  return st_plot_write(path, plot, count, count < COLUMNS ? count : COLUMNS, error);
}
