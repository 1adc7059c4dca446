// Finds the laws that a description names and prepares their constants.
#include "force/solid_material.h"

#include "base/memory.h"
#include "math/vec3.h"

static StStatus prepare(const StMaterialDesc *from, StSolidMaterial *material, StError *error) {
  material->law = from->law.name ? st_material_law_find(from->law.name) : NULL;
  if (!material->law)
    return st_fail(error, ST_BAD_INPUT, "material %s: there is no law %s",
                   from->name ? from->name : "(unnamed)", from->law.name ? from->law.name : "");
  material->law->prepare(from->law.value, material->k);
  if (!from->may_invert)
    st_material_law_guard(material->law, material->k);
  for (int i = 0; i < ST_LAW_CONSTANTS; i++)
    if (!isfinite(material->k[i]))
      return st_fail(error, ST_BAD_INPUT, "material %s: parameters of %s are out of range",
                     from->name ? from->name : "(unnamed)", material->law->name);
  return ST_OK;
}

StStatus st_solid_materials_create(const StDescription *description, StSolidMaterial **material,
                                   StError *error) {
  ST_TRY_MEMORY(*material = ST_NEW(StSolidMaterial, description->material_count), error);
  for (int i = 0; i < description->material_count; i++) {
    if (description->material[i].shell || description->material[i].rigid)
      continue;
    StStatus status = prepare(&description->material[i], &(*material)[i], error);
    if (status != ST_OK) {
      free(*material);
      *material = NULL;
      return status;
    }
  }
  return ST_OK;
}

void st_solid_material_cauchy(const StSolidMaterial *material, const double F[9],
                              double stress[6]) {
  double P[9], sigma[9];
  material->law->stress(material->k, F, P);
  double J = mat3_determinant(F);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sigma[3 * i + j] = vec3_dot(P + 3 * i, F + 3 * j) / J;
  const double *from = material->law->rotation_invariant ? sigma : P;
  const int entry[6] = {0, 4, 8, 1, 5, 6};
  for (int i = 0; i < 6; i++)
    stress[i] = from[entry[i]];
}
