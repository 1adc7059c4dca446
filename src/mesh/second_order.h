// Tetrahedra of second order: ten nodes each, the corners and a node on every edge. A mesh keeps
// such an element as eight linear tets between its nodes, its parts, so that all who look at shapes
// (surfaces, contact, volumes, files) see tets and vertices. Elastic forces see the whole.
#pragma once

#include "mesh/mesh.h"

enum { ST_SECOND_PARTS = 8, ST_SECOND_NODES = 10 };

// The edges that nodes 4 … 9 are on.
extern const int st_second_edge[6][2];

// Part a < 4 is the one at corner a. Its own corner b is the node between corners a and b, and
// corner a itself where b = a. The others fill the middle. part: [8][4].
void st_second_nodes(const int *part, int node[ST_SECOND_NODES]);

// The parts of an element, in that order; the middle is cut along its shortest diagonal.
void st_second_split(const int node[ST_SECOND_NODES], const double *position, int *part);

// The points of an element as VTK orders those of its (quadratic) tetrahedra.
void st_mesh_element_points(const StMesh *mesh, int element, int point[ST_SECOND_NODES]);

// Turns all linear tets into elements of second order with straight edges. Nodes on edges of the
// boundary get the tags that both ends have. ST_BAD_INPUT if there would be too many.
StStatus st_mesh_raise_order(StMesh *mesh, StError *error);

// The same with the nodes that are on the edges: node [tet_count][6], numbers of vertices, adapted
// where a tet is turned to be upright. ST_BAD_INPUT if an edge has different nodes in two tets.
StStatus st_mesh_take_nodes(StMesh *mesh, int *node, StError *error);

// Elements, other than parts of elements.
static inline int st_mesh_element_count(const StMesh *mesh) {
  return mesh->second_order ? mesh->tet_count / ST_SECOND_PARTS : mesh->tet_count;
}

// Parts and nodes of an element.
static inline int st_mesh_part_count(const StMesh *mesh) {
  return mesh->second_order ? ST_SECOND_PARTS : 1;
}

static inline int st_mesh_node_count(const StMesh *mesh) {
  return mesh->second_order ? ST_SECOND_NODES : 4;
}

// Gradients of the ten shape functions with respect to the coordinates (ξ, η, ζ) of the reference
// tet, at the point with the barycentric coordinates L.
void st_second_gradients(const double L[4], double gradient[ST_SECOND_NODES][3]);
