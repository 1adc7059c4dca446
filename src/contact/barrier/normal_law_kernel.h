// Energy and force of normal laws, on scalars. A kernel header (math/scalar.h), included after
// contact/barrier/barrier_kernel.h.
#include "math/scalar.h"

static inline scalar ST_KERNEL(normal_law_energy)(const StContactLaw *law, scalar gap) {
  if (law->normal_law == ST_NORMAL_BARRIER)
    return law->stiffness * law->thickness * ST_KERNEL(barrier)(gap / law->thickness).value;
  scalar depth = law->thickness - gap;
  return law->stiffness * depth * depth * depth / law->thickness;
}

// Per unit of ∇ψ.
static inline scalar ST_KERNEL(normal_law_force)(const StContactLaw *law, scalar gap) {
  if (law->normal_law == ST_NORMAL_BARRIER)
    return -law->stiffness * ST_KERNEL(barrier)(gap / law->thickness).slope;
  scalar depth = law->thickness - gap;
  return 3 * law->stiffness * depth * depth / law->thickness;
}
