// The area of skin that each vertex stands for in contact.
#pragma once

#include "base/status.h"

// Fills area[vertex_count], m². The area of a vertex is a third of the triangles around it that
// face the same way, each projected on that direction. At the rim of a flat face this is the
// vertex's part of that face alone: with the side walls added, the rim would carry twice its share
// of the pressure, and a disc turned on a table would meet 10 % too much friction. A vertex whose
// triangles face several ways takes the direction with the largest area. Faces that have a vertex
// inside them next to this one come first, because only there must the rim match the vertices
// inside: otherwise the tall wall of a cylinder, one cell high, would make its bottom press at the
// rim. The area is zero for vertices without a triangle.
StStatus st_facing_areas(const double *position, const int *triangle, int count, int vertex_count,
                         double *area, StError *error);
