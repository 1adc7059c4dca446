// materials: {"rubber": {"law": "neo_hookean", "density": …, "young": …}, …}
#include "scene/parts.h"

#include "base/memory.h"
#include "force/material.h"

static bool law_at(int index, StVariant *variant) {
  const StMaterialLaw *law = st_material_laws[index];
  if (!law)
    return false;
  *variant = (StVariant){law->name, law->summary, law->param, law->param_count, NULL};
  return true;
}

typedef struct Material {
  int law;
  StMaterialDesc desc;
} Material;

static const StKey KEYS[] = {
    {.param = {.name = "law", .kind = ST_WORD, .doc = "How stress follows from strain."},
     .variant = law_at,
     .why = "resists collapse: its energy grows without bound as an element flattens",
     .offset = offsetof(Material, law)},
    {.param = {.name = "density",
               .kind = ST_REAL,
               .dimension = ST_DENSITY,
               .fallback = 1000,
               .min = 0,
               .max = INFINITY,
               .min_open = true,
               .doc = "Mass per volume at rest."},
     .why = "as water: most soft things are near it",
     .offset = offsetof(Material, desc.density)},
    {.param = {.name = "mass_damping",
               .kind = ST_REAL,
               .dimension = ST_RATE,
               .min = 0,
               .max = INFINITY,
               .doc =
                   "Rayleigh damping by mass: slows every motion at this rate, also free flight."},
     .offset = offsetof(Material, desc.mass_damping)},
    {.param = {.name = "stiffness_damping",
               .kind = ST_REAL,
               .dimension = ST_TIME,
               .min = 0,
               .max = INFINITY,
               .doc = "Rayleigh damping by stiffness: damps changes of shape, fast ones most."},
     .offset = offsetof(Material, desc.stiffness_damping)},
};

const StKeyTable st_keys_material = {
    .name = "material",
    .path = "materials",
    .doc = "What a body is made of. The parameters of the chosen law stand beside these keys.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = 0,
    .choice_offset = offsetof(Material, desc.law),
};

static StStatus read_material(StReader *reader, const StJson *at) {
  StDescription *description = reader->description;
  Material material = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_material, &material));
  material.desc.name = st_copy_string(at->key);
  if (!material.desc.name)
    return st_fail_memory(reader->error);
  description->material[description->material_count++] = material.desc;
  return ST_OK;
}

StStatus st_scene_read_materials(StReader *reader, const StJson *at) {
  if (at->child_count == 0)
    return st_reader_fail(reader, at, "at least one material is needed");
  reader->description->material = ST_NEW(StMaterialDesc, at->child_count);
  if (!reader->description->material)
    return st_fail_memory(reader->error);
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_material(reader, child));
  return ST_OK;
}

static const char *material_name(const void *description, int index) {
  return ((const StDescription *)description)->material[index].name;
}

StStatus st_scene_find_material(const StReader *reader, const StJson *at, int *material) {
  return st_reader_find_name(reader, at, "material", material_name, reader->description,
                             reader->description->material_count, material);
}
