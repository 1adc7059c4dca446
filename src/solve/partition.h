// Divides a graph among the ranks so that few edges are cut, always in the same way.
#pragma once

#include "base/status.h"

// start [count + 1], neighbor: the whole graph, on the first rank; others need not have it. owner:
// [count]. Collective.
StStatus st_partition_graph(int count, const int *start, const int *neighbor, int *owner,
                            StError *error);
