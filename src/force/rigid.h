// Read-outs of rigid bodies.
#pragma once

#include "force/force.h"

// The largest strain of a rigid body of this rank, and which body; -1: it has none.
double st_rigid_largest_strain(const void *data, const StPoint *at, int *body);

// Positions are rounded, and what keeps a body in shape answers to the last digit of them. How far
// that may put off the work of these forces on the prescribed carriers of this rank, J. held:
// [owned][3], 0 for a prescribed coordinate; from, to: where a step begins and ends.
double st_rigid_work_noise(const void *data, const double *held, const double *from,
                           const double *to);
