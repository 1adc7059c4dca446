// The barrier in real numbers.
#include "contact/barrier/barrier.h"

#include "contact/barrier/barrier_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/barrier/barrier_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

StBarrierCurve st_barrier_curve(double x) {
  return barrier_real(x);
}

StBarrierCurveDual st_barrier_curve_dual(StDual x) {
  return barrier_complex(x);
}

double st_barrier_film_slope(const StBarrierCurve *at) {
  double rest = 1 - film_real(at);
  return at->slope < 0 && rest > 0 ? -rest * rest * at->curvature / ST_BARRIER_FILM : 0;
}
