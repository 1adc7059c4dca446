// Data of contact by smooth surfaces, built once (contact/smooth/smooth_method.c).
#pragma once

#include "contact/core/contacts.h"
#include "contact/smooth/surface.h"

// A smooth surface; pairs with the same body and thickness share one.
typedef struct StSharedSurface {
  int body; // -1: a mesh obstacle
  StSurfaceOptions options;
  int triangle_count;
  int *triangle;      // [triangle_count][3] vertices of the piece or of the obstacle
  const double *rest; // their positions at rest
} StSharedSurface;

// The surface that the points of a pair touch.
struct StSmoothSide {
  int surface;        // index of the contacts' surface; -1 for an obstacle in closed form
  bool two_sided;     // surface of a shell: points may touch either side, and stay on it
  int rigid_count;    // vertices of a mesh obstacle, …
  int rigid_first;    // … the first one's place, …
  double *rigid_rest; // … [rigid_count][3] in the world at rest
};

struct StSmoothContacts {
  struct StSmoothSide *side; // [pairs]
  int surface_count;
  StSharedSurface *surface; // [surface_count]
  int rigid_count;          // vertices of mesh obstacles in all pairs
};
