// The functions of Gmsh's library that filling needs, as a table.
#pragma once

#include "base/status.h"

#ifdef STICTION_GMSH

#include <gmshc.h>

typedef struct StGmsh {
  __typeof__(&gmshInitialize) initialize;
  __typeof__(&gmshFinalize) finalize;
  __typeof__(&gmshFree) free;
  __typeof__(&gmshOptionSetNumber) set;
  __typeof__(&gmshLoggerGetLastError) last_error;
  __typeof__(&gmshModelAdd) add_model;
  __typeof__(&gmshModelRemove) remove_model;
  __typeof__(&gmshModelAddDiscreteEntity) add_entity;
  __typeof__(&gmshModelMeshAddNodes) add_nodes;
  __typeof__(&gmshModelMeshAddElementsByType) add_elements;
  __typeof__(&gmshModelGeoAddSurfaceLoop) add_loop;
  __typeof__(&gmshModelGeoAddVolume) add_volume;
  __typeof__(&gmshModelGeoSynchronize) synchronize;
  __typeof__(&gmshModelMeshGenerate) generate;
  __typeof__(&gmshModelMeshGetNodes) nodes;
  __typeof__(&gmshModelMeshGetElementsByType) elements;
} StGmsh;

// Loads the library unless it is loaded already.
StStatus st_gmsh_load(StGmsh *gmsh, StError *error);

#endif
