// Tets inside a closed surface, by Gmsh's library. It is loaded when it is first needed: it brings
// some ninety others with it, which no other command should wait for.
#ifndef ST_FILL_TETS_H
#define ST_FILL_TETS_H

#include "mesh/mesh.h"

// What `fill` is done with, "Gmsh 4.8"; NULL: this build has nothing to fill with.
const char *st_tets_maker(void);

// The surface's triangles, which may not cross and must face out of the solid, stay as they are and
// its vertices come first; edge: the longest that edges inside should be, m. The same surface
// always gives the same tets.
StStatus st_tets_fill(const StMesh *surface, double edge, StMesh **result, StError *error);

#endif
