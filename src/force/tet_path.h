// How far tetrahedra may go along a straight way without being turned inside out at any point of
// it.
#ifndef ST_FORCE_TET_PATH_H
#define ST_FORCE_TET_PATH_H

#include "force/tet_set.h"

// `part`, or less: then some tet of the batch would lose all of its volume by the part of the way
// given, and a tenth of it is left where it ends. Tets that are inverted to begin with do not
// count.
double st_tet_path_limit(const StTetBatch *batch, const double *from, const double *to,
                         double part);

#endif
