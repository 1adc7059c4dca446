// The lists that the scene checker, the manual and the tests enumerate.
#include "force/list.h"

#include "base/memory.h"
#include "force/tunables.h"

#include <string.h>

const StForceType *const st_force_types[] = {
    &st_force_solid,   &st_force_membrane, &st_force_bending, &st_force_damping, &st_force_gravity,
    &st_force_contact, &st_force_friction, &st_force_volume,  &st_force_bearing, &st_force_load,
    &st_force_joint,   &st_force_drive,    &st_force_drag,    &st_force_rigid,   NULL,
};

const StMaterialLaw *const st_material_laws[] = {
    &st_law_neo_hookean, &st_law_stable_neo_hookean, &st_law_stvk,
    &st_law_linear,      &st_law_mooney_rivlin,      NULL,
};

const StForceType *st_force_type_find(const char *name) {
  for (const StForceType *const *type = st_force_types; *type; type++)
    if (strcmp((*type)->name, name) == 0)
      return *type;
  return NULL;
}

StStatus st_force_create(const StForceType *type, const StForceSite *site, void **data,
                         bool *present, StError *error) {
  StForceSite own = {site->description, site->piece, type};
  *data = NULL;
  *present = !type->present || type->present(&own);
  if (!*present)
    return ST_OK;
  if (type->size)
    ST_TRY_MEMORY(*data = st_new_array(1, type->size), error);
  StStatus status = type->build ? type->build(&own, data, error) : ST_OK;
  if (status != ST_OK && *data) {
    type->destroy(*data);
    *data = NULL;
  }
  return status;
}

bool st_force_is_requested(const StForceType *type, const StForceDesc *desc) {
  return !desc->type && strcmp(desc->choice.name, type->name) == 0;
}

double st_force_value(const StForceDesc *desc, int index, double time) {
  return st_curve_at(&desc->curve[index], time, desc->choice.value[index]);
}

bool st_force_is_present(const StForceSite *site) {
  bool asked = false;
  for (int i = 0; i < site->description->force_count; i++)
    asked = asked || st_force_is_requested(site->type, &site->description->force[i]);
  return asked;
}

const StMaterialLaw *st_material_law_find(const char *name) {
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    if (strcmp((*law)->name, name) == 0)
      return *law;
  return NULL;
}

void st_material_law_guard(const StMaterialLaw *law, double k[ST_LAW_CONSTANTS]) {
  if (!law->barrier)
    k[ST_LAW_GUARD] = st_force_tunables.guard_modulus * law->modulus(k);
}

bool st_material_law_is_closed(const StMaterialLaw *law, const double k[ST_LAW_CONSTANTS]) {
  return law->barrier || k[ST_LAW_GUARD] > 0;
}
