// Moments of inertia, and the rotation that an angular momentum means. Matrices are row by row.
#pragma once

#include "math/vec3.h"

#include <stdbool.h>

// A smaller moment of inertia than this part of the largest that a body of its size could have
// counts as zero: the body is a line.
#define ST_INERTIA_THIN 1e-9

// Adds m (|a|² − a aᵀ).
static inline void inertia_add(double mass, const double arm[3], double inertia[9]) {
  double square = vec3_dot(arm, arm);
  for (int k = 0; k < 9; k++)
    inertia[k] += mass * ((k % 4 == 0 ? square : 0) - arm[k / 3] * arm[k % 3]);
}

// False: the mass lies on a line.
static inline bool inertia_invert(const double inertia[9], double inverse[9]) {
  double size = inertia[0] + inertia[4] + inertia[8];
  if (!(mat3_determinant(inertia) > ST_INERTIA_THIN * size * size * size))
    return false;
  mat3_inverse(inertia, inverse);
  return true;
}

// The angular velocity at which a body has this angular momentum. False: the mass lies on a line.
static inline bool inertia_spin(const double inertia[9], const double momentum[3], double spin[3]) {
  double inverse[9] = {0};
  if (!inertia_invert(inertia, inverse))
    return false;
  mat3_apply(inverse, momentum, spin);
  return true;
}
