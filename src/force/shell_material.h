// Materials of cloth and shells: stiffness in the plane of the sheet and against bending, from
// their parameters. A law is documented and checked by being in st_shell_laws.
#pragma once

#include "base/param.h"
#include "model/description.h"

typedef struct StShellStiffness {
  double mu, lambda; // Lamé's constants in plane stress, N/m
  double bending;    // k of a hinge, J
  double thickness;  // m, at rest; 0: the law has none
} StShellStiffness;

typedef struct StShellLaw {
  const char *name;
  const char *summary; // one sentence
  const StParam *param;
  int param_count;
  void (*prepare)(const double *value, StShellStiffness *stiffness);
  // kg/m², which is what a shell's StMaterialDesc.density holds; density: kg/m³, for laws that have
  // a thickness.
  double (*area_density)(const double *value, double density);
} StShellLaw;

extern const StShellLaw *const st_shell_laws[]; // NULL-terminated; the first is the default

const StShellLaw *st_shell_law_find(const char *name); // NULL: no such law

// stiffness: [description->material_count], zeros for materials of solids; free() it.
StStatus st_shell_materials_create(const StDescription *description, StShellStiffness **stiffness,
                                   StError *error);

// Whether hinges between such triangles resist bending; also true of a material that cannot be
// prepared.
bool st_shell_may_bend(const StMaterialDesc *material);

// Bending stiffness of the hinge between two materials: its two halves in series.
static inline double st_hinge_bending(double one, double other) {
  return one > 0 && other > 0 ? 2 / (1 / one + 1 / other) : 0;
}
