// The barrier that keeps primitives apart: b(x) = −(x − 1)² ln x, x the gap over the activation
// distance. It grows without bound as the gap closes, and ends smoothly (C²) at x = 1.
#pragma once

#include "math/scalar.h"

typedef struct StBarrierCurve {
  double value, slope, curvature; // φ, φ' ≤ 0, φ'' ≥ 0 by x
} StBarrierCurve;

typedef struct StBarrierCurveDual {
  StDual value, slope, curvature;
} StBarrierCurveDual;

// Infinite for x ≤ 0 and for NaN; all zero for x ≥ 1.
StBarrierCurve st_barrier_curve(double x);
StBarrierCurveDual st_barrier_curve_dual(StDual x);

// The fraction of a viscous film that is present at this point of the curve, 0 … 1. It is nearly 1
// wherever contact carries a load, so that the film's drag hardly depends on κ
// (contact/barrier/barrier_kernel.h). The slope is by x.
double st_barrier_film_slope(const StBarrierCurve *at);
