// A graph for Scotch, with random numbers of its own: the same graph always gives the same result,
// whatever else in the process uses Scotch.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <scotch.h>

typedef struct StScotchGraph {
  SCOTCH_Context context;
  SCOTCH_Graph plain, graph; // the second one in the context
  SCOTCH_Strat strategy;     // to be set by the user
} StScotchGraph;

// Row i is coupled to neighbor[start[i]] … neighbor[start[i + 1] - 1], and those to it; no row to
// itself. weight: [count] of rows; NULL: all are alike. The arrays must stay. False: no memory.
// Free it in any case.
bool st_scotch_graph_create(int count, const int *start, const int *neighbor, const int *weight,
                            StScotchGraph *graph);
void st_scotch_graph_free(StScotchGraph *graph);
