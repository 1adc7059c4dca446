// The nearest point of a surface, found through a tree of boxes.
#pragma once

#include "judge/box_tree.h"
#include "mesh/mesh.h"

typedef struct StNearest {
  const double *position; // of the mesh, not owned
  int *triangle;          // [count][3] in the order of the tree
  int *order;             // [count] which triangle of the mesh each is
  StBoxTree tree;
} StNearest;

// The mesh must outlive it and must not move.
StStatus st_nearest_create(const StMesh *mesh, StNearest *nearest, StError *error);
void st_nearest_free(StNearest *nearest);

// Searches up to `reach`. Returns the distance, or INFINITY if nothing is that near; point and
// triangle (of the mesh) may be NULL.
double st_nearest_find(const StNearest *nearest, const double x[3], double reach, double point[3],
                       int *triangle);
