// One kernel source, two compilations: real numbers for speed, complex numbers for exact forward
// derivatives (f(x + i·1e-30·d) carries the derivative along d in its imaginary part, without
// cancellation). A kernel header says `scalar` for its numbers and ST_KERNEL(name) for its functions;
// including it once plainly and once with ST_COMPLEX_KERNEL defined yields name_real and name_complex.
// Comparisons look at the real part only (s_real); never use fabs, fmax, cabs in a kernel.
#ifndef ST_MATH_SCALAR_H
#define ST_MATH_SCALAR_H

#include <complex.h>
#include <math.h>
#undef I // <complex.h> takes a letter that mechanics needs; kernels build numbers with s_dual

#define ST_COMPLEX_STEP 1e-30

typedef double complex StDual;

static inline double s_real_real(double x) { return x; }
static inline double s_sqrt_real(double x) { return sqrt(x); }
static inline double s_log_real(double x) { return log(x); }
static inline double s_abs_real(double x) { return fabs(x); }
static inline double s_max_real(double x, double y) { return x > y ? x : y; }

static inline StDual s_dual(double value, double derivative) {
  return CMPLX(value, derivative * ST_COMPLEX_STEP);
}
static inline double s_derivative(StDual x) { return cimag(x) / ST_COMPLEX_STEP; }

static inline double s_real_complex(StDual x) { return creal(x); }
static inline StDual s_sqrt_complex(StDual x) {
  double r = sqrt(creal(x));
  return CMPLX(r, cimag(x) / (2 * r));
}
static inline StDual s_log_complex(StDual x) {
  return CMPLX(log(creal(x)), cimag(x) / creal(x));
}
static inline StDual s_abs_complex(StDual x) { return creal(x) < 0 ? -x : x; }
static inline StDual s_max_complex(StDual x, StDual y) { return creal(x) > creal(y) ? x : y; }

#endif

// Below: chosen anew at every inclusion.
#undef scalar
#undef ST_KERNEL
#undef s_real
#undef s_sqrt
#undef s_log
#undef s_abs
#undef s_max
#ifdef ST_COMPLEX_KERNEL
#define scalar StDual
#define ST_KERNEL(name) name##_complex
#define s_real s_real_complex
#define s_sqrt s_sqrt_complex
#define s_log s_log_complex
#define s_abs s_abs_complex
#define s_max s_max_complex
#else
#define scalar double
#define ST_KERNEL(name) name##_real
#define s_real s_real_real
#define s_sqrt s_sqrt_real
#define s_log s_log_real
#define s_abs s_abs_real
#define s_max s_max_real
#endif
