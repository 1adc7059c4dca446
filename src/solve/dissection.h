// The order in which sparse LU eliminates rows: nested dissection of the graph of their couplings.
#pragma once

#include "base/status.h"

// Row i is coupled to neighbor[start[i]] … neighbor[start[i + 1] - 1], and those to it; no row to
// itself. order: [count] the rows in order of elimination; place: [count] where each row is in it.
StStatus st_dissection_find(int count, const int *start, const int *neighbor, int *order,
                            int *place, StError *error);
