// Meshes as one run of bytes, in which others find them without copying.
#pragma once

#include "mesh/mesh.h"

// mesh: [count], NULL where there is none. bytes: 64-byte aligned.
size_t st_parcel_size(StMesh *const *mesh, int count);
void st_parcel_pack(StMesh *const *mesh, int count, char *bytes);

// Meshes that borrow their arrays from the bytes, which must outlive them and are not changed.
StStatus st_parcel_unpack(char *bytes, int count, StMesh **mesh, StError *error);

// Gives a mesh arrays of its own if it has borrowed them, so that it can be changed.
StStatus st_mesh_own(StMesh *mesh, StError *error);
