// On which side of a triangle's plane a point is: the sign of a determinant, exact for all doubles
// whose products neither overflow nor underflow (lengths from 1e-90 to 1e90).
#pragma once

#include <stdbool.h>

// Sign of (a - d) · ((b - d) × (c - d)): 1, -1, or 0 if all four are coplanar.
int st_orient(const double a[3], const double b[3], const double c[3], const double d[3]);

// The same in plain arithmetic; false (and *sign untouched) if rounding could change it.
bool st_orient_quick(const double a[3], const double b[3], const double c[3], const double d[3],
                     int *sign);

// Bound on the rounding error of such a determinant, relative to the sum of the magnitudes of its
// six products: each has seven roundings of 2^-53; the eighth covers terms of higher order.
#define ST_ORIENT_ERROR (8 * 0x1p-53)
