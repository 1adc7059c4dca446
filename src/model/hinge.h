// Hinges of a triangle mesh: two triangles that share an edge, across which the surface bends. An
// edge of three or more triangles has a hinge between every two of them; a border edge has none.
#pragma once

#include "base/status.h"
#include "mesh/mesh.h"

typedef struct StHinge {
  // The edge, in the direction of the first triangle; then the opposite vertices of the first and
  // the second triangle. The angle between the triangles follows from these four regardless of the
  // orientation of the second.
  int vertex[4];
  int triangle[2];
} StHinge;

// Sorted by their triangles. free() them.
StStatus st_mesh_hinges(const StMesh *mesh, StHinge **hinge, int *count, StError *error);
