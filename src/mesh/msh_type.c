// The element types of Gmsh, by number.
#include "mesh/msh_type.h"

#include "base/memory.h"

static const StMshType types[] = {
    [1] = {1, 2, 2, "line"},
    [2] = {2, 3, 3, "triangle"},
    [3] = {2, 4, 4, "quadrangle"},
    [4] = {3, 4, 4, "tetrahedron"},
    [5] = {3, 8, 0, "hexahedron"},
    [6] = {3, 6, 0, "prism"},
    [7] = {3, 5, 0, "pyramid"},
    [8] = {1, 3, 2, "3-node line"},
    [9] = {2, 6, 3, "6-node triangle"},
    [10] = {2, 9, 4, "9-node quadrangle"},
    [11] = {3, 10, 4, "10-node tetrahedron"},
    [12] = {3, 27, 0, "27-node hexahedron"},
    [13] = {3, 18, 0, "18-node prism"},
    [14] = {3, 14, 0, "14-node pyramid"},
    [15] = {0, 1, 1, "point"},
    [16] = {2, 8, 4, "8-node quadrangle"},
    [17] = {3, 20, 0, "20-node hexahedron"},
    [18] = {3, 15, 0, "15-node prism"},
    [19] = {3, 13, 0, "13-node pyramid"},
    [20] = {2, 9, 3, "9-node triangle"},
    [21] = {2, 10, 3, "10-node triangle"},
    [22] = {2, 12, 3, "12-node triangle"},
    [23] = {2, 15, 3, "15-node triangle"},
    [24] = {2, 15, 3, "15-node triangle"},
    [25] = {2, 21, 3, "21-node triangle"},
    [26] = {1, 4, 2, "4-node line"},
    [27] = {1, 5, 2, "5-node line"},
    [28] = {1, 6, 2, "6-node line"},
    [29] = {3, 20, 4, "20-node tetrahedron"},
    [30] = {3, 35, 4, "35-node tetrahedron"},
    [31] = {3, 56, 4, "56-node tetrahedron"},
};

const StMshType *st_msh_type(int64_t number) {
  return number > 0 && number < ST_LENGTH(types) ? &types[number] : NULL;
}
