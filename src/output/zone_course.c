// Storage of zone histories, and their statistics.
#include "output/zone_course.h"

#include "base/memory.h"

#include <math.h>

StStatus st_zone_course_create(int zone_count, long rows, StZoneCourse *course, StError *error) {
  *course = (StZoneCourse){.zone_count = zone_count,
                           .rows = rows,
                           .value = ST_NEW(double, 2 * (size_t)zone_count * (size_t)rows)};
  return course->value ? ST_OK : st_fail_memory(error);
}

void st_zone_course_free(StZoneCourse *course) {
  free(course->value);
  *course = (StZoneCourse){0};
}

double *st_zone_course_volume(const StZoneCourse *course, int zone) {
  return course->value + 2 * (size_t)zone * (size_t)course->rows;
}

double *st_zone_course_pressure(const StZoneCourse *course, int zone) {
  return st_zone_course_volume(course, zone) + course->rows;
}

static StCourseRange range_of(const double *value, long rows) {
  StCourseRange range = {NAN, NAN, NAN, NAN};
  if (rows > 0)
    range = (StCourseRange){value[0], value[rows - 1], value[0], value[0]};
  for (long i = 1; i < rows; i++) {
    range.least = fmin(range.least, value[i]);
    range.most = fmax(range.most, value[i]);
  }
  return range;
}

static double product_spread(const double *volume, const double *pressure, long rows) {
  double largest = rows > 0 ? 0 : NAN;
  for (long i = 1; i < rows; i++)
    largest = fmax(largest, fabs(volume[i] * pressure[i] / (volume[0] * pressure[0]) - 1));
  return largest;
}

StZoneFigures st_zone_figures(const StZoneCourse *course, int zone) {
  const double *V = st_zone_course_volume(course, zone), *P = st_zone_course_pressure(course, zone);
  StCourseRange volume = range_of(V, course->rows);
  return (StZoneFigures){.volume = volume,
                         .pressure = range_of(P, course->rows),
                         .product_spread = product_spread(V, P, course->rows),
                         .loss = 1 - volume.last / volume.first,
                         .largest_loss = 1 - volume.least / volume.first};
}
