// One kernel source, three compilations: real numbers, complex ones for exact forward derivatives
// (f(x + i·2⁻¹⁰⁰·d) carries the derivative along d in its imaginary part), and lanes for batches.
// A kernel says `scalar` and ST_KERNEL(name); included plainly, with ST_COMPLEX_KERNEL and with
// ST_LANES_KERNEL defined it yields name_real, name_complex and name_lanes. `s_constant` is a
// number that nothing is differentiated by, one per lane. Comparisons look at the real part
// (s_real), and lanes have none; never use fabs, fmax, cabs in a kernel.
#ifndef ST_MATH_SCALAR_H
#define ST_MATH_SCALAR_H

#include "math/vector_atan2.h"
#include "math/vector_exp.h"
#include "math/vector_log.h"

#include <complex.h>
#include <math.h>
#undef I // <complex.h> takes a letter that mechanics needs; kernels build numbers with s_dual
#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

#define ST_COMPLEX_STEP 0x1p-100 // a power of two: scaling by it rounds nothing

typedef double complex StDual;

static inline double s_real_real(double x) {
  return x;
}
static inline double s_sqrt_real(double x) {
  return sqrt(x);
}
static inline double s_log_real(double x) {
  return log(x);
}
static inline double s_exp_real(double x) {
  return exp(x);
}
static inline double s_abs_real(double x) {
  return fabs(x);
}
static inline double s_max_real(double x, double y) {
  return x > y ? x : y;
}
static inline double s_atan2_real(double y, double x) {
  return atan2(y, x);
}
static inline double s_round_real(double x) {
  return rint(x);
}

static inline StDual s_dual(double value, double derivative) {
  return CMPLX(value, derivative * ST_COMPLEX_STEP);
}
static inline double s_derivative(StDual x) {
  return cimag(x) / ST_COMPLEX_STEP;
}

static inline double s_real_complex(StDual x) {
  return creal(x);
}
static inline StDual s_sqrt_complex(StDual x) {
  double r = sqrt(creal(x));
  return CMPLX(r, cimag(x) / (2 * r));
}
static inline StDual s_log_complex(StDual x) {
  return CMPLX(log(creal(x)), cimag(x) / creal(x));
}
static inline StDual s_exp_complex(StDual x) {
  double e = exp(creal(x));
  return CMPLX(e, e * cimag(x));
}
static inline StDual s_abs_complex(StDual x) {
  return creal(x) < 0 ? -x : x;
}
static inline StDual s_max_complex(StDual x, StDual y) {
  return creal(x) > creal(y) ? x : y;
}
static inline StDual s_atan2_complex(StDual y, StDual x) {
  double a = creal(x), b = creal(y);
  return CMPLX(atan2(b, a), (a * cimag(y) - b * cimag(x)) / (a * a + b * b));
}
static inline double s_round_complex(StDual x) {
  return rint(creal(x));
}

static inline StLanes s_sqrt_lanes(StLanes x) {
  StLanes root;
  for (int lane = 0; lane < ST_LANES; lane++)
    root[lane] = sqrt(x[lane]);
  return root;
}
static inline StLanes s_round_lanes(StLanes x) { // |x| below 2⁵¹
  return (x + 0x1.8p52) - 0x1.8p52;
}

#endif

// Below: chosen anew at every inclusion.
#undef scalar
#undef ST_KERNEL
#undef s_number
#undef s_real
#undef s_sqrt
#undef s_log
#undef s_exp
#undef s_abs
#undef s_max
#undef s_atan2
#undef s_round
#undef s_constant
#if defined(ST_COMPLEX_KERNEL)
#define scalar StDual
#define ST_KERNEL(name) name##_complex
#define s_number(x) CMPLX((x), 0)
#define s_real s_real_complex
#define s_sqrt s_sqrt_complex
#define s_log s_log_complex
#define s_exp s_exp_complex
#define s_abs s_abs_complex
#define s_max s_max_complex
#define s_atan2 s_atan2_complex
#define s_round s_round_complex
#define s_constant double
#elif defined(ST_LANES_KERNEL)
#define scalar StLanes
#define ST_KERNEL(name) name##_lanes
#define s_number(x) lanes_all(x)
#define s_sqrt s_sqrt_lanes
#define s_log s_log_lanes
#define s_exp s_exp_lanes
#define s_atan2 s_atan2_lanes
#define s_round s_round_lanes
#define s_constant StLanes
#else
#define scalar double
#define ST_KERNEL(name) name##_real
#define s_number(x) (x)
#define s_real s_real_real
#define s_sqrt s_sqrt_real
#define s_log s_log_real
#define s_exp s_exp_real
#define s_abs s_abs_real
#define s_max s_max_real
#define s_atan2 s_atan2_real
#define s_round s_round_real
#define s_constant double
#endif
