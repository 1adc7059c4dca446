// Round obstacles that spin. Spheres and capsules are places with a radius: spinning does not move
// these places, but it does move the surface.
#pragma once

#include "model/description.h"

#include <stdbool.h>

// Motion of the obstacle's surface under a contact due to rotation alone, as matrices times the
// contact's normal.
typedef struct StSpin {
  bool turns;
  double velocity[9]; // m/s
  double shift[9];    // m, displacement since the start of the step
} StSpin;

// At a time in a step that began at `start`. radius 0: no spin.
void st_spin_at(const StObstacleDesc *obstacle, double radius, double start, double time,
                StSpin *spin);
