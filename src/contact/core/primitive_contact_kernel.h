// Forces of one primitive contact on scalars. Energy: A_c m κ d̂ b(d/d̂), with the weight A_c and the
// mollifier m. Included by primitive_contact.c for real and complex numbers.
#include "contact/friction/slip_kernel.h"
#include "math/scalar.h"

#undef ST_PRIMITIVE_GAP
#undef ST_BARRIER_CURVE
#undef ST_BARRIER_AT
#undef ST_BARRIER_FILM_AT
#ifdef ST_COMPLEX_KERNEL
#define ST_PRIMITIVE_GAP StPrimitiveGapDual
#define ST_BARRIER_CURVE StBarrierCurveDual
#define ST_BARRIER_AT st_barrier_curve_dual
#define ST_BARRIER_FILM_AT st_barrier_film_dual
#else
#define ST_PRIMITIVE_GAP StPrimitiveGap
#define ST_BARRIER_CURVE StBarrierCurve
#define ST_BARRIER_AT st_barrier_curve
#define ST_BARRIER_FILM_AT st_barrier_film
#endif

static inline void ST_KERNEL(add_normal)(const StBarrier *law, const ST_PRIMITIVE_GAP *gap,
                                         scalar *force) {
  ST_BARRIER_CURVE curve = ST_BARRIER_AT(gap->gap / law->activation);
  double scale = law->weight * law->stiffness;
  scalar push = -scale * gap->mollifier * curve.slope;
  for (int i = 0; i < 3 * gap->count; i++)
    force[i] += push * gap->gradient[i];
  if (!gap->mollified)
    return;
  scalar energy = scale * law->activation * curve.value;
  for (int i = 0; i < 3 * gap->count; i++)
    force[i] -= energy * gap->mollifier_gradient[i];
}

// Normal force; *engagement: how much of a viscous film there is, times the mollifier. Both have
// the sign of the weight, so that friction counted twice is subtracted as well.
static inline scalar ST_KERNEL(normal_force)(const StBarrier *law, const ST_PRIMITIVE_GAP *gap,
                                             scalar *engagement) {
  scalar part = 1 - gap->gap / law->activation;
  *engagement = s_number(0);
  if (s_real(part) <= 0)
    return s_number(0);
  ST_BARRIER_CURVE curve = ST_BARRIER_AT(gap->gap / law->activation);
  *engagement = (law->weight < 0 ? -1.0 : 1.0) * gap->mollifier * ST_BARRIER_FILM_AT(&curve);
  return -law->weight * law->stiffness * gap->mollifier * curve.slope;
}
