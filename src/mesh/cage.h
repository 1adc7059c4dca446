// A cage: tets around a surface of triangles, which they carry. The tets are the body, as far as
// the surface fills them; the surface is its skin, and the tets' own faces are none.
#pragma once

#include "mesh/mesh.h"

typedef struct StCage {
  int vertex_count; // vertices of the surface, which come before those of the tets
  int *tet;         // [vertex_count] which tet each is in
  double *volume;   // [tets of the mesh][4] m³ of the body that belong to each corner
  bool closed;      // every edge of the surface has two triangles
  bool crossed;     // the surface passes through itself
} StCage;

StCage *st_cage_create(int vertex_count, int tet_count); // NULL: no memory
void st_cage_destroy(StCage *cage);                      // NULL is fine

// Vertices of the body itself: without those of a cage, which come last.
int st_mesh_own_count(const StMesh *mesh);

// m³ of the body that belong to the corners of a tet: a quarter of it without a cage.
void st_mesh_corner_volumes(const StMesh *mesh, int tet, double volume[4]);

// The part of a tet that the body fills: all of it without a cage.
double st_mesh_fill_part(const StMesh *mesh, int tet);
