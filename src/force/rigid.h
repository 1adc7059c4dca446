// Read-outs of rigid bodies.
#ifndef ST_FORCE_RIGID_H
#define ST_FORCE_RIGID_H

#include "force/force.h"

// The largest strain of a rigid body of this rank, and which body; -1: it has none.
double st_rigid_largest_strain(const void *data, const StPoint *at, int *body);

#endif
