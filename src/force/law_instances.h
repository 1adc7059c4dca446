// Compiles a law's kernel for real, complex and batched numbers. A law's file defines LAW_KERNEL as
// the name of its kernel header, includes this file, and puts LAW_FUNCTIONS into its descriptor.

#include "force/list.h"
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL
#undef ST_COMPLEX_KERNEL

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include LAW_KERNEL
#undef ST_LANES_KERNEL

#include "math/scalar.h"

// dP_xx/dF_xx at rest is λ + 2μ, whatever the law's own constants are.
static double law_modulus(const double k[ST_LAW_CONSTANTS]) {
  const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double C[81];
  law_tangent_real(k, rest, C);
  return C[0];
}

#define LAW_FUNCTIONS                                                                              \
  .energy = law_energy_real, .stress = law_stress_real, .tangent = law_tangent_real,               \
  .energy_complex = law_energy_complex, .stress_complex = law_stress_complex,                      \
  .tangent_complex = law_tangent_complex, .energy_lanes = law_energy_lanes,                        \
  .stress_lanes = law_stress_lanes, .tangent_lanes = law_tangent_lanes, .modulus = law_modulus
