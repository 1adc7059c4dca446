// How much of a skin a vertex stands for.
#pragma once

#include "base/status.h"

// Fills area[vertex_count], m²: a third of the triangles around each vertex, as far as they face
// the same way. At the rim of a flat face that is its part of the face. With the walls beside it,
// the rim would carry twice its share of the pressure, and a disc turned on a table meet 10 % too
// much friction. Of several ways the one with the most counts, but first those of faces that have
// vertices amid them, next to this one: only there the rim must fit the rest. Otherwise the tall
// wall of a cylinder, one cell high, would make its bottom press at the rim. Zero for vertices
// without a triangle.
StStatus st_facing_areas(const double *position, const int *triangle, int count, int vertex_count,
                         double *area, StError *error);
