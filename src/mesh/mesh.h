// A mesh of tetrahedra and triangles with labels, in rest position: the output of readers and
// shapes. Independent of materials, motion and ranks.
#pragma once

#include "base/log.h"
#include "base/status.h"

typedef struct StMesh {
  int vertex_count;
  double *position; // [vertex_count][3] metres

  int tet_count;
  int *tet;          // [tet_count][4], positive volume: (x1-x0)·((x2-x0)×(x3-x0)) > 0
  int *tet_label;    // [tet_count] index into label_name, -1 for none
  bool second_order; // tets 8 e … 8 e + 7 are the parts of element e (mesh/second_order.h)

  int triangle_count;  // free-standing triangles (cloth, shells), not the skin of the tets
  int *triangle;       // [triangle_count][3], counter-clockwise seen from outside
  int *triangle_label; // [triangle_count]

  int label_count;
  char **label_name; // [label_count] "1", "wall" …: as the file names them

  // Vertices that a file puts into labelled groups of lower dimension (boundary faces, points): a
  // scene can select vertices by such a label even if no element has it.
  int tag_count;
  size_t tag_capacity; // 0: as many as there are
  int *tag;            // [tag_count][2] (vertex, label)

  // Faces of tets that have no neighbour, face f of tet t as 4 t + f; to find them, all faces are
  // sorted (st_mesh_find_boundary). NULL: not known. Whoever changes tets makes the mesh forget it.
  int boundary_count;
  int *boundary; // [boundary_count]

  struct StCage *cage; // NULL: none. Else the tets carry the triangles (mesh/cage.h)
  bool borrowed;       // all of these arrays belong to someone else (mesh/parcel.h)
} StMesh;

StMesh *st_mesh_create(int vertex_count, int tet_count, int triangle_count); // NULL: no memory
void st_mesh_destroy(StMesh *mesh);                                          // NULL is fine

// For ST_FINALLY.
static inline void st_mesh_destroy_at(StMesh **at) {
  st_mesh_destroy(*at);
}

// Index of the label with this name, created if missing; -1: out of memory.
int st_mesh_label(StMesh *mesh, const char *name);
int st_mesh_find_label(const StMesh *mesh, const char *name); // -1: no such label

StStatus st_mesh_add_tag(StMesh *mesh, int vertex, int label, StError *error);

void st_mesh_forget_boundary(StMesh *mesh);

double st_tet_volume(const double *position, const int tet[4]); // signed
double st_triangle_area(const double *position, const int triangle[3]);
