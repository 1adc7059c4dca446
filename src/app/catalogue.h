// Everything that can be chosen by name, collected from the descriptors: printed by `stiction
// list`.
#pragma once

#include "base/param.h"

typedef enum StCatalogueSection {
  ST_CATALOGUE_FORCES,
  ST_CATALOGUE_MATERIALS,
  ST_CATALOGUE_SHELLS,
  ST_CATALOGUE_VOLUMES,
  ST_CATALOGUE_INTEGRATORS,
  ST_CATALOGUE_SOLVERS,
  ST_CATALOGUE_SHAPES,
  ST_CATALOGUE_OBSTACLES,
  ST_CATALOGUE_UNITS,
  ST_CATALOGUE_SECTIONS
} StCatalogueSection;

enum { ST_CATALOGUE_PARAMS = 24 };

typedef struct StCatalogueEntry {
  const char *name, *summary;
  int param_count;
  StParam param[ST_CATALOGUE_PARAMS];
  const char *otherwise[ST_CATALOGUE_PARAMS]; // the default, if it is not a number
  const char *unit;                           // units only: the SI one
} StCatalogueEntry;

extern const char *const st_catalogue_names[ST_CATALOGUE_SECTIONS + 1]; // NULL-terminated

// False past the end.
bool st_catalogue_entry(StCatalogueSection section, int index, StCatalogueEntry *entry);
