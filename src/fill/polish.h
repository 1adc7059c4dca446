// Better shapes for the worst tets.
#ifndef ST_FILL_POLISH_H
#define ST_FILL_POLISH_H

#include "mesh/mesh.h"

// Tets that are almost flat and lie on the surface are taken away where that moves the surface by
// less than `spare`; vertices inside move to where the worst of their tets is better. *shift: how
// far the surface has moved at most, m. Vertices may be left that belong to no tet.
StStatus st_polish(StMesh *mesh, double spare, double *shift, StError *error);

#endif
