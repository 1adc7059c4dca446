// The surface of a body or a mesh obstacle for the independent check: faces of tets without a
// neighbour, and triangles of shells.
#pragma once

#include "judge/box_tree.h"
#include "mesh/mesh.h"

typedef struct StHull {
  int triangle_count;
  int *triangle; // [triangle_count][3] in the order of the tree
  // Edge i of a triangle runs from its corner i to the next.
  unsigned char *stands_for; // [triangle_count] bit i: this triangle represents edge i
  int *across; // [triangle_count][3] third corner of the other triangle at edge i; -1: none or many
  int point_count;
  int *point; // [point_count] vertices of the surface, ascending
  int edge_count;
  int *edge; // [edge_count][2] ascending
  StBoxTree tree;
} StHull;

// first_vertex: added to the mesh's vertex numbers; position: the mesh's own, at rest.
StStatus st_hull_create(const StMesh *mesh, int first_vertex, StHull *hull, StError *error);
void st_hull_free(StHull *hull);

bool st_hull_has_point(const StHull *hull, int vertex);
bool st_hull_has_edge(const StHull *hull, int a, int b);
