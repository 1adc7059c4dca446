// The laws of cloth and shells: one by stiffness per width, as fabrics are measured, and one by
// thickness and modulus of a sheet.
#include "force/shell_material.h"

#include "base/memory.h"

#include <string.h>

#define POISSON                                                                                    \
  {                                                                                                \
    .name = "poisson",                                                                             \
    .doc = "Poisson's ratio in the plane: lateral contraction over extension; near 1 the area "    \
           "is kept.",                                                                             \
    .dimension = ST_PURE, .fallback = NAN, .min = -1, .min_open = true, .max = 1, .max_open = true \
  }

static const StParam membrane_param[] = {
    ST_PARAM("young", "Young's modulus times thickness: tension per strain.",
             .dimension = ST_TENSION, .fallback = NAN, ST_POSITIVE),
    POISSON,
    ST_PARAM("area_density", "Mass per area at rest.", .dimension = ST_AREA_DENSITY,
             .fallback = NAN, ST_POSITIVE),
    ST_PARAM(
        "bending",
        "Stiffness of the hinges between triangles; a third of the equivalent plate stiffness.",
        .dimension = ST_ENERGY, .fallback = 0, ST_NOT_NEGATIVE),
};

static const StParam shell_param[] = {
    ST_PARAM("thickness", "Thickness of the sheet at rest.", .dimension = ST_LENGTH_DIMENSION,
             .fallback = NAN, ST_POSITIVE),
    ST_PARAM("young", "Young's modulus of the solid material.", .dimension = ST_PRESSURE,
             .fallback = NAN, ST_POSITIVE),
    POISSON,
    // INFINITY means "the plate stiffness of the sheet": no scene can contain it.
    ST_PARAM("bending",
             "Stiffness of the hinges between triangles; default: D/3, with the plate stiffness D "
             "= E t³/(12 (1 − ν²)).",
             .dimension = ST_ENERGY, .fallback = INFINITY, ST_NOT_NEGATIVE),
};

// E in N/m. Plane stress: the thickness changes freely.
static void prepare_plane(double young, double poisson, StShellStiffness *stiffness) {
  stiffness->mu = young / (2 * (1 + poisson));
  stiffness->lambda = young * poisson / (1 - poisson * poisson);
}

static void prepare_membrane(const double *value, StShellStiffness *stiffness) {
  prepare_plane(value[0], value[1], stiffness);
  stiffness->bending = value[3];
}

static double membrane_density(const double *value, double density) {
  (void)density;
  return value[2];
}

static void prepare_shell(const double *value, StShellStiffness *stiffness) {
  double thickness = value[0], young = value[1], poisson = value[2], bending = value[3];
  double plate = young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
  prepare_plane(young * thickness, poisson, stiffness);
  stiffness->bending = isinf(bending) ? plate / 3 : bending;
  stiffness->thickness = thickness;
}

static double shell_density(const double *value, double density) {
  return value[0] * density;
}

static const StShellLaw membrane = {
    .name = "membrane",
    .summary = "Cloth, given by stiffness and mass per area: A [μ/2 (tr C − 2) − μ ln J + λ/2 "
               "ln²J], J = √det C, in plane stress.",
    .param = membrane_param,
    .param_count = ST_LENGTH(membrane_param),
    .prepare = prepare_membrane,
    .area_density = membrane_density,
};

static const StShellLaw shell = {
    .name = "shell",
    .summary = "Thin sheet, given by thickness and the modulus and density of its solid material; "
               "in its plane the same energy as membrane.",
    .param = shell_param,
    .param_count = ST_LENGTH(shell_param),
    .prepare = prepare_shell,
    .area_density = shell_density,
};

const StShellLaw *const st_shell_laws[] = {&membrane, &shell, NULL};

const StShellLaw *st_shell_law_find(const char *name) {
  for (const StShellLaw *const *law = st_shell_laws; *law; law++)
    if (strcmp((*law)->name, name) == 0)
      return *law;
  return NULL;
}

static StStatus prepare(const StMaterialDesc *from, StShellStiffness *stiffness, StError *error) {
  const char *name = from->name ? from->name : "(unnamed)";
  const StShellLaw *law = from->law.name ? st_shell_law_find(from->law.name) : NULL;
  if (!law)
    return st_fail(error, ST_BAD_INPUT, "material %s: there is no law %s for shells", name,
                   from->law.name ? from->law.name : "");
  law->prepare(from->law.value, stiffness);
  if (!isfinite(stiffness->mu) || !isfinite(stiffness->lambda) || !isfinite(stiffness->bending))
    return st_fail(error, ST_BAD_INPUT, "material %s: parameters of %s are out of range", name,
                   law->name);
  return ST_OK;
}

bool st_shell_may_bend(const StMaterialDesc *material) {
  StShellStiffness stiffness = {0};
  return material->shell && (prepare(material, &stiffness, NULL) != ST_OK || stiffness.bending > 0);
}

StStatus st_shell_materials_create(const StDescription *description, StShellStiffness **stiffness,
                                   StError *error) {
  ST_TRY_MEMORY(*stiffness = ST_NEW(StShellStiffness, description->material_count), error);
  for (int i = 0; i < description->material_count; i++) {
    if (!description->material[i].shell)
      continue;
    StStatus status = prepare(&description->material[i], &(*stiffness)[i], error);
    if (status != ST_OK) {
      free(*stiffness);
      *stiffness = NULL;
      return status;
    }
  }
  return ST_OK;
}
