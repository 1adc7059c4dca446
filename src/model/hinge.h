// Hinges of a triangle mesh: two triangles that share an edge, across which the surface bends. An
// edge of three or more triangles has a hinge between every two of them; a border has none.
#ifndef ST_MODEL_HINGE_H
#define ST_MODEL_HINGE_H

#include "base/status.h"
#include "mesh/mesh.h"

typedef struct StHinge {
  // The edge, in the direction in which the first triangle runs along it; then the vertex opposite
  // in the first triangle and that in the second. The angle between the triangles follows from
  // these four whichever way the second is turned.
  int vertex[4];
  int triangle[2];
} StHinge;

// In a fixed order, of their triangles. free() them.
StStatus st_mesh_hinges(const StMesh *mesh, StHinge **hinge, int *count, StError *error);

#endif
