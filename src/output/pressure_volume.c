// Draws P–V curves in units that suit their size.
#include "output/pressure_volume.h"

#include "base/memory.h"
#include "base/unit.h"
#include "output/plot.h"

#include <math.h>
#include <stdio.h>

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

static double largest(const StZoneCourse *course, double *(*values)(const StZoneCourse *, int),
                      int zone_count) {
  double most = 0;
  for (int zone = 0; zone < zone_count; zone++)
    for (long i = 0; i < course->rows; i++)
      most = fmax(most, fabs(values(course, zone)[i]));
  return most;
}

StStatus st_pressure_volume_write(const char *path, const StDescription *description,
                                  const StZoneCourse *course, StError *error) {
  StPlotSeries series[ST_PRESSURE_VOLUME_CURVES];
  int curves = course->zone_count < ST_LENGTH(series) ? course->zone_count : ST_LENGTH(series);
  for (int zone = 0; zone < curves; zone++)
    series[zone] = (StPlotSeries){.name = description->volume[zone].name,
                                  .style = ST_PLOT_PATH,
                                  .count = (int)course->rows,
                                  .x = st_zone_course_volume(course, zone),
                                  .y = st_zone_course_pressure(course, zone)};
  Measure volume, pressure;
  ST_TRY(measure_of(VOLUMES, ST_LENGTH(VOLUMES), ST_VOLUME,
                    largest(course, st_zone_course_volume, curves), &volume, error));
  ST_TRY(measure_of(PRESSURES, ST_LENGTH(PRESSURES), ST_PRESSURE,
                    largest(course, st_zone_course_pressure, curves), &pressure, error));
  char x[32], y[32];
  snprintf(x, sizeof x, "volume (%s)", volume.shown);
  snprintf(y, sizeof y, "absolute pressure (%s)", pressure.shown);
  StPlot plot = {.title = "pressure over volume",
                 .x = {.label = x, .unit = volume.size},
                 .y = {.label = y, .unit = pressure.size},
                 .legend = ST_PLOT_LEGEND_INSIDE,
                 .series_count = curves,
                 .series = series};
  return st_plot_write(path, &plot, 1, 1, error);
}
