// The tets of a body: which are inverted, and which surface vertices of others are inside one.
#pragma once

#include "judge/hull.h"

typedef struct StTets {
  int count;
  int *tet;            // [count][4] in the order of the tree
  unsigned char *skin; // [count] bit i: the face opposite corner i lies on the surface
  StBoxTree tree;
} StTets;

StStatus st_tets_create(const StMesh *mesh, int first_vertex, StTets *tets, StError *error);
void st_tets_free(StTets *tets);

// Whether a point is inside the body: inside a tet, or on a feature that tets share. The body's
// surface is not inside. hull: the surface of these tets; the tree must be fitted.
bool st_tets_contain(const StTets *tets, const StHull *hull, const double *position,
                     const double x[3]);

// Marks those of `count` tets [count][4] whose volume is not positive, and returns their number.
long st_tets_inverted(const int *tet, int count, const double *position, unsigned char *mark);
