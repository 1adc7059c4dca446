// Round obstacles that turn about themselves. Spheres and capsules are places with a radius: that
// moves none of their places, but the matter at their surface.
#ifndef ST_CONTACT_SPIN_H
#define ST_CONTACT_SPIN_H

#include "model/description.h"

#include <stdbool.h>

// Of the matter under a touch, by turning alone, as matrices times the touch's normal.
typedef struct StSpin {
  bool turns;
  double velocity[9]; // m/s
  double shift[9];    // m, the way since the step's start
} StSpin;

// At a time, in a step that began at `start`. radius 0: nothing turns.
void st_spin_at(const StObstacleDesc *obstacle, double radius, double start, double time,
                StSpin *spin);

#endif
