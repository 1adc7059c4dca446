// The surface that the viewer's page draws: the skin of all bodies with a separate vertex for each
// smooth side, so that the edges of a box stay sharp and materials do not bleed into each other.
// Includes the tets inside, which the page needs to show cuts.
#pragma once

#include "replay/skin.h"

typedef struct StViewSurface {
  StSkin skin;
  int outer_count;      // vertices of the surface
  int vertex_count;     // these and, after them, the inner vertices
  int *vertex;          // [vertex_count] number among the vertices of all bodies
  int *triangle;        // [skin.triangle_count][3] vertices of this surface
  int *body, *material; // [vertex_count]
  float *rest;          // [vertex_count][3] undeformed

  // Through all bodies, like the cells of frames; none if hollow.
  int tet_count;
  int *tet;          // [tet_count][4] vertices of this surface
  int *tet_material; // [tet_count]
} StViewSurface;

// hollow: without tets and inner vertices.
StStatus st_view_surface_create(const StDescription *description, bool hollow,
                                StViewSurface *surface, StError *error);
void st_view_surface_free(StViewSurface *surface); // frees the arrays
