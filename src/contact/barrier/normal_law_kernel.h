// Energy and force of normal laws, on scalars. A kernel header (math/scalar.h).
#include "math/scalar.h"

#undef ST_NORMAL_BARRIER_ENERGY
#undef ST_NORMAL_BARRIER_FORCE
#ifdef ST_COMPLEX_KERNEL
#define ST_NORMAL_BARRIER_ENERGY st_normal_law_barrier_energy_dual
#define ST_NORMAL_BARRIER_FORCE st_normal_law_barrier_force_dual
#else
#define ST_NORMAL_BARRIER_ENERGY st_normal_law_barrier_energy
#define ST_NORMAL_BARRIER_FORCE st_normal_law_barrier_force
#endif

static inline scalar ST_KERNEL(normal_law_energy)(const StContactLaw *law, scalar gap) {
  if (law->normal_law == ST_NORMAL_BARRIER)
    return ST_NORMAL_BARRIER_ENERGY(law, gap);
  scalar depth = law->thickness - gap;
  return law->stiffness * depth * depth * depth / law->thickness;
}

// Per unit of ∇ψ.
static inline scalar ST_KERNEL(normal_law_force)(const StContactLaw *law, scalar gap) {
  if (law->normal_law == ST_NORMAL_BARRIER)
    return ST_NORMAL_BARRIER_FORCE(law, gap);
  scalar depth = law->thickness - gap;
  return 3 * law->stiffness * depth * depth / law->thickness;
}
