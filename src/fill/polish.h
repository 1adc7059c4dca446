// Improves the worst tets.
#pragma once

#include "mesh/mesh.h"

// Removes nearly flat tets on the surface if that moves the surface by less than `spare`; moves
// inner vertices to where the worst of their tets is better. *shift: how far the surface has moved
// at most, m. May leave vertices without tets.
StStatus st_polish(StMesh *mesh, double spare, double *shift, StError *error);
