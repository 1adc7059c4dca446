// Whether the Jacobian of a problem has a negative eigenvalue: the solution of a stable equilibrium
// has none, however it was found.
#pragma once

#include "solve/linear.h"

// Looks for a negative real eigenvalue of J at y, with progress 1: by a few steps of Arnoldi's
// method for J⁻¹, whose largest eigenvalues are the reciprocals of J's smallest ones. *value: the
// eigenvalue, and mode, [size], its eigenvector; 0: none was found. J need not be symmetric, and
// eigenvalues that are not real are passed over. One that is far from zero may be missed; no
// positive one is taken for it. ST_NOT_SOLVED: the linear solver failed. Collective.
StStatus st_negative_mode_find(const StProblem *problem, StLinear *linear, const double *y,
                               double *mode, double *value, StError *error);
