// The features of one skin that are close to a point, with counts such that a flat or convex
// surface counts once wherever the point is above it: +1 for each triangle, 1 − n for an edge with
// n triangles, and the remainder for corners; each triangle counts at its closest feature. Where
// the surface is concave, each wall counts.
#pragma once

#include "contact/core/primitive_gap.h"
#include "contact/core/skins.h"

#include <stddef.h>

typedef struct StPointFeature {
  StPrimitiveKind kind; // ST_POINT_POINT, ST_POINT_EDGE or ST_POINT_TRIANGLE
  int feature;          // place, edge or triangle
  int count;            // how often it counts; can be negative
  int triangle;         // one of the triangles with this feature
} StPointFeature;

// A corner or edge, and the number of triangles whose closest feature it is.
typedef struct StPointTally {
  int feature, triangles, excess;
  int triangle; // one of them
} StPointTally;

typedef struct StPointFeatures {
  int count;
  StPointFeature *item; // in order of discovery; some count 0
  size_t capacity;
  int edge_count, place_count;
  StPointTally *edge, *place;
  size_t edge_capacity, place_capacity;
} StPointFeatures;

// place: the point's; triangle: [count] candidates, all of one skin; reach: features farther away
// do not count, m. False: out of memory.
bool st_point_features_find(StPointFeatures *features, const StSkins *skins, const double *position,
                            int place, const int *triangle, int count, int stride, double reach);
void st_point_features_free(StPointFeatures *features);
