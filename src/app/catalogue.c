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

static bool force_at(int index, StCatalogueEntry *entry) {
  const StForceType *type = st_force_types[index];
  return type && fill(entry, type->name, type->summary, type->param, type->param_count);
}

static bool material_at(int index, StCatalogueEntry *entry) {
  const StMaterialLaw *law = st_material_laws[index];
  return law && fill(entry, law->name, law->summary, law->param, law->param_count);
}

static bool shell_at(int index, StCatalogueEntry *entry) {
  const StShellLaw *law = st_shell_laws[index];
  return law && fill(entry, law->name, law->summary, law->param, law->param_count);
}

static bool volume_at(int index, StCatalogueEntry *entry) {
  const StVolumeModel *model = st_volume_models[index];
  return model && fill(entry, model->name, model->summary, model->param, model->param_count);
}

static bool integrator_at(int index, StCatalogueEntry *entry) {
  const StIntegrator *integrator = &st_integrators[index];
  return integrator->name && fill(entry, integrator->name, integrator->summary, NULL, 0);
}

static bool shape_at(int index, StCatalogueEntry *entry) {
  const StShapeType *type = st_shape_types[index];
  return type && fill(entry, type->name, type->summary, type->param, type->param_count);
}

static bool obstacle_at(int index, StCatalogueEntry *entry) {
  const StObstacleType *type = st_obstacle_types[index];
  return type && fill(entry, type->name, type->summary, type->param, type->param_count);
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
  switch (section) {
  case ST_CATALOGUE_FORCES: return force_at(index, entry);
  case ST_CATALOGUE_MATERIALS: return material_at(index, entry);
  case ST_CATALOGUE_SHELLS: return shell_at(index, entry);
  case ST_CATALOGUE_VOLUMES: return volume_at(index, entry);
  case ST_CATALOGUE_INTEGRATORS: return integrator_at(index, entry);
  case ST_CATALOGUE_SOLVERS: return solver_at(index, entry);
  case ST_CATALOGUE_SHAPES: return shape_at(index, entry);
  case ST_CATALOGUE_OBSTACLES: return obstacle_at(index, entry);
  case ST_CATALOGUE_UNITS: return unit_at(index, entry);
  case ST_CATALOGUE_SECTIONS: break;
  }
  return false;
}
