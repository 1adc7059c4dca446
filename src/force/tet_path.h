// How far tetrahedra may move along a straight path without inverting anywhere on it.
#pragma once

#include "force/tet_set.h"

// `part`, or less if some tet of the batch would lose all its volume within that part of the path;
// a tenth of its volume is then left. Tets that are inverted at the start do not count. Of second
// order each point counts as a tet: stress is infinite where a point has lost all its volume.
double st_tet_path_limit(const StTetBatch *batch, const double *from, const double *to,
                         double part);
