// Read-out of bearings, from the private data of the force `bearing`.
#pragma once

#include "force/force.h"

// In the order of the description's bearings; the same on every rank.
int st_bearing_count(const void *data);

// angle: rad from rest, including whole turns; speed: rad/s; torque: N m, the drive.
void st_bearing_read(const void *data, const StPoint *at, int bearing, double *angle, double *speed,
                     double *torque);
