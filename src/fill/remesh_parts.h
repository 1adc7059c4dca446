// Shared by the passes of fill/remesh.c: the current surface, the original one, and the tests that
// every change must pass.
#pragma once

#include "fill/nearest.h"
#include "fill/net.h"
#include "fill/remesh.h"

// Points of the original surface whose vertices were removed: the surface must stay close to them
// too, or thin parts would vanish.
typedef struct StLost {
  int count, capacity;
  double (*point)[3];
} StLost;

typedef struct StRemesh {
  const StRemeshWish *wish;
  const StMesh *given;
  StNet net;
  StNearest surface, lines;
  StMesh *line_mesh;
  StLost *lost; // [lost_count] by vertex; vertices beyond have none
  int lost_count;
} StRemesh;

// A triangle by its corners' places.
typedef struct StCorners {
  const double *x[3];
} StCorners;

StCorners st_remesh_corners(const StRemesh *work, int triangle);
void st_remesh_normal(const StCorners *corners, double normal[3]); // twice the area long
double st_remesh_quality(const StCorners *corners);                // 1: equilateral

// Whether a triangle may replace another with this normal: not flipped, and close to the original
// surface.
bool st_remesh_fits(const StRemesh *work, const StCorners *corners, const double normal[3]);

// Whether corner i of a triangle may be merged into the next: all new triangles fit, none is much
// worse than before, and no removed point is too far away.
bool st_remesh_may_collapse(const StRemesh *work, int triangle, int i);
StStatus st_remesh_lose(StRemesh *work, int from, int to, StError *error);
StStatus st_remesh_add_lost(StRemesh *work, int vertex, const double x[3], StError *error);
StStatus st_remesh_clear_lost(StRemesh *work, StError *error); // room for all vertices, no points
void st_remesh_free_lost(StRemesh *work);

// Whether a vertex may be moved there.
bool st_remesh_may_move(const StRemesh *work, int vertex, const double to[3]);
