// The features of one skin that a point is close to, counted so that a flat or convex surface
// counts once wherever the point is over it: +1 for each triangle, 1 - n for an edge with n of
// them, and the remainder for corners, each assigned to the nearest feature. Where the surface is
// concave, each wall counts.
#pragma once

#include "contact/core/primitive_gap.h"
#include "contact/core/skins.h"

#include <stddef.h>

typedef struct StPointFeature {
  StPrimitiveKind kind; // ST_POINT_POINT, ST_POINT_EDGE or ST_POINT_TRIANGLE
  int feature;          // place, edge or triangle
  int count;            // how often it counts; can be negative
  int triangle;         // one that it belongs to
} StPointFeature;

// A corner or edge, and how many triangles have it as their nearest feature.
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

// place: the point's; triangle: [count] candidates, all of one skin; reach: larger distances do not
// count, m. False: out of memory.
bool st_point_features_find(StPointFeatures *features, const StSkins *skins, const double *position,
                            int place, const int *triangle, int count, int stride, double reach);
void st_point_features_free(StPointFeatures *features);
