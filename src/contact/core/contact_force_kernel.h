// Forces of one contact on the vertices of its stencil, on scalars.
// Energy: the mollifier times the normal law's energy of the gap. Normal force on vertex k: -∂/∂x_k
// of that energy. Friction is distributed by signed shares: on side A, and in reverse on side B.
// Included by contact_force.c for real and complex numbers.
#include "contact/barrier/barrier_kernel.h"
#include "contact/barrier/normal_law_kernel.h"
#include "contact/friction/slip_kernel.h"
#include "math/scalar.h"

#undef ST_GAP
#ifdef ST_COMPLEX_KERNEL
#define ST_GAP StGapDual
#else
#define ST_GAP StGap
#endif

// Normal force per unit of ∇ψ.
static inline scalar ST_KERNEL(normal_force)(const StContactLaw *law, scalar gap,
                                             scalar mollifier) {
  return mollifier * ST_KERNEL(normal_law_force)(law, gap);
}

static void ST_KERNEL(add_normal)(const StContactLaw *law, int count, const ST_GAP *gap,
                                  scalar *force) {
  scalar push = ST_KERNEL(normal_force)(law, gap->gap, gap->mollifier);
  scalar energy = ST_KERNEL(normal_law_energy)(law, gap->gap);
  for (int i = 0; i < 3 * count; i++)
    force[i] += push * gap->gradient[i] - energy * gap->mollifier_gradient[i];
}

// The fraction of a viscous film that is present.
static inline scalar ST_KERNEL(engagement)(const StContactLaw *law, scalar gap) {
  scalar part = 1 - gap / law->thickness;
  if (law->normal_law != ST_NORMAL_BARRIER)
    return law->film * part * part;
  ST_BARRIER_CURVE curve = ST_KERNEL(barrier)(gap / law->thickness);
  return law->film * ST_KERNEL(film)(&curve);
}

// Normal direction and the normal force along it.
static inline scalar ST_KERNEL(normal)(const StContactLaw *law, const ST_GAP *gap, scalar n[3]) {
  const scalar *g = gap->gradient;
  scalar length = s_sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  for (int i = 0; i < 3; i++)
    n[i] = g[i] / length;
  return ST_KERNEL(normal_force)(law, gap->gap, gap->mollifier) * length;
}
