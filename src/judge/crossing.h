// Edges of one surface through triangles of another, or of the same one. Touching does not count:
// an edge that ends on a plane, lies in it, or meets a rim or a corner from outside.
#pragma once

#include "judge/hull.h"

// A surface at its current positions; its tree must be fitted to them.
typedef struct StSheet {
  const StHull *hull;
  const double *position;
} StSheet;

// Called for every edge (two vertices of one sheet) that passes through a triangle (of the other).
typedef struct StCrossings {
  void (*found)(void *context, const int edge[2], const int triangle[3], bool edge_is_of_second);
  void *context;
} StCrossings;

void st_crossings_between(const StSheet *first, const StSheet *second, const StCrossings *visit);
void st_crossings_within(const StSheet *sheet, const StCrossings *visit);

// Whether an edge passes through the interior of a triangle. If it passes exactly through the
// interior of the triangle's edge i, *rim is i and the result is false; otherwise *rim is -1.
bool st_edge_passes(const double p[3], const double q[3], const double *const corner[3], int *rim);
