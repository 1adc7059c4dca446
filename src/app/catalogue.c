// The descriptors of all layers as one list of entries.
#include "app/catalogue.h"

#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "force/force.h"
#include "force/material.h"
#include "force/shell_material.h"
#include "force/volume_model.h"
#include "mesh/shape.h"
#include "scene/parts.h"
#include "step/integrator.h"

#include <stddef.h>

const char *const st_catalogue_names[ST_CATALOGUE_SECTIONS + 1] = {
    "forces",  "materials", "shells",    "volumes", "integrators",
    "solvers", "shapes",    "obstacles", "units",   NULL};

static bool fill(StCatalogueEntry *entry, const char *name, const char *summary,
                 const StParam *param, int param_count) {
  *entry = (StCatalogueEntry){.name = name, .summary = summary};
  for (int i = 0; i < param_count && i < ST_CATALOGUE_PARAMS; i++)
    entry->param[entry->param_count++] = param[i];
  return true;
}

// Lists of descriptors, NULL-terminated, and where each has what an entry shows.
typedef struct List {
  const void *first;
  size_t name, summary, param, param_count;
} List;

#define LIST(list, type)                                                                           \
  {                                                                                                \
    list, offsetof(type, name), offsetof(type, summary), offsetof(type, param),                    \
        offsetof(type, param_count)                                                                \
  }

static const List lists[ST_CATALOGUE_SECTIONS] = {
    [ST_CATALOGUE_FORCES] = LIST(st_force_types, StForceType),
    [ST_CATALOGUE_MATERIALS] = LIST(st_material_laws, StMaterialLaw),
    [ST_CATALOGUE_SHELLS] = LIST(st_shell_laws, StShellLaw),
    [ST_CATALOGUE_VOLUMES] = LIST(st_volume_models, StVolumeModel),
    [ST_CATALOGUE_SHAPES] = LIST(st_shape_types, StShapeType),
    [ST_CATALOGUE_OBSTACLES] = LIST(st_obstacle_types, StObstacleType),
};

static bool listed_at(const List *list, int index, StCatalogueEntry *entry) {
  const char *at = ((const char *const *)list->first)[index];
  return at &&
         fill(entry, *(const char *const *)(at + list->name),
              *(const char *const *)(at + list->summary),
              *(const StParam *const *)(at + list->param), *(const int *)(at + list->param_count));
}

static bool integrator_at(int index, StCatalogueEntry *entry) {
  const StIntegrator *integrator = &st_integrators[index];
  return integrator->name && fill(entry, integrator->name, integrator->summary, NULL, 0);
}

// The scene's solver object describes the settings of solvers.
static bool solver_at(int index, StCatalogueEntry *entry) {
  if (index > 0)
    return false;
  fill(entry, st_keys_solver.name, st_keys_solver.doc, NULL, 0);
  for (int i = 0; i < st_keys_solver.key_count && i < ST_CATALOGUE_PARAMS; i++) {
    entry->param[i] = st_keys_solver.key[i].param;
    entry->otherwise[i] = st_keys_solver.key[i].otherwise;
    entry->param_count++;
  }
  return true;
}

static const StDimension dimensions[] = {
    {1, 0, 0, 0},  {2, 0, 0, 0},  {3, 0, 0, 0},   {0, 1, 0, 0},  {0, 0, 1, 0},
    {0, 0, -1, 0}, {0, 0, 0, 1},  {0, 0, -1, 1},  {1, 0, -1, 0}, {1, 0, -2, 0},
    {1, 1, -2, 0}, {2, 1, -2, 0}, {-1, 1, -2, 0}, {-3, 1, 0, 0}, {-2, 1, 0, 0},
    {0, 1, -2, 0}, {0, 1, -1, 0}, {-2, 1, -2, 0}, {1, -1, 2, 0},
};

static bool unit_at(int index, StCatalogueEntry *entry) {
  if (index >= ST_LENGTH(dimensions))
    return false;
  StDimension dimension = dimensions[index];
  fill(entry, st_dimension_name(dimension), st_dimension_examples(dimension), NULL, 0);
  entry->unit = st_dimension_unit(dimension);
  return true;
}

bool st_catalogue_entry(StCatalogueSection section, int index, StCatalogueEntry *entry) {
  if (lists[section].first)
    return listed_at(&lists[section], index, entry);
  switch (section) {
  case ST_CATALOGUE_INTEGRATORS: return integrator_at(index, entry);
  case ST_CATALOGUE_SOLVERS: return solver_at(index, entry);
  case ST_CATALOGUE_UNITS: return unit_at(index, entry);
  default: break;
  }
  return false;
}
