// Laws for solids: energy density W of the deformation gradient F, first Piola stress P = dW/dF and
// tangent C = dP/dF, each law a const descriptor. A law is documented, checked and tested by being
// in st_material_laws.
#pragma once

#include "base/param.h"
#include "math/scalar.h"

enum { ST_LAW_CONSTANTS = 4, ST_LAW_GUARD = 3 }; // the last one is the guard's where there is one

#define ST_GUARD_START 0.2 // det F below which laws without a barrier get the guard's energy

// F and P are row-major [9]; C is [9][9], its row the entry of P and its column that of F. k[]:
// constants that `prepare` derives from the parameters; for a law without a barrier
// st_material_law_guard sets k[ST_LAW_GUARD]. Outside the domain stress is not finite. One kernel
// source yields all three kinds of numbers (math/scalar.h).
typedef struct StMaterialLaw {
  const char *name;
  const char *summary; // one sentence with the energy density
  const StParam *param;
  int param_count;
  bool barrier;            // energy is infinite for det F <= 0 without a guard
  bool rotation_invariant; // W(RF) = W(F); false for small strains
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

// Sets k[ST_LAW_GUARD] of a law without a barrier: its energy then becomes infinite at det F = 0,
// and changes only below ST_GUARD_START (force/guard_kernel.h).
void st_material_law_guard(const StMaterialLaw *law, double k[ST_LAW_CONSTANTS]);

// Whether det F = 0 cannot be passed.
bool st_material_law_is_closed(const StMaterialLaw *law, const double k[ST_LAW_CONSTANTS]);
