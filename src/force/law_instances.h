// Compiles a law's kernel for real, complex and batched numbers. A law's file defines LAW_KERNEL as
// the name of its kernel header, includes this file, and puts LAW_FUNCTIONS into its descriptor. Of
// a law that is finite at det F = 0 it defines LAW_GUARD as the name of the guard's header, and
// puts GUARDED_LAW_FUNCTIONS there.

#include "force/list.h"
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL
#ifdef LAW_GUARD
#include LAW_GUARD
#endif

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL
#ifdef LAW_GUARD
#include LAW_GUARD
#endif
#undef ST_COMPLEX_KERNEL

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL
#ifdef LAW_GUARD
#include LAW_GUARD
#endif
#undef ST_LANES_KERNEL

#include "math/scalar.h"

// dP_xx/dF_xx at rest is λ + 2μ, whatever the law's own constants are.
static double law_modulus(const double k[ST_LAW_CONSTANTS]) {
  const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double C[81];
  law_tangent_real(k, rest, C);
  return C[0];
}

#define ALL_LAW_FUNCTIONS(name)                                                                    \
  .energy = name##_energy_real, .stress = name##_stress_real, .tangent = name##_tangent_real,      \
  .energy_complex = name##_energy_complex, .stress_complex = name##_stress_complex,                \
  .tangent_complex = name##_tangent_complex, .energy_lanes = name##_energy_lanes,                  \
  .stress_lanes = name##_stress_lanes, .tangent_lanes = name##_tangent_lanes,                      \
  .modulus = law_modulus
#define LAW_FUNCTIONS ALL_LAW_FUNCTIONS(law)
#define GUARDED_LAW_FUNCTIONS ALL_LAW_FUNCTIONS(guarded)
