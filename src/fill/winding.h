// How often a surface winds about points: once inside a closed one, not at all outside, and about
// half a turn in a hole of an open one. Far parts of the surface count as one panel each.
#pragma once

#include "judge/box_tree.h"
#include "mesh/mesh.h"

typedef struct StWinding {
  StBoxTree tree;
  int *triangle;          // [triangles][3] in the tree's order
  const double *position; // of the mesh
  struct StPanel *panel;  // [nodes of the tree]
} StWinding;

// surface: its positions are kept, so it outlives the result.
StStatus st_winding_create(const StMesh *surface, StWinding *winding, StError *error);
void st_winding_free(StWinding *winding);

double st_winding_about(const StWinding *winding, const double x[3]); // turns, outward positive
