// Closest features of points, edges and triangles. There are no lists and no search here: the broad
// phase finds the candidates, and contact/core/primitive_gap.h computes gaps and derivatives.
#pragma once

#include <stdbool.h>

// Corner k of a triangle or an edge is ST_CORNER_0 + k. Edge k of a triangle joins its corners k
// and k + 1 (mod 3); an edge's only edge is ST_EDGE_0.
typedef enum StFeature {
  ST_CORNER_0,
  ST_CORNER_1,
  ST_CORNER_2,
  ST_EDGE_0,
  ST_EDGE_1,
  ST_EDGE_2,
  ST_FACE
} StFeature;

typedef struct StClosest {
  StFeature feature; // the feature whose interior contains the nearest point
  double square;     // squared distance, m²
  double share[3];   // weights of the corners at the nearest point; zero for corners not involved
} StClosest;

// x[0] is the point, x[1 …] are the corners. A triangle that is flat to round-off counts as its
// edges, an edge of zero length as its first corner.
void st_primitive_point_triangle(const double x[4][3], StClosest *closest);
void st_primitive_point_edge(const double x[3][3], StClosest *closest);

// Edges x[0] x[1] and x[2] x[3]. True if both nearest points are strictly inside their edges and
// the edges are not parallel to round-off. param: position of the nearest point on each edge, 0 to
// 1; any nearest pair if there are several.
bool st_primitive_edge_edge(const double x[4][3], double param[2], double *square);

// Smallest distances, m.
double st_primitive_point_triangle_distance(const double *point, const double *a, const double *b,
                                            const double *c);
double st_primitive_edge_edge_distance(const double *a0, const double *a1, const double *b0,
                                       const double *b1);
