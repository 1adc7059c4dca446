// A closed surface with operations on its triangles: splitting, collapsing and flipping edges.
// Every edge has two triangles, all with the same orientation, and each operation keeps that.
#pragma once

#include "mesh/mesh.h"

typedef enum StNetKind {
  ST_NET_FREE,   // may move on the surface
  ST_NET_LINE,   // on a sharp line, with one neighbour along it on either side
  ST_NET_CORNER, // where sharp lines meet, end or bend: stays
} StNetKind;

typedef struct StFan {
  int count, capacity;
  int *triangle; // those around a vertex, in no order
} StFan;

typedef struct StNet {
  int vertex_count;
  double *position;    // [vertex_count][3]
  unsigned char *kind; // [vertex_count] StNetKind
  StFan *fan;          // [vertex_count] empty: the vertex is gone
  size_t position_capacity, kind_capacity, fan_capacity;
  int triangle_count;
  int *triangle;        // [triangle_count][3]; first corner -1: the triangle is gone
  unsigned char *sharp; // [triangle_count] bit i: the edge from corner i to the next is sharp
  int *label;           // [triangle_count]
  size_t triangle_capacity, sharp_capacity, label_capacity;
} StNet;

// From the mesh's triangles, which must be closed; initially no edge is sharp and all vertices are
// free.
StStatus st_net_create(const StMesh *mesh, StNet *net, StError *error);
void st_net_free(StNet *net);

// The remaining vertices and triangles, in order; labels are those of `names`.
StStatus st_net_mesh(const StNet *net, const StMesh *names, StMesh **mesh, StError *error);

static inline const double *st_net_place(const StNet *net, int vertex) {
  return net->position + 3 * (size_t)vertex;
}
static inline bool st_net_has(const StNet *net, int triangle) {
  return net->triangle[3 * (size_t)triangle] >= 0;
}
int st_net_corner(const StNet *net, int triangle, int vertex); // which of the three it is

// The triangle on the other side of edge i, and which edge it is there.
int st_net_across(const StNet *net, int triangle, int i, int *edge);

// Whether two vertices are joined by an edge.
bool st_net_joined(const StNet *net, int a, int b);

bool st_net_is_sharp(const StNet *net, int triangle, int i);
void st_net_sharpen(StNet *net, int triangle, int i); // on both sides

// A new vertex in edge i of a triangle.
StStatus st_net_split(StNet *net, int triangle, int i, const double at[3], int *vertex,
                      StError *error);

// Whether the first corner of edge i can be merged into the second without tearing or pinching the
// surface; and doing so.
bool st_net_can_collapse(const StNet *net, int triangle, int i);
StStatus st_net_collapse(StNet *net, int triangle, int i, StError *error);

// Flips edge i of a triangle, so that it joins the two opposite corners.
bool st_net_can_flip(const StNet *net, int triangle, int i);
StStatus st_net_flip(StNet *net, int triangle, int i, StError *error);
