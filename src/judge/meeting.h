// Whether two triangles meet while their corners move along straight lines: continuous collision
// detection by the instants in which four points lie in one plane.
#pragma once

#include <stdbool.h>

// Both ends of the straight paths of three corners.
typedef struct StCornerPaths {
  const double *from[3], *to[3];
} StCornerPaths;

// True if a corner of one passes through the other, or an edge through an edge. Touching without
// passing does not count.
bool st_triangles_meet(const StCornerPaths *a, const StCornerPaths *b);
