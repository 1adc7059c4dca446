// Reads a mesh file, the format told by its ending and then checked against its content:
// .msh (Gmsh 2 and 4, text and binary), .vtk (legacy), .vtu, .obj, .stl.
#ifndef ST_MESH_READ_H
#define ST_MESH_READ_H

#include "mesh/mesh.h"

// Checks and repairs as it reads (see mesh/check.h): what comes back is safe to simulate. Warnings
// (flipped tets turned round, unreferenced vertices dropped) go to the log.
StStatus st_mesh_read(const char *path, const StLog *log, StMesh **mesh, StError *error);

// As the file has it: triangles may be degenerate or there twice, vertices may belong to nothing.
// For what is to be repaired (fill/repair.h).
StStatus st_mesh_read_raw(const char *path, const StLog *log, StMesh **mesh, StError *error);

// Checked, from memory; name is used in messages and its ending tells the format. For fuzzing too.
StStatus st_mesh_parse(const char *name, const char *data, size_t size, const StLog *log,
                       StMesh **mesh, StError *error);

#endif
