// Contact pressure and shear traction at vertices: contact forces divided by the area on which they
// act.
#pragma once

#include "field/field.h"

// value: [vertices], or [vertices][3], zeros before.
//
// The area of a vertex is a third of the triangles around it that face its contact force, projected
// onto the plane across that force; triangles of shells face it on both sides. A uniform pressure p
// presses a vertex with p times this area, at the rim of the surface too. Forces over areas still
// scatter: by a fifth with the number of tets around a vertex, and nodes on edges of elements of
// second order carry nearly all of a face's load. So tractions are averaged twice between
// neighbouring vertices in contact, with the shape functions of triangles' corners as weights,
// after nodes on edges have given their forces to both ends. This keeps the sum of traction times
// area, and leaves uniform traction as it is.
StStatus st_contact_pressure(const StFieldState *state, double *value, StError *error);
StStatus st_contact_shear(const StFieldState *state, double *value, StError *error);
