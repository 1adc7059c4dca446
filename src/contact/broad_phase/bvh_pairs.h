// Pairs of items whose boxes come closer than a margin, for one-off searches. Repeated searches use
// contact/broad_phase/candidates.h.
#pragma once

#include "contact/broad_phase/bvh.h"

typedef void StItemsMeet(void *context, const StItem *a, const StItem *b);

// Visits items of skin a with items of skin b, each pair once; a may equal b. Uses the boxes of the
// last fit.
void st_skin_pairs(const StSkinTree *tree, int a, int b, double margin, StItemsMeet *meet,
                   void *context);

// Whether the boxes around two skins come closer than a margin.
bool st_skins_near(const StSkinTree *tree, int a, int b, double margin);

// Whether an edge passes through the interior of a triangle by more than round-off.
bool st_edge_through(const double *p, const double *q, const double *const corner[3]);

// Visits edges of either skin that pass through triangles of the other; a may equal b.
typedef void StEdgeThrough(void *context, int edge, int triangle);
void st_skin_crossings(const StSkinTree *tree, const double *position, int a, int b,
                       StEdgeThrough *found, void *context);
