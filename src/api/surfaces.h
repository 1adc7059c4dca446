// Points on the surfaces of bodies and obstacles: the nearest one, and the first on a ray. Trees of
// boxes are built at rest and refitted to each queried state.
#pragma once

#include "judge/box_tree.h"
#include "model/description.h"

#include "stiction/stiction.h"

// The skin of a body, or of a mesh obstacle in its own frame.
typedef struct StSurfaceTree {
  StBoxTree tree;
  int *corner; // [triangles][3] in the order of the tree, counted within the body
  int *order;  // [triangles] which one of the skin it is
} StSurfaceTree;

typedef struct StSurfaces {
  const StDescription *description;
  StSurfaceTree *body, *obstacle; // those of closed form are empty
} StSurfaces;

StStatus st_surfaces_create(const StDescription *description, StSurfaces **surfaces,
                            StError *error);
void st_surfaces_destroy(StSurfaces *surfaces); // NULL is fine

// Fits the trees of bodies to positions in the description's order.
void st_surfaces_fit(StSurfaces *surfaces, const double *position);

// The query: a point or a ray (unit direction), up to a distance, of one body or obstacle or of all
// (both -1).
typedef struct StSurfaceQuery {
  const double *origin, *direction; // direction NULL: the nearest place
  double reach;
  int body, obstacle;
  double time; // of obstacles
} StSurfaceQuery;

StictionHit st_surfaces_ask(const StSurfaces *surfaces, const double *position,
                            const StSurfaceQuery *query);
