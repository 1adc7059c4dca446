// The features of one skin that a point is close to, each counted so that a flat or convex surface
// counts once, wherever the point is over it: +1 for each triangle, 1 - n for an edge of n of them,
// and what is left for corners, all by the feature that is nearest. Where the surface is hollow,
// each wall counts.
#ifndef ST_CONTACT_POINT_FEATURES_H
#define ST_CONTACT_POINT_FEATURES_H

#include "contact/primitive_gap.h"
#include "contact/skins.h"

#include <stddef.h>

typedef struct StPointFeature {
  StPrimitiveKind kind; // ST_POINT_POINT, ST_POINT_EDGE or ST_POINT_TRIANGLE
  int feature;          // place, edge or triangle
  int count;            // how often it counts; may be negative
  int triangle;         // one that it belongs to
} StPointFeature;

// A corner or edge met on the way, and by how many triangles.
typedef struct StPointTally {
  int feature, triangles, excess;
  int triangle; // one of them
} StPointTally;

typedef struct StPointFeatures {
  int count;
  StPointFeature *item; // in the order met; some count 0
  size_t capacity;
  int edge_count, place_count;
  StPointTally *edge, *place;
  size_t edge_capacity, place_capacity;
} StPointFeatures;

// place: the point's; triangle: [count] candidates, all of one skin; reach: distances from here on
// do not count, m. False: no memory.
bool st_point_features_find(StPointFeatures *features, const StSkins *skins, const double *position,
                            int place, const int *triangle, int count, int stride, double reach);
void st_point_features_free(StPointFeatures *features);

#endif
