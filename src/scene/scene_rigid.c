// Bodies of a rigid material: {"material": "steel", "mass": …, "centre": …, "inertia": …}. Missing
// values follow from the density and the enclosed volume.
#include "scene/parts.h"

#include "math/vec3.h"
#include "model/rigid.h"

#include <stdio.h>
#include <string.h>

bool st_scene_is_rigid(const StReader *reader, const StBodyMaterials *made_of) {
  const StDescription *description = reader->description;
  if (!made_of->material)
    return description->material_count == 1 && description->material[0].rigid;
  for (int i = 0; i < description->material_count; i++)
    if (made_of->material->kind == ST_JSON_STRING &&
        strcmp(description->material[i].name, made_of->material->text) == 0)
      return description->material[i].rigid;
  return false;
}

static StStatus refuse_keys(const StReader *reader, const StJson *at, const char *const *key,
                            const char *why) {
  for (; *key; key++)
    if (st_json_get(at, *key))
      return st_reader_fail_key(reader, st_json_get(at, *key), "%s", why);
  return ST_OK;
}

StStatus st_scene_refuse_rigid_keys(const StReader *reader, const StJson *at) {
  static const char *const KEYS[] = {"mass", "centre", "inertia", "inertia_products", NULL};
  return refuse_keys(reader, at, KEYS,
                     "is for rigid bodies, whose material has the law rigid; the mass of others "
                     "follows from the density of their material");
}

// Points and axes rotate with the mesh.
static StStatus take_given(StReader *reader, const StJson *at, const StRigidGiven *given,
                           StRigidMass *mass) {
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
  const double *d = given->inertia, *p = given->products;
  const double own[9] = {d[0], p[0], p[1], p[0], d[1], p[2], p[1], p[2], d[2]};
  ST_TRY(st_scene_pose(reader, at, given->rotate, given->translate, rotation, origin));
  mat3_apply(rotation, given->centre, mass->centre);
  vec3_add_scaled(1, origin, mass->centre);
  memset(mass->inertia, 0, sizeof mass->inertia);
  for (int k = 0; k < 81; k++) {
    int i = k / 27, j = k / 9 % 3, a = k / 3 % 3, b = k % 3;
    mass->inertia[3 * i + j] += rotation[3 * i + a] * own[3 * a + b] * rotation[3 * j + b];
  }
  return ST_OK;
}

static StStatus measure(StReader *reader, const StJson *at, double density, const StMesh *mesh,
                        StRigidMass *mass) {
  StStatus status = st_rigid_measure(mesh, density, mass, reader->error);
  if (status != ST_BAD_INPUT)
    return status;
  StError why = *reader->error;
  return st_reader_fail(reader, at,
                        "a rigid body needs a closed surface, unless \"mass\", \"centre\" and "
                        "\"inertia\" are given: %.600s",
                        why.text);
}

static StStatus find_mass(StReader *reader, const StJson *at, const StRigidGiven *given,
                          const StBodyDesc *desc, StRigidMass *mass) {
  bool centre = st_json_get(at, "centre"), inertia = st_json_get(at, "inertia");
  bool has_mass = given->mass > 0;
  const StJson *products = st_json_get(at, "inertia_products");
  if (products && !inertia)
    return st_reader_fail_key(reader, products, "can be given only together with \"inertia\"");
  if (centre != inertia || (centre && !has_mass))
    return st_reader_fail(reader, at,
                          "\"mass\", \"centre\" and \"inertia\" must be given together, or "
                          "\"mass\" alone for a uniform density");
  if (centre) {
    mass->mass = given->mass;
    return take_given(reader, at, given, mass);
  }
  double density = reader->description->material[desc->material].density;
  ST_TRY(measure(reader, at, density, desc->mesh, mass));
  double factor = has_mass ? given->mass / mass->mass : 1;
  mass->mass *= factor;
  for (int k = 0; k < 9; k++)
    mass->inertia[k] *= factor;
  return ST_OK;
}

StStatus st_scene_make_rigid(StReader *reader, const StJson *at, const StBodyMaterials *made_of,
                             const StRigidGiven *given, StBodyDesc *desc) {
  static const char *const KEYS[] = {"shell", "materials", "self_contact", NULL};
  StRigidMass mass;
  ST_TRY(refuse_keys(reader, at, KEYS, "does not apply to a rigid body"));
  desc->material = 0;
  if (made_of->material)
    ST_TRY(st_scene_find_any_material(reader, made_of->material, &desc->material));
  desc->shell = desc->material;
  const StMaterialDesc *material = &reader->description->material[desc->material];
  ST_TRY(find_mass(reader, at, given, desc, &mass));
  double stiffness = isfinite(material->law.value[0]) ? material->law.value[0] : 0;
  StStatus status = st_body_make_rigid(desc, &mass, stiffness, reader->error);
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

StStatus st_scene_note_rigid_stiffness(StReader *reader) {
  double low = reader->rigid_stiffness[0], high = reader->rigid_stiffness[1];
  char value[80];
  if (!(high > 0))
    return ST_OK;
  if (high - low <= 1e-9 * high)
    snprintf(value, sizeof value, "%.4g Pa", high);
  else
    snprintf(value, sizeof value, "%.4g to %.4g Pa", low, high);
  return st_description_add_note(reader->description, "stiffness of rigid bodies", value,
                                 "strains them by about 1e-8 under ten times their weight and "
                                 "when the fastest is stopped in a step",
                                 reader->error);
}
