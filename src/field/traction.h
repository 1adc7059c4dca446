// Contact pressure and shear traction of vertices: their contact forces over the area that these
// act on.
#pragma once

#include "field/field.h"

// value: [vertices], or [vertices][3], zeros before.
//
// The area of a vertex is a third of the triangles around it, projected against its contact force,
// as far as they face it; both sides of a shell do. Uniform pressure p on a surface presses a
// vertex with p times this area, at rims too. Forces over areas still scatter: by a fifth with the
// number of tets around a vertex, and nodes on edges of second order carry nearly all of a face's
// load. So they are averaged twice between neighbours that are pressed, which keeps the sum of
// traction times area, and uniform traction as it is: over the triangles with the shape functions
// of their corners as weights; of second order first from edges to corners.
StStatus st_contact_pressure(const StFieldState *state, double *value, StError *error);
StStatus st_contact_shear(const StFieldState *state, double *value, StError *error);
