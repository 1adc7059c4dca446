// Sorting of short tuples of vertex numbers (edges, faces, tets) in linear time: how equal faces
// are brought together without hashing, in an order that depends on nothing but the mesh.
#ifndef ST_MESH_TUPLE_H
#define ST_MESH_TUPLE_H

#include "base/status.h"

// order[k]: which tuple comes k-th when sorted by first item, then second … ; equal ones stay in
// their order. tuple: [count][width], items in [0, bound). order: [count], given by the caller.
StStatus st_tuple_sort(const int *tuple, size_t count, int width, int bound, int *order,
                       StError *error);

// Ascending items within one tuple, so that tuples with the same vertices become equal.
void st_tuple_ascend(int *tuple, int width);

bool st_tuple_equal(const int *tuple, int width, int a, int b);

// End of the run of equal tuples that starts at place start of the order.
size_t st_tuple_run(const int *tuple, int width, const int *order, size_t count, size_t start);

#endif
