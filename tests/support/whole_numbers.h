// Exact geometry on integer coordinates below 2^40, in 128-bit integers: what the judge is held
// against.
#ifndef TESTS_SUPPORT_WHOLE_NUMBERS_H
#define TESTS_SUPPORT_WHOLE_NUMBERS_H

#include "support/random.h"

#include <stdint.h>

__extension__ typedef __int128 Whole;

static inline void whole_difference(const double a[3], const double b[3], Whole out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (Whole)(int64_t)a[i] - (Whole)(int64_t)b[i];
}

static inline Whole whole_determinant(const Whole a[3], const Whole b[3], const Whole c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static inline int whole_sign(Whole value) {
  return (value > 0) - (value < 0);
}

static inline int whole_orient(const double a[3], const double b[3], const double c[3],
                               const double d[3]) {
  Whole x[3], y[3], z[3];
  whole_difference(a, d, x);
  whole_difference(b, d, y);
  whole_difference(c, d, z);
  return whole_sign(whole_determinant(x, y, z));
}

static inline void whole_point(uint64_t *state, double range, double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (double)(int64_t)random_between(state, -range, range + 1);
}

#endif
