// Reads a mesh file; the format follows from the file extension and is checked against the content:
// .msh (Gmsh 2 and 4, text and binary), .vtk (legacy), .vtu, .vtkhdf, .obj, .stl.
#pragma once

#include "mesh/mesh.h"

// Checks and repairs as it reads (see mesh/check.h): the result is safe to simulate. Warnings
// (reoriented tets, dropped vertices) go to the log.
StStatus st_mesh_read(const char *path, const StLog *log, StMesh **mesh, StError *error);

// The same; tets of second order keep the nodes on their edges (mesh/second_order.h), if all are.
// Otherwise only their corners count.
StStatus st_mesh_read_second_order(const char *path, const StLog *log, StMesh **mesh,
                                   StError *error);

// As in the file: triangles may be degenerate or duplicated, vertices unreferenced. For repair
// (fill/repair.h).
StStatus st_mesh_read_raw(const char *path, const StLog *log, StMesh **mesh, StError *error);

// Checked, from memory; name is used in messages, and its extension gives the format. Also for
// fuzzing.
StStatus st_mesh_parse(const char *name, const char *data, size_t size, const StLog *log,
                       StMesh **mesh, StError *error);
