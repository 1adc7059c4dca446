// Patches: sheets of quadrilaterals on an integer lattice, from which shapes are swept. They have
// no positions; a shape maps the lattice to space. Neighbouring lattice points differ by one step
// in one coordinate, so the parity of the coordinate sum colours the vertices like a chessboard.
#pragma once

#include "base/status.h"

typedef struct StPatch {
  int vertex_count;
  int *lattice; // [vertex_count][3], see each maker
  int quad_count;
  int *quad; // [quad_count][4] counter-clockwise seen from outside, or from above
  int rim_count;
  int *rim;       // [rim_count][2] boundary edges, the patch to their left; in closed loops
  int *rim_index; // [vertex_count] number among the rim's vertices, -1 inside
} StPatch;

// Rectangle of x by y cells: lattice (i, j, 0).
StStatus st_patch_rectangle(int x, int y, StPatch *patch, StError *error);

// Disc: a square of n by n cells inside `rings` rings of 4n cells: lattice (i, j, ring), where (i,
// j) of a ring's vertex is the boundary point of the square that it continues.
StStatus st_patch_disc(int n, int rings, StPatch *patch, StError *error);

// Annulus, closed in its first direction: lattice (around, ring, 0). `around` must be even.
StStatus st_patch_annulus(int around, int rings, StPatch *patch, StError *error);

// Surface of a box of x by y by z cells, seen from outside: lattice (i, j, k); no rim.
StStatus st_patch_box_surface(int x, int y, int z, StPatch *patch, StError *error);

// Two rectangles of x by y cells, one facing down and one up, that share their rims: lattice (i, j,
// 0), and (i, j, 2) inside the upper one; no rim is left. x and y must be even: diagonals of colour
// 0 then end in every corner, because no triangle may have all its vertices on the common rim.
StStatus st_patch_pillow(int x, int y, StPatch *patch, StError *error);

void st_patch_free(StPatch *patch); // frees the arrays
