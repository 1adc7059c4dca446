// materials: {"rubber": {"law": "neo_hookean", "density": …, "young": …}, "silk": {"law":
// "membrane", …}, …}: laws for tetrahedra and laws for triangles under one key.
#include "scene/parts.h"

#include "base/memory.h"
#include "force/material.h"
#include "force/shell_material.h"
#include "model/rigid.h"
#include "scene/suggest.h"
#include "scene/tunables.h"

#include <stdio.h>
#include <string.h>

static bool shell_law_at(int index, StVariant *variant) {
  const StShellLaw *law = st_shell_laws[index];
  if (!law)
    return false;
  *variant = (StVariant){law->name, law->summary, law->param, law->param_count, NULL};
  return true;
}

static const StParam RIGID_PARAMS[] = {
    {.name = "stiffness",
     .doc = "Young's modulus of the energy that keeps the body in shape; set it if a run reports "
            "strains above a millionth.",
     .dimension = ST_PRESSURE,
     .fallback = INFINITY, // chosen by the program
     .min = 0,
     .min_open = true,
     .max = INFINITY,
     .max_open = true},
};

static const StVariant RIGID = {
    ST_RIGID_LAW,
    "A rigid body: no strain. Works with any closed surface or shape, without tetrahedra.",
    RIGID_PARAMS, ST_LENGTH(RIGID_PARAMS), NULL};

// Solids first, so that the default is one of them; then shells, then rigid.
static bool law_at(int index, StVariant *variant) {
  int solids = 0, shells = 0;
  while (st_material_laws[solids])
    solids++;
  while (st_shell_laws[shells])
    shells++;
  if (index == solids + shells)
    *variant = RIGID;
  if (index >= solids + shells)
    return index == solids + shells;
  if (index >= solids)
    return shell_law_at(index - solids, variant);
  const StMaterialLaw *law = st_material_laws[index];
  *variant = (StVariant){law->name, law->summary, law->param, law->param_count, NULL};
  return true;
}

static const char *const INVERSIONS[] = {"prevent", "allow", NULL};

typedef struct Material {
  int law;
  int inversion;
  StMaterialDesc desc;
} Material;

static const StKey KEYS[] = {
    ST_KEY(Material, law, SCALAR,
           "Constitutive law: a solid's for tetrahedra, membrane or shell for triangles, or rigid "
           "for bodies that keep their shape.",
           .param.kind = ST_WORD, .variant = law_at,
           .why = "resists collapse: its energy grows without bound as an element flattens"),
    ST_KEY_NAMED("density", Material, desc.density, SCALAR,
                 "Mass per volume at rest; a membrane has its area_density instead.",
                 .param.dimension = ST_DENSITY, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "1000 kg/m^3, as water; most soft materials are close to it"),
    ST_KEY(Material, inversion, SCALAR,
           "Whether a tet may be inverted. prevent: laws that would allow it get a guard, an "
           "energy that starts where a tet has lost 80 % of its volume and is infinite at zero "
           "volume. allow: no guard; a body that was crushed through itself may recover.",
           .param.kind = ST_WORD, .param.word = INVERSIONS, .param.fallback = 0),
    ST_KEY_NAMED("mass_damping", Material, desc.mass_damping, SCALAR,
                 "Rayleigh damping by mass: slows every motion at this rate, free flight included.",
                 .param.dimension = ST_RATE, ST_KEY_RANGE(0, INFINITY)),
    ST_KEY_NAMED("stiffness_damping", Material, desc.stiffness_damping, SCALAR,
                 "Rayleigh damping by stiffness: damps deformation, fast deformation most.",
                 .param.dimension = ST_TIME, ST_KEY_RANGE(0, INFINITY)),
};

const StKeyTable st_keys_material = {
    .name = "material",
    .path = "materials",
    .doc = "What a body is made of: a solid, a shell (cloth, balloons), or rigid. The parameters "
           "of the law go next to these keys.",
    ST_KEYS(KEYS),
    .chooser = &KEYS[0],
    .choice_offset = offsetof(Material, desc.law),
};

static StStatus note_density(StReader *reader, const StJson *at) {
  char value[40];
  snprintf(value, sizeof value, "%g kg/m^3", st_scene_tunables.default_density);
  return st_reader_note(reader, at, "density", value,
                        "as water; most soft materials are close to it");
}

// A law with mass per area among its parameters needs no density.
static bool has_area_density(const StShellLaw *law) {
  for (int i = 0; i < law->param_count; i++)
    if (st_dimension_equal(law->param[i].dimension, ST_AREA_DENSITY))
      return true;
  return false;
}

static StStatus read_density(StReader *reader, const StJson *at, StMaterialDesc *desc) {
  const StShellLaw *law = st_shell_law_find(desc->law.name);
  const StJson *given = st_json_get(at, "density");
  bool by_area = law && has_area_density(law);
  desc->shell = law != NULL;
  desc->rigid = strcmp(desc->law.name, ST_RIGID_LAW) == 0;
  if (by_area && given)
    return st_reader_fail_key(reader, given,
                              "does not apply to the law %s, whose mass is its \"area_density\"",
                              law->name);
  if (!given)
    desc->density = st_scene_tunables.default_density;
  if (!given && !by_area)
    ST_TRY(note_density(reader, at));
  if (law)
    desc->density = law->area_density(desc->law.value, desc->density);
  if (desc->density > 0 && isfinite(desc->density))
    return ST_OK;
  return st_reader_fail(reader, at, "its mass per area comes out as %g kg/m^2", desc->density);
}

static StStatus read_inversion(StReader *reader, const StJson *at, Material *material) {
  const StJson *given = st_json_get(at, "inversion");
  const StMaterialLaw *law = st_material_law_find(material->desc.law.name);
  material->desc.may_invert = material->inversion == 1;
  if (given && material->desc.rigid)
    return st_reader_fail_key(reader, given, "does not apply to the law rigid");
  if (!given || (law && !(law->barrier && material->desc.may_invert)))
    return ST_OK;
  if (law)
    return st_reader_fail(reader, given,
                          "the law %s never lets a tet invert: its energy is infinite there",
                          law->name);
  return st_reader_fail_key(reader, given, "does not apply to the law %s, which is for triangles",
                            material->desc.law.name);
}

// Young's modulus; NAN: the law has none, or one that is a force per length.
static double find_young(const StMaterialDesc *desc) {
  const StMaterialLaw *solid = st_material_law_find(desc->law.name);
  const StShellLaw *shell = st_shell_law_find(desc->law.name);
  const StParam *param = solid ? solid->param : shell ? shell->param : NULL;
  int count = solid ? solid->param_count : shell ? shell->param_count : 0;
  for (int i = 0; i < count; i++)
    if (strcmp(param[i].name, "young") == 0 && st_dimension_equal(param[i].dimension, ST_PRESSURE))
      return desc->law.value[i];
  return NAN;
}

// A number without a unit is in Pa: one below what brain or a soft jelly has is rather in MPa or
// GPa. Nothing is stiffer than diamond.
static void warn_of_stiffness(const StReader *reader, const StJson *at,
                              const StMaterialDesc *desc) {
  static const double BRAIN = 1e3, DIAMOND = 1.2e12; // Pa
  const StJson *given = st_json_get(at, "young");
  double young = find_young(desc);
  if (given && given->kind == ST_JSON_NUMBER && young < BRAIN)
    st_reader_warn(reader, given,
                   "%g Pa is softer than brain or jelly (1 kPa); was a unit forgotten, as in "
                   "\"%g GPa\" or \"%g MPa\"? If not, \"%g Pa\" says so",
                   young, young, young, young);
  if (given && young > DIAMOND)
    st_reader_warn(reader, given,
                   "%g Pa is stiffer than diamond (1.2 TPa); a body that keeps its shape has the "
                   "law \"rigid\"",
                   young);
}

static StStatus read_material(StReader *reader, const StJson *at) {
  StDescription *description = reader->description;
  Material material = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_material, &material));
  ST_TRY(read_density(reader, at, &material.desc));
  ST_TRY(read_inversion(reader, at, &material));
  warn_of_stiffness(reader, at, &material.desc);
  ST_TRY_MEMORY(material.desc.name = st_copy_string(at->key), reader->error);
  description->material[description->material_count++] = material.desc;
  return ST_OK;
}

StStatus st_scene_read_materials(StReader *reader, const StJson *at) {
  if (at->child_count == 0)
    return st_reader_fail(reader, at, "at least one material is needed");
  return st_scene_read_each(reader, at, (void **)&reader->description->material,
                            sizeof(StMaterialDesc), read_material);
}

static const char *material_name(const void *description, int index) {
  return ((const StDescription *)description)->material[index].name;
}

static const char *kind_name(bool shell) {
  return shell ? "shell" : "solid";
}

static const char *element_name(bool shell) {
  return shell ? "triangles" : "tetrahedra";
}

static void list_laws(bool shell, StSuggestion *list) {
  for (int i = 0; !shell && st_material_laws[i]; i++)
    st_suggestion_add(list, st_material_laws[i]->name);
  for (int i = 0; shell && st_shell_laws[i]; i++)
    st_suggestion_add(list, st_shell_laws[i]->name);
}

static bool is_for(const StMaterialDesc *material, bool shell) {
  return !material->rigid && material->shell == shell;
}

static int list_materials(const StDescription *description, bool shell, StSuggestion *list) {
  int count = 0;
  for (int i = 0; i < description->material_count; i++)
    if (is_for(&description->material[i], shell)) {
      st_suggestion_add(list, description->material[i].name);
      count++;
    }
  return count;
}

// How to make a solid from a body with triangles only.
static const char *fill_hint(const StJson *body) {
  return st_json_get(body, "shape") ? "; or fill the body with tetrahedra: \"fill\": \"solid\" "
                                      "inside \"shape\""
                                    : "; or fill the surface with tetrahedra: \"fill\": "
                                      "\"solid\" and an \"edge\" beside \"mesh\", or "
                                      "\"fill\": \"cage\" if it is not fit for that";
}

static StStatus fail_kind(const StReader *reader, const StJson *at, int material, bool shell) {
  const StMaterialDesc *wrong = &reader->description->material[material];
  ST_FINALLY(st_suggestion_free) StSuggestion list = {.wanted = ""};
  bool any = list_materials(reader->description, shell, &list) > 0;
  if (!any)
    list_laws(shell, &list);
  bool by_itself = shell && at->key && strcmp(at->key, "material") == 0;
  return st_reader_fail(
      reader, at, "\"%.60s\" is a %s's material (law %s); %s need a %s's%s: %s%s", wrong->name,
      wrong->rigid ? "rigid body" : kind_name(wrong->shell), wrong->law.name, element_name(shell),
      kind_name(shell), any ? "" : ", and the scene has none; its law would be one of",
      st_suggestion_text(&list), by_itself && !wrong->rigid ? fill_hint(at->parent) : "");
}

StStatus st_scene_find_any_material(const StReader *reader, const StJson *at, int *material) {
  return st_reader_find_name(reader, at, "material", material_name, reader->description,
                             reader->description->material_count, material);
}

StStatus st_scene_find_material(const StReader *reader, const StJson *at, bool shell,
                                int *material) {
  ST_TRY(st_scene_find_any_material(reader, at, material));
  if (!is_for(&reader->description->material[*material], shell))
    return fail_kind(reader, at, *material, shell);
  return ST_OK;
}

static StStatus fail_no_default(const StReader *reader, const StJson *body, const char *key,
                                bool shell, int count) {
  if (count > 1)
    return st_reader_fail(reader, body,
                          "the key \"%s\" is missing; it may be left out only when the scene has a "
                          "single material for %s, this one has %d",
                          key, element_name(shell), count);
  ST_FINALLY(st_suggestion_free) StSuggestion list = {.wanted = ""};
  bool by_itself = shell && strcmp(key, "material") == 0;
  list_laws(shell, &list);
  return st_reader_fail(
      reader, body,
      "has %s, and the scene has no material for them: add one with one of the laws %s%s",
      element_name(shell), st_suggestion_text(&list), by_itself ? fill_hint(body) : "");
}

StStatus st_scene_only_material(StReader *reader, const StJson *body, const char *key, bool shell,
                                int *material) {
  StDescription *description = reader->description;
  int count = 0;
  for (int i = 0; i < description->material_count; i++)
    if (is_for(&description->material[i], shell)) {
      *material = i;
      count++;
    }
  if (count != 1)
    return fail_no_default(reader, body, key, shell, count);
  char reason[60];
  snprintf(reason, sizeof reason, "the only material%s%s",
           description->material_count > 1 ? " for " : "",
           description->material_count > 1 ? element_name(shell) : "");
  return st_reader_note(reader, body, key, description->material[*material].name, reason);
}
