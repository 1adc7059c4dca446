// pressure_volume.svg: pressure over volume, one panel for each zone of a run, since they differ in
// size. A dot marks where the curve begins.
#ifndef ST_OUTPUT_PRESSURE_VOLUME_H
#define ST_OUTPUT_PRESSURE_VOLUME_H

#include "model/description.h"
#include "output/zone_course.h"

// Zones with a panel; more would be no picture any more.
enum { ST_PRESSURE_VOLUME_PANELS = 12 };

// The courses are those of the description's volumes.
StStatus st_pressure_volume_write(const char *path, const StDescription *description,
                                  const StZoneCourse *course, StError *error);

#endif
