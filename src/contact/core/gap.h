// The gap between one point and one surface, with its gradients and the shares that interpolate the
// surface's velocity at the point from its vertices. Real numbers serve the forces, complex ones
// the forward derivatives; the same kernel fills both.
#pragma once

#include "math/scalar.h"

// Vertices of a contact: the point first, then the surface's vertices (none for an obstacle).
typedef struct StStencil {
  int count;
  const int *vertex; // [count] local vertices
} StStencil;

// ψ > 0 outside. Arrays are the caller's, one entry per stencil vertex.
typedef struct StGap {
  double gap;       // ψ, m
  double mollifier; // 1 inside the surface's reach, falling to 0 (C¹) past an open border
  double *gradient; // [count][3] ∂ψ/∂x_k; entry 0 is ∇ψ; they sum to zero for a surface of vertices
  double *mollifier_gradient; // [count][3]
  // [count] signed: Σ share·v is the velocity of the point over the surface. 1 for the point; for
  // the surface's vertices they sum to -1.
  double *share;
} StGap;

typedef struct StGapDual {
  StDual gap, mollifier;
  StDual *gradient, *mollifier_gradient, *share;
} StGapDual;
