// Thickness of a body, from its surface.
#pragma once

#include "mesh/mesh.h"

// The way straight through the body from a point of its surface: a quarter of the surface has
// less, m. INFINITY where more than that lead to no other side. surface: closed, facing out.
StStatus st_fill_thickness(const StMesh *surface, double *thickness, StError *error);
