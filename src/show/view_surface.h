// The surface that the viewer's page draws: the skin of all bodies with a vertex for each smooth
// side, so that the edges of a box stay sharp and materials do not bleed into each other.
#ifndef ST_SHOW_VIEW_SURFACE_H
#define ST_SHOW_VIEW_SURFACE_H

#include "replay/skin.h"

typedef struct StViewSurface {
  StSkin skin;
  int vertex_count;
  int *vertex;          // [vertex_count] number among the vertices of all bodies
  int *triangle;        // [skin.triangle_count][3] vertices of this surface
  int *body, *material; // [vertex_count]
} StViewSurface;

StStatus st_view_surface_create(const StDescription *description, StViewSurface *surface,
                                StError *error);
void st_view_surface_free(StViewSurface *surface); // frees the arrays

#endif
