// The barrier.
#include "contact/barrier.h"

#include "contact/barrier_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/barrier_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

StBarrierCurve st_barrier_curve(double x) {
  return barrier_real(x);
}

StBarrierCurveDual st_barrier_curve_dual(StDual x) {
  return barrier_complex(x);
}
