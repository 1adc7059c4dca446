// Overlaps at the start: places where two skins, or a skin and an obstacle in closed form, overlap
// or have too small a gap. This module uses signed distances, unlike contact itself. The outside of
// a closed skin is where its normals point. A sheet has no inside: a solid at it belongs on the
// side given by the solid's own normal, another sheet on the side where it is.
#pragma once

#include "contact/broad_phase/bvh.h"
#include "math/box_pairs.h"

// Two parties, the first of them a body.
typedef struct StParties {
  int body;
  int other;    // body, or -1
  int obstacle; // or -1
} StParties;

typedef struct StOverlapSpot {
  StParties who;
  double gap;       // m, negative where they overlap
  double normal[3]; // unit vector towards `body`
  double at[3];     // m
  double reach;     // m, activation distance
  double allowed;   // m, the largest overlap that we correct
  bool coincide;    // two sheets coincide: it is impossible to say which is on which side
} StOverlapSpot;

typedef struct StOverlaps {
  const StSkins *skins;
  double time;
  const double *position; // [place_count][3]
  double share;           // of the activation distance: spots closer than this count
  double deepest;         // overlaps are searched down to this multiple of the allowed depth
  // Derived from the description.
  bool *solid;  // [skin_count] closed, with an inside
  bool *rim;    // [place_count] on the border of a sheet
  double *size; // [skin_count] m, twice the largest distance from the middle
  // Derived from positions.
  StSkinTree tree;
  StBounds *bounds;
  double *point_normal;    // [place_count][3] mean of its triangles', by their angles
  double *triangle_normal; // [triangle_count][3]
  bool *crossed;           // [place_count] the end of an edge that passes through another skin
  double *skin_box;        // [skin_count][6] with half of the largest distance that counts
  StBoxPairs near;         // skins whose boxes meet

  size_t count, capacity;
  StOverlapSpot *spot;
  bool no_memory;
} StOverlaps;

StStatus st_overlaps_create(const StSkins *skins, StOverlaps **overlaps, StError *error);
void st_overlaps_destroy(StOverlaps *overlaps); // NULL is fine

// Fills the list of spots for all contacts of the description, deepest first.
StStatus st_overlaps_find(StOverlaps *overlaps, double time, const double *position, double share,
                          double deepest, StError *error);

// The largest overlap of two skins that is corrected, m; and the same with an obstacle in closed
// form.
double st_overlaps_allowed(const StOverlaps *overlaps, int a, int b);

// Parts of the search.
void st_overlaps_point(StOverlaps *overlaps, int point, int skin); // against a skin's triangles
void st_overlaps_edges(StOverlaps *overlaps, int a, int b, bool crossing);
void st_overlaps_rounded(StOverlaps *overlaps, int a,
                         int b); // two skins, at least one with a radius
bool st_overlaps_inside(const StOverlaps *overlaps, int skin, const double *x); // by solid angles

// Adds a spot between two skins; the normal points to a.
void st_overlaps_add(StOverlaps *overlaps, int a, int b, const StOverlapSpot *spot);
