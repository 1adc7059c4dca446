// The edges of triangles, and which triangles share one.
#pragma once

#include "base/status.h"

// Every triangle's edges, that of triangle t from corner i to the next at 3 t + i, and an order
// that puts edges between the same vertices together, lower triangles first.
typedef struct StEdgeList {
  size_t count;
  int *vertex; // [count][2] ascending
  int *order;  // [count]
} StEdgeList;

// Vertices are in [0, vertex_count).
StStatus st_edge_list_create(const int *triangle, size_t triangle_count, int vertex_count,
                             StEdgeList *list, StError *error);
void st_edge_list_free(StEdgeList *list);

// End of the run of equal edges that starts at place `start` of the order.
size_t st_edge_list_run(const StEdgeList *list, size_t start);

// Whether a triangle traverses its edge from the lower vertex to the higher one.
bool st_edge_is_ascending(const int *triangle, size_t edge);
