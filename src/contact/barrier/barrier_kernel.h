// The barrier on scalars. All terms of a derivative have the same sign, so nothing cancels.
// Included by barrier.c and contact_force_kernel.h for real and complex numbers.
#include "math/scalar.h"

#undef ST_BARRIER_CURVE
#ifdef ST_COMPLEX_KERNEL
#define ST_BARRIER_CURVE StBarrierCurveDual
#else
#define ST_BARRIER_CURVE StBarrierCurve
#endif

// Value of −φ', the pressure over κ, at which half of a viscous film is present.
#ifndef ST_BARRIER_FILM
#define ST_BARRIER_FILM 1e-5
#endif

static inline scalar ST_KERNEL(film)(const ST_BARRIER_CURVE *curve) {
  if (!(s_real(curve->slope) < 0))
    return s_number(0);
  if (s_real(curve->slope) < -1e9)
    return s_number(1);
  return curve->slope / (curve->slope - ST_BARRIER_FILM);
}

static inline ST_BARRIER_CURVE ST_KERNEL(barrier)(scalar x) {
  if (s_real(x) >= 1)
    return (ST_BARRIER_CURVE){s_number(0), s_number(0), s_number(0)};
  if (!(s_real(x) > 0))
    return (ST_BARRIER_CURVE){s_number(INFINITY), s_number(-INFINITY), s_number(INFINITY)};
  scalar y = x - 1, z = y / x, log = s_log(x);
  return (ST_BARRIER_CURVE){-y * y * log, -2 * y * log - y * z, -2 * log - 4 * z + z * z};
}
