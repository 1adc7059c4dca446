// Meshes that a program hands over with a scene.
#ifndef ST_API_GIVEN_MESH_H
#define ST_API_GIVEN_MESH_H

#include "stiction/stiction.h"

#include "mesh/mesh.h"

typedef struct StGivenMeshes {
  int count;
  const StictionMesh *mesh;
} StGivenMeshes;

// ST_BAD_INPUT: one has no name, negative counts, or arrays that are missing.
StStatus st_given_meshes_check(const StGivenMeshes *given, StError *error);

// A copy of the one with this name; NULL: there is none. context: StGivenMeshes.
StStatus st_given_mesh_find(const void *context, const char *name, StMesh **mesh, StError *error);

#endif
