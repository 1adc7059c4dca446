// The plate that a mesh of hinges represents. Bending energy is in the angles between triangles;
// rolled onto a cylinder of large radius r, a mesh with hinges of stiffness k stores ½ D/r² per
// area with D = ratio × k.
#pragma once

#include "base/status.h"
#include "mesh/mesh.h"

// along: unit vector in the plane of the mesh at rest, the curved direction; NULL: the mean over
// all directions, which is also defined for curved meshes. Area near borders counts only as far as
// it belongs to hinges. 0 for a mesh without hinges.
StStatus st_plate_ratio(const StMesh *mesh, const double *along, double *ratio, StError *error);
