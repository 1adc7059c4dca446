// Laws for solids: energy density of the deformation gradient F and its derivatives, each a const
// descriptor. A law is documented, checked and tested by being in the list (force/material_list.h).
#ifndef ST_FORCE_MATERIAL_H
#define ST_FORCE_MATERIAL_H

#include "base/param.h"
#include "math/scalar.h"

enum { ST_LAW_CONSTANTS = 4 };

// Single-point functions, F row-major [9]. k[]: constants that `prepare` made from the parameters.
// Batches for speed live beside them in the law's kernel header.
typedef struct StMaterialLaw {
  const char *name;
  const char *summary; // one sentence with the energy density
  const StParam *param;
  int param_count;
  bool barrier; // energy is infinite for det F <= 0
  void (*prepare)(const double *value, double k[ST_LAW_CONSTANTS]);
  double (*energy)(const double k[ST_LAW_CONSTANTS], const double F[9]);            // J/m³
  void (*stress)(const double k[ST_LAW_CONSTANTS], const double F[9], double P[9]); // first Piola
  void (*tangent)(const double k[ST_LAW_CONSTANTS], const double F[9], double C[81]); // dP/dF
  // The same stress with complex numbers: forward derivatives, and the tests' second opinion.
  void (*stress_complex)(const double k[ST_LAW_CONSTANTS], const StDual F[9], StDual P[9]);
  // Wave speed² × density at rest (λ + 2μ), Pa: for defaults and estimates.
  double (*modulus)(const double k[ST_LAW_CONSTANTS]);
} StMaterialLaw;

extern const StMaterialLaw *const st_material_laws[]; // NULL-terminated; the first is the default

const StMaterialLaw *st_material_law_find(const char *name); // NULL: no such law

#endif
