// The shape of tetrahedra at rest: gradients of their shape functions by the rest position. A
// linear tet has one point; one of second order has four, exact for polynomials of second degree:
// straight elements under small strain are integrated exactly.
#pragma once

#include "mesh/second_order.h"

enum { ST_TET_POINTS = 4 }; // of second order; the one near corner a lies in part a

// Barycentric coordinates of a point of second order: the first for its own corner.
extern const double st_tet_point_near, st_tet_point_far;

// rest: [vertices][3]. Gradients of corners 1, 2 and 3, the rows of Dm⁻¹; returns det Dm, six times
// the volume.
double st_tet_slopes(const double *rest, const int corner[4], double slope[3][3]);

// Of second order: gradients of all nodes at a point; returns the determinant, 24 times the point's
// share of the volume.
double st_tet_point_slopes(const double *rest, const int node[ST_SECOND_NODES], int point,
                           double slope[ST_SECOND_NODES][3]);
