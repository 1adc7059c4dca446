// Closed surfaces, as lists of triangles: what they enclose, whether they are closed at all, and
// those that bound a tet mesh, outside and around its cavities.
#pragma once

#include "base/text.h"
#include "mesh/mesh.h"

// Defects of the edges of a surface. One edge may count for the last two.
typedef struct StEdgeFaults {
  int open;    // edges with one triangle
  int turned;  // where neighbours have inconsistent orientations
  int crowded; // with more than two triangles
} StEdgeFaults;

// triangle: [count][3], vertices in [0, vertex_count).
StStatus st_surface_edge_faults(const int *triangle, int count, int vertex_count,
                                StEdgeFaults *faults, StError *error);

// The first few edges with more than two triangles: "3 – 17 at (0, 0, 0) – (1, 0, 0), …".
StStatus st_surface_name_crowded(const double *position, int vertex_count, const int *triangle,
                                 int count, StText *text, StError *error);

// ST_BAD_INPUT unless every edge has exactly two triangles, in opposite directions, and the surface
// is not inside out (a flat one is neither): the message counts and names the bad edges. A part may
// face inward if it lies inside another one: a space between two walls.
StStatus st_surface_check_closed(const double *position, int vertex_count, const int *triangle,
                                 int count, StError *error);

// A surface split into parts. Triangles with a common edge are in one part; a common vertex is not
// enough.
typedef struct StParts {
  int count;
  int *start;     // [count + 1] first triangle of each part, and the end
  int *triangle;  // [start[count]][3]
  double *volume; // [count] m³, as of st_surface_volume
} StParts;

// In the order of their first triangles.
StStatus st_surface_parts(const double *position, int vertex_count, const int *triangle, int count,
                          StParts *parts, StError *error);
void st_parts_free(StParts *parts); // frees the arrays

// Signed volume inside a closed surface, m³, negative if inside out; `centroid` (not finite without
// volume) may be NULL.
double st_surface_volume(const double *position, const int *triangle, int count,
                         double centroid[3]);

// Winding number of a closed surface about a point that is not on it: 1 inside, 0 outside.
double st_surface_winding(const double *position, const int *triangle, int count,
                          const double x[3]);

// The boundary of a tet mesh in parts that all enclose a positive volume: the outer ones first,
// then the cavities, whose triangles face out of the cavity and into the solid.
StStatus st_mesh_walls(const StMesh *mesh, StParts *walls, int *outer_count, StError *error);
