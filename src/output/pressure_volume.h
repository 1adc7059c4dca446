// pressure_volume.svg: pressure over volume, one curve for each zone of a run, with a dot where it
// begins.
#ifndef ST_OUTPUT_PRESSURE_VOLUME_H
#define ST_OUTPUT_PRESSURE_VOLUME_H

#include "model/description.h"
#include "output/zone_course.h"

// Zones with a curve; more would be told apart by nobody.
enum { ST_PRESSURE_VOLUME_CURVES = 12 };

// The courses are those of the description's volumes.
StStatus st_pressure_volume_write(const char *path, const StDescription *description,
                                  const StZoneCourse *course, StError *error);

#endif
