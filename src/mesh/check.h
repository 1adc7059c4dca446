// Finds defects that would spoil a simulation and names them: out-of-range and repeated indices,
// non-finite positions, inverted, degenerate and duplicate elements, unreferenced vertices.
#pragma once

#include "mesh/mesh.h"

// Fails with a message that names the first defect and counts the rest; flipped tets are reoriented
// and unreferenced vertices dropped, each with a warning. name: for the messages.
StStatus st_mesh_check(StMesh *mesh, const char *name, const StLog *log, StError *error);

// The same for a mesh that is only looked at: tells every kind of defect, and goes on.
typedef void (*StMeshDefect)(void *context, const char *text);
StStatus st_mesh_diagnose(StMesh *mesh, const char *name, const StLog *log, StMeshDefect defect,
                          void *context, StError *error);

// Only what memory safety needs: indices in range, coordinates finite.
StStatus st_mesh_check_numbers(const StMesh *mesh, const char *name, StError *error);

// The figures that `stiction mesh` and `stiction check` print.
typedef struct StMeshReport {
  double volume; // of tets
  double area;   // of free-standing triangles; of the boundary where there are only tets
  double low[3], high[3];
  double worst_quality; // min over tets of st_tet_quality
  int worst_tet;        // -1 when there are no tets
  // Smallest and largest angle between two faces of a tet, degrees; 70.5 for all of a regular one.
  double smallest_angle, largest_angle;
  double worst_triangle_quality; // 4√3 A / Σ edge²: 1 for an equilateral one
  int worst_triangle;
  double shortest_edge, longest_edge;
  int boundary_triangle_count; // faces of tets with one neighbour
  bool closed;            // every edge of the surface has two triangles, in opposite directions
  int crowded_edges;      // of free-standing triangles: those with more than two
  bool oriented;          // no two neighbouring triangles disagree
  double enclosed_volume; // of a closed triangle surface, negative when inside out
  int component_count;
} StMeshReport;

StStatus st_mesh_report(const StMesh *mesh, StMeshReport *report, StError *error);

// 6√2 V / (rms edge)³: 1 for a regular tet, 0 for a flat one.
double st_tet_quality(const double *position, const int tet[4]);

// Finds the boundary once for all who ask; a checked mesh knows it.
StStatus st_mesh_find_boundary(StMesh *mesh, StError *error);

// Faces of tets that have no neighbour: face [count], face f of tet t as 4 t + f; free() it.
StStatus st_mesh_boundary_faces(const StMesh *mesh, int **face, int *count, StError *error);

// The same as triangles, outward: triangle [count][3]; free() it.
StStatus st_mesh_boundary(const StMesh *mesh, int **triangle, int *count, StError *error);
