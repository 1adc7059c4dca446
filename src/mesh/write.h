// Writes a mesh file, the format told by its ending: .vtu, .vtk and .msh keep everything; .obj
// keeps the surface with labels, .stl the surface alone (the boundary of the tets and all
// triangles).
#ifndef ST_MESH_WRITE_H
#define ST_MESH_WRITE_H

#include "base/text.h"
#include "mesh/mesh.h"

StStatus st_mesh_write(const char *path, const StMesh *mesh, StError *error);

// The same into memory; only the ending of the name counts.
StStatus st_mesh_format(const char *name, const StMesh *mesh, StText *text, StError *error);

#endif
