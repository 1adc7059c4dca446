// Tets inside a closed surface, by Gmsh's library, which is loaded on demand: it loads some ninety
// others, and no other command should wait for that.
#pragma once

#include "mesh/mesh.h"

// Name of the library that fills, "Gmsh 4.8"; NULL: this build has none.
const char *st_tets_maker(void);

// The surface's triangles must not cross and must face out of the solid. They stay unchanged and
// its vertices come first; edge: longest edge inside, m. The same surface always gives the same
// tets.
StStatus st_tets_fill(const StMesh *surface, double edge, StMesh **result, StError *error);
