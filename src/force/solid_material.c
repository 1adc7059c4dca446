// Finds the laws that a description names and prepares their constants.
#include "force/solid_material.h"

#include "base/memory.h"

#include <string.h>

// Incomplete factorisations of nearly incompressible bodies fail; those of a softer twin work.
static const double LARGEST_POISSON = 0.45;

static void prepare_near(const StMaterialDesc *from, StSolidMaterial *material) {
  double value[ST_PARAM_MAX];
  memcpy(value, from->law.value, sizeof value);
  for (int i = 0; i < material->law->param_count; i++)
    if (strcmp(material->law->param[i].name, "poisson") == 0 && value[i] > LARGEST_POISSON) {
      value[i] = LARGEST_POISSON;
      material->capped = true;
    }
  material->law->prepare(value, material->near);
  if (!from->may_invert)
    st_material_law_guard(material->law, material->near);
}

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
  prepare_near(from, material);
  return ST_OK;
}

StStatus st_solid_materials_create(const StDescription *description, StSolidMaterial **material,
                                   StError *error) {
  *material = ST_NEW(StSolidMaterial, description->material_count);
  if (!*material)
    return st_fail_memory(error);
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
