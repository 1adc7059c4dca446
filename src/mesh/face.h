// The triangular faces of tets: which coincide, and which lie on the boundary.
#pragma once

#include "base/status.h"

// Corners of the four faces of a tet, counter-clockwise seen from outside.
extern const int st_tet_face[4][3];

// All faces, face f of tet t at 4 t + f, and an order that puts equal ones together.
typedef struct StFaces {
  size_t count;
  int *vertex; // [count][3] ascending
  int *order;  // [count]
} StFaces;

StStatus st_faces_create(const int *tet, size_t tet_count, int vertex_count, StFaces *faces,
                         StError *error);
void st_faces_free(StFaces *faces);

// The faces without a partner, in the order of their tets; free() it.
StStatus st_faces_list_open(const StFaces *faces, int **face, int *count, StError *error);

// skin[i]: triangle i is a face of a tet.
StStatus st_faces_mark_skin(const int *tet, size_t tet_count, const int *triangle,
                            size_t triangle_count, int vertex_count, bool *skin, StError *error);
