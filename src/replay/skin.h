// The visible surface of a run's bodies: outer faces of solids and triangles of shells as one
// triangle mesh, the same in all frames. Keeps only the vertices on it.
#pragma once

#include "model/description.h"

typedef struct StSkin {
  int vertex_count;
  int *vertex; // [vertex_count] number among the vertices of all bodies, ascending

  // Body by body; for each its tets' faces, then its shell.
  int triangle_count;
  int *triangle; // [triangle_count][3] vertices of the skin, counter-clockwise seen from outside
  int *body;     // [triangle_count]
  int *material; // [triangle_count] of the description
  int *label;    // [triangle_count] of the body's mesh, -1 for none
  int *cell;     // [triangle_count] of a frame: the tet behind or around it, or a triangle
  bool *shell;   // [triangle_count] seen from both sides
} StSkin;

StStatus st_skin_create(const StDescription *description, StSkin *skin, StError *error);
void st_skin_free(StSkin *skin); // frees the arrays

// Copies values of all vertices, [vertices][components], to those of the skin.
void st_skin_take(const StSkin *skin, const double *from, int components, double *to);
