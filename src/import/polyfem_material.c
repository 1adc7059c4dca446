// "materials": one for all, or a list by ids of volumes. Tested by tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Law {
  const char *theirs, *ours;
} Law;

static const Law LAWS[] = {
    {"NeoHookean", "neo_hookean"},       {"LinearElasticity", "linear"},
    {"HookeLinearElasticity", "linear"}, {"SaintVenant", "stvk"},
    {"MooneyRivlin", "mooney_rivlin"},
};

static const char *find_law(const char *theirs) {
  for (size_t i = 0; theirs && i < sizeof LAWS / sizeof *LAWS; i++)
    if (strcmp(LAWS[i].theirs, theirs) == 0)
      return LAWS[i].ours;
  return NULL;
}

static double number_of(const StJson *json, const char *key) {
  return st_polyfem_number(st_json_get(json, key));
}

// Elastic moduli, given as Young's modulus and Poisson's ratio or as Lamé's parameters.
static void write_elasticity(StPolyfem *polyfem, StJsonOut *out, const StJson *json,
                             const char *key) {
  double young = number_of(json, "E"), poisson = number_of(json, "nu");
  double lambda = number_of(json, "lambda"), mu = number_of(json, "mu");
  if (isnan(young) || isnan(poisson)) {
    poisson = lambda / (2 * (lambda + mu));
    young = 2 * mu * (1 + poisson);
  }
  if (isnan(young) || isnan(poisson)) {
    st_import_note(polyfem->notes, "%s: E and nu are no numbers; 1 MPa and 0.3 are there instead",
                   key);
    young = 1e6;
    poisson = 0.3;
  }
  st_json_number(out, "young", young);
  st_json_number(out, "poisson", poisson);
}

// A sum of laws counts as the first one that is known.
static const StJson *first_of_sum(StPolyfem *polyfem, const StJson *json, const char *key) {
  const StJson *models = st_json_get(json, "models"), *known = NULL;
  if (!models || models->kind != ST_JSON_LIST)
    return json;
  for (const StJson *one = models->child; one; one = one->next) {
    const char *type = st_json_get_text(one, "type");
    if (!known && find_law(type))
      known = one;
    else
      st_import_note(polyfem->notes, "%s.models[%d]: \"%s\"", key, one->index,
                     type ? type : "none");
  }
  return known ? known : json;
}

static void write_material(StPolyfem *polyfem, StJsonOut *out, const StJson *json, const char *name,
                           const char *key) {
  double density = number_of(json, "rho");
  json = first_of_sum(polyfem, json, key);
  const char *type = st_json_get_text(json, "type"), *law = find_law(type);
  if (!law)
    st_import_note(polyfem->notes, "%s.type: \"%s\"; neo_hookean is there instead", key,
                   type ? type : "none");
  law = law ? law : "neo_hookean";
  StJsonOut material = st_json_line(out, name, '{');
  st_json_string(&material, "law", law);
  st_json_number(&material, "density", isnan(density) ? 1 : density);
  if (strcmp(law, "mooney_rivlin") == 0) {
    st_json_number(&material, "c10", number_of(json, "c1"));
    st_json_number(&material, "c01", number_of(json, "c2"));
    st_json_number(&material, "bulk", number_of(json, "k"));
  } else {
    write_elasticity(polyfem, &material, json, key);
  }
  st_json_end(&material);
  if (isnan(density))
    st_import_note(polyfem->notes, "%s.rho: no number; PolyFEM's default of 1 is there", key);
  if (st_json_get(json, "phi") || st_json_get(json, "psi"))
    st_import_note(polyfem->notes, "%s: damping by phi and psi", key);
}

static void name_material(const StJson *json, char name[ST_POLYFEM_NAME]) {
  const StJson *id = st_json_get(json, "id");
  double number = id && id->kind == ST_JSON_LIST && id->child ? st_polyfem_number(id->child)
                                                              : st_polyfem_number(id);
  snprintf(name, ST_POLYFEM_NAME, isnan(number) ? "material" : "material %.0f", number);
}

void st_polyfem_material_name(const StPolyfem *polyfem, int id, char name[ST_POLYFEM_NAME]) {
  const StJson *materials = st_json_get(polyfem->scene, "materials");
  const StJson *first = materials && materials->kind == ST_JSON_LIST ? materials->child : materials;
  const StJson *found = first;
  for (const StJson *one = first; one && materials->kind == ST_JSON_LIST; one = one->next)
    if (st_polyfem_id_matches(st_json_get(one, "id"), id)) {
      found = one;
      break;
    }
  if (found && found->kind == ST_JSON_OBJECT)
    name_material(found, name);
  else
    snprintf(name, ST_POLYFEM_NAME, "material");
}

void st_polyfem_write_materials(StPolyfem *polyfem, StJsonOut *out) {
  const StJson *materials = st_json_get(polyfem->scene, "materials");
  StJsonOut object = st_json_lines(out, "materials", '{');
  char name[ST_POLYFEM_NAME], key[40];
  if (materials && materials->kind == ST_JSON_OBJECT) {
    name_material(materials, name);
    write_material(polyfem, &object, materials, name, "materials");
  }
  const StJson *first = materials && materials->kind == ST_JSON_LIST ? materials->child : NULL;
  for (const StJson *one = first; one; one = one->next) {
    name_material(one, name);
    snprintf(key, sizeof key, "materials[%d]", one->index);
    if (one->kind == ST_JSON_OBJECT)
      write_material(polyfem, &object, one, name, key);
  }
  st_json_end(&object);
}
