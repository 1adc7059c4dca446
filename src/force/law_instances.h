// Compiles a law's kernel for real, complex and batched numbers. A law's file defines LAW_KERNEL as
// the name of its kernel header, includes this file, and puts LAW_FUNCTIONS into its descriptor. Of
// a law that is finite at det F = 0 it defines LAW_GUARD as the name of the guard's header.

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

#include "math/hot.h"
#include "math/scalar.h"

#ifdef LAW_GUARD
#define LAW(function) guarded_##function
#else
#define LAW(function) law_##function
#endif

static ST_HOT void hot_energy(const double k[ST_LAW_CONSTANTS], const StLanes F[9], StLanes *W) {
  LAW(energy_lanes)(k, F, W);
}

static ST_HOT void hot_stress(const double k[ST_LAW_CONSTANTS], const StLanes F[9], StLanes P[9]) {
  LAW(stress_lanes)(k, F, P);
}

static ST_HOT void hot_tangent(const double k[ST_LAW_CONSTANTS], const StLanes F[9],
                               StLanes C[81]) {
  LAW(tangent_lanes)(k, F, C);
}

// dP_xx/dF_xx at rest is λ + 2μ, whatever the law's own constants are.
static double law_modulus(const double k[ST_LAW_CONSTANTS]) {
  const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double C[81];
  law_tangent_real(k, rest, C);
  return C[0];
}

#define LAW_FUNCTIONS                                                                              \
  .energy = LAW(energy_real), .stress = LAW(stress_real), .tangent = LAW(tangent_real),            \
  .energy_complex = LAW(energy_complex), .stress_complex = LAW(stress_complex),                    \
  .tangent_complex = LAW(tangent_complex), .energy_lanes = hot_energy, .stress_lanes = hot_stress, \
  .tangent_lanes = hot_tangent, .modulus = law_modulus
