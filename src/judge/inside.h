// Whether a point lies inside a closed surface.
#pragma once

#include "judge/hull.h"

// Not on the surface itself. The hull's tree is fitted to the positions.
bool st_hull_contains(const StHull *hull, const double *position, const double x[3]);
