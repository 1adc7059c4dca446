// Volume and pressure of each zone over all steps, and statistics for summary.json.
#pragma once

#include "base/status.h"

typedef struct StZoneCourse {
  int zone_count;
  long rows;     // committed steps, the initial state first
  double *value; // [zone_count][2][rows] volume in m³, then absolute pressure in Pa
} StZoneCourse;

StStatus st_zone_course_create(int zone_count, long rows, StZoneCourse *course, StError *error);
void st_zone_course_free(StZoneCourse *course); // frees the array

double *st_zone_course_volume(const StZoneCourse *course, int zone);   // [rows]
double *st_zone_course_pressure(const StZoneCourse *course, int zone); // [rows]

// Not finite without rows.
typedef struct StCourseRange {
  double first, last, least, most;
} StCourseRange;

typedef struct StZoneFigures {
  StCourseRange volume, pressure;
  double product_spread;     // largest |P·V / (P·V at the start) - 1|: zero for an ideal gas
  double loss, largest_loss; // 1 - V / (V at the start), at the end and at its maximum
} StZoneFigures;

StZoneFigures st_zone_figures(const StZoneCourse *course, int zone);
