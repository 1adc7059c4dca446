// Writes a mesh file; the format follows from the extension: .vtu, .vtkhdf, .vtk and .msh keep
// everything; .obj keeps the surface with labels, .stl only the surface (the boundary of the tets
// and all triangles).
#pragma once

#include "base/text.h"
#include "mesh/mesh.h"

StStatus st_mesh_write(const char *path, const StMesh *mesh, StError *error);

// The same into memory; only the extension of the name matters.
StStatus st_mesh_format(const char *name, const StMesh *mesh, StText *text, StError *error);
