// The barrier that keeps primitives apart: b(x) = −(x − 1)² ln x, x the gap over the activation
// distance. It grows without bound as the gap closes, and ends smoothly (C²) at x = 1.
#ifndef ST_CONTACT_BARRIER_H
#define ST_CONTACT_BARRIER_H

#include "math/scalar.h"

// Energy of a touch: weight · fade · stiffness · activation · b(gap/activation).
typedef struct StBarrier {
  double activation; // d̂, m: gaps below it press
  double stiffness;  // κ, Pa
  double weight;     // m²; below zero where neighbours count the same contact twice
  double film;       // m²: of a viscous film; none between edges, which have no area
  double holding;    // N/m: of an anchor (contact/friction.h), at full fade
  double held[3];    // what that held at the step's start, as a velocity
} StBarrier;

typedef struct StBarrierCurve {
  double value, slope, curvature; // φ, φ' ≤ 0, φ'' ≥ 0 by x
} StBarrierCurve;

typedef struct StBarrierCurveDual {
  StDual value, slope, curvature;
} StBarrierCurveDual;

// Infinite at x ≤ 0 and where x is no number; all zero from 1 on.
StBarrierCurve st_barrier_curve(double x);
StBarrierCurveDual st_barrier_curve_dual(StDual x);

#endif
