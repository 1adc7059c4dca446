// How much of a skin a vertex stands for.
#ifndef ST_CONTACT_FACING_AREA_H
#define ST_CONTACT_FACING_AREA_H

#include "base/status.h"

// Fills area[vertex_count], m²: a third of the triangles around each vertex, as far as they face
// the same way; of several ways the one with the most. At the rim of a flat face that is its part
// of the face. With the walls beside it, the rim would carry twice its share of the pressure, and
// a disc turned on a table meet 10 % too much friction. Zero for vertices without a triangle.
StStatus st_facing_areas(const double *position, const int *triangle, int count, int vertex_count,
                         double *area, StError *error);

#endif
