// Sorts short tuples of vertex numbers (edges, faces, tets) in linear time: puts equal faces
// together without hashing, in an order that depends only on the mesh.
#pragma once

#include "base/status.h"

// order[k]: index of the k-th tuple when sorted by first item, then second … ; stable. tuple:
// [count][width], items in [0, bound). order: [count], allocated by the caller.
StStatus st_tuple_sort(const int *tuple, size_t count, int width, int bound, int *order,
                       StError *error);

// Ascending items within one tuple, so that tuples with the same vertices become equal.
void st_tuple_ascend(int *tuple, int width);

bool st_tuple_equal(const int *tuple, int width, int a, int b);

// End of the run of equal tuples that starts at place start of the order.
size_t st_tuple_run(const int *tuple, int width, const int *order, size_t count, size_t start);
