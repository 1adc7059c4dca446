// Internals of a surface and its scratch; for the files contact/smooth/surface*.c only.
#pragma once

#include "contact/smooth/surface.h"
#include "contact/smooth/surface_grid.h"

#include <stdint.h>

struct StSurface {
  StSurfaceOptions options;
  double radius;      // R
  int triangle_count; // one sample each
  int vertex_count;   // vertices in use
  int *corner;        // [triangle_count][3] numbers among the vertices in use
  int *vertex;        // [vertex_count] the caller's numbers of those
  int *link;          // [triangle_count][3] two-sided only; see surface_side.c

  // At the positions of the last update, in the order of the grid's items.
  StGrid grid;
  double low[3], high[3]; // bounds of the centroids
  double *sample;         // [triangle_count][6] centroid and normal, in the order of triangles
  int *cell;              // [triangle_count]
  double *centroid[3];    // [triangle_count] sorted, one array per coordinate
  double *normal[3];

  // Of the last sweep: boxes around the triangles' paths, less the mean displacement.
  StGrid path_grid;
  double displacement[3];
  double *path; // [triangle_count][6] low and high
  bool swept;
};

// Triangles reached by walking across shared edges.
typedef struct StSurfaceWalk {
  int count;
  int *triangle; // [count] in the order of the walk
  size_t capacity;
  uint64_t *met; // [capacity] the walk that last reached each triangle, …
  bool *turned;  // … and whether it is flipped relative to the first triangle of that walk
  uint64_t now;  // the current walk
} StSurfaceWalk;

// Connected triangles of a walk.
typedef struct StSurfaceLayer {
  int first, end;        // places in the walk
  int nearest;           // triangle nearest to the point at the start of the step, …
  double square, height; // … its squared distance, and the height above it as oriented
  bool hidden;           // behind another layer, as the point saw it then
} StSurfaceLayer;

// The walk's triangles as samples, with separate corners.
typedef struct StSurfacePatch {
  int count;
  size_t capacity;
  int *corner; // [3][capacity] places in at
  double *at;  // [1 + 3 count][3] the point, then the corners
  double *work;
} StSurfacePatch;

struct StSurfaceScratch {
  size_t vertex_capacity, sample_capacity;
  uint64_t *mark; // [vertex_count] base + place in the stencil, from the search that last found it
  uint64_t base;  // above all marks of earlier searches
  int sample_count; // samples found
  int *sample;      // [sample_count] place among the grid's items
  int *corner;      // [3][sample_capacity] places in the stencil
  int stencil_count;
  int *stencil;   // [stencil_count] the caller's vertex numbers, the point first
  void *work;     // [ST_SAMPLE_FIELDS][sample_capacity] numbers for the kernels, real or complex
  StGapDual dual; // the gap last asked for in complex numbers, …
  StDual *seen;   // … [stencil_count][3] at these positions, …
  const StSurface *seen_by; // … to this surface with this radius; NULL: `work` is not of that gap
  double seen_radius;
  bool *moved; // [sample_count] since the gap before
  // For two-sided surfaces: the neighbourhood of the point now, and in the past.
  StSurfaceWalk near, past;
  size_t layer_capacity;
  int layer_count;
  StSurfaceLayer *layer; // [layer_count] of the walk `near`
  StSurfacePatch patch;
};

// Numbers that a kernel keeps for each sample.
enum { ST_SAMPLE_FIELDS = 42 };

// ψ of a patch, with its triangles as oriented or all flipped; NAN if none is within R.
double st_surface_height(const StSurface *surface, StSurfacePatch *patch, bool over);

// Which triangles share an edge.
StStatus st_surface_link(StSurface *surface, StError *error);

void st_surface_walks_free(StSurfaceScratch *scratch);

// Whether a point that went through a triangle is now on the other side of the smooth surface
// there. True if out of memory.
bool st_surface_changed_sides(const StSurface *surface, StSurfaceScratch *scratch, int triangle,
                              const StSurfacePast *before, const StSurfacePast *after);
