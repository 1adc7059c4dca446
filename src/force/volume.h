// Read-out of closed spaces, from the private data of the force `volume`.
#pragma once

#include "force/force.h"

// In the order of the description's volumes; the same on every rank.
int st_volume_zone_count(const void *data);

// volume: m³; pressure: Pa, absolute, inside.
void st_volume_read(const void *data, const StPoint *at, int zone, double *volume,
                    double *pressure);
