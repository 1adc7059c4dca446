// The sides of triangles: which lie on one edge.
#ifndef ST_MESH_SIDE_H
#define ST_MESH_SIDE_H

#include "base/status.h"

// All sides, that of triangle t from corner i to the next at 3 t + i, and the order that brings
// those of one edge together, lower triangles first.
typedef struct StSides {
  size_t count;
  int *vertex; // [count][2] ascending
  int *order;  // [count]
} StSides;

// Vertices are in [0, vertex_count).
StStatus st_sides_create(const int *triangle, size_t triangle_count, int vertex_count,
                         StSides *sides, StError *error);
void st_sides_free(StSides *sides);

// End of the run of sides on one edge that starts at place `start` of the order.
size_t st_sides_run(const StSides *sides, size_t start);

// Whether a side runs from its lower vertex to its higher one.
bool st_side_rises(const int *triangle, size_t side);

#endif
