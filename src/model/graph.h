// Which vertices share an element, over all bodies: for partitioning, and for a vertex order that
// keeps neighbours close in memory.
#pragma once

#include "model/description.h"

typedef struct StGraph {
  int vertex_count;
  int *start;    // [vertex_count + 1]
  int *neighbor; // [start[vertex_count]] sorted, without the vertex itself
} StGraph;

StStatus st_graph_create(const StDescription *description, StGraph **graph, StError *error);
void st_graph_destroy(StGraph *graph);

// Reverse Cuthill-McKee: order[k] is the k-th vertex.
StStatus st_graph_order(const StGraph *graph, int *order, StError *error);
