// What a surface and its scratch are made of; for the files of contact/surface*.c only.
#ifndef ST_CONTACT_SURFACE_PARTS_H
#define ST_CONTACT_SURFACE_PARTS_H

#include "contact/surface.h"
#include "contact/surface_grid.h"

#include <stdint.h>

struct StSurface {
  StSurfaceOptions options;
  double radius;      // R
  int triangle_count; // one sample each
  int vertex_count;   // vertices in use
  int *corner;        // [triangle_count][3] numbers among the vertices in use
  int *vertex;        // [vertex_count] the caller's numbers of those

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

struct StSurfaceScratch {
  size_t vertex_capacity, sample_capacity;
  uint64_t *mark;   // [vertex_count] base + place in the stencil, of the search that last met it
  uint64_t base;    // above all marks of earlier searches
  int sample_count; // samples found
  int *sample;      // [sample_count] place among the grid's items
  int *corner;      // [3][sample_capacity] places in the stencil
  int stencil_count;
  int *stencil; // [stencil_count] the caller's vertex numbers, the point first
  void *work;   // [ST_SAMPLE_FIELDS][sample_capacity] numbers for the kernels, real or complex
};

// Numbers that a kernel keeps for each sample.
enum { ST_SAMPLE_FIELDS = 40 };

#endif
