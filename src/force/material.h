// Laws for solids: energy density W of the deformation gradient F, first Piola stress P = dW/dF and
// tangent C = dP/dF, each law a const descriptor. A law is documented, checked and tested by being
// in st_material_laws.
#ifndef ST_FORCE_MATERIAL_H
#define ST_FORCE_MATERIAL_H

#include "base/param.h"
#include "math/scalar.h"

enum { ST_LAW_CONSTANTS = 4 };

// F and P are row-major [9]; C is [9][9], its row the entry of P and its column that of F.
// k[]: constants that `prepare` makes from the parameters. Outside a barrier law's domain the
// stress is not finite. One kernel source yields all three kinds of numbers (math/scalar.h).
typedef struct StMaterialLaw {
  const char *name;
  const char *summary; // one sentence with the energy density
  const StParam *param;
  int param_count;
  bool barrier;            // energy is infinite for det F <= 0
  bool rotation_invariant; // W(RF) = W(F); not so for small strains
  void (*prepare)(const double *value, double k[ST_LAW_CONSTANTS]);

  void (*energy)(const double k[ST_LAW_CONSTANTS], const double F[9], double *W);     // J/m³
  void (*stress)(const double k[ST_LAW_CONSTANTS], const double F[9], double P[9]);   // Pa
  void (*tangent)(const double k[ST_LAW_CONSTANTS], const double F[9], double C[81]); // Pa

  void (*energy_complex)(const double k[ST_LAW_CONSTANTS], const StDual F[9], StDual *W);
  void (*stress_complex)(const double k[ST_LAW_CONSTANTS], const StDual F[9], StDual P[9]);
  void (*tangent_complex)(const double k[ST_LAW_CONSTANTS], const StDual F[9], StDual C[81]);

  void (*energy_lanes)(const double k[ST_LAW_CONSTANTS], const StLanes F[9], StLanes *W);
  void (*stress_lanes)(const double k[ST_LAW_CONSTANTS], const StLanes F[9], StLanes P[9]);
  void (*tangent_lanes)(const double k[ST_LAW_CONSTANTS], const StLanes F[9], StLanes C[81]);

  // Wave speed² × density at rest (λ + 2μ), Pa: for defaults and estimates.
  double (*modulus)(const double k[ST_LAW_CONSTANTS]);
} StMaterialLaw;

extern const StMaterialLaw *const st_material_laws[]; // NULL-terminated; the first is the default

const StMaterialLaw *st_material_law_find(const char *name); // NULL: no such law

#endif
