// Coplanar faces: faces that lie flush on each other at the start of a step. Beyond the rim of a
// face the closest feature is the rim itself, so a point there would be pushed away along the face,
// however little it protrudes: the corners of equal blocks on each other would drive the blocks
// apart. So near a rim, a point of a face that lies flush on another face presses on the plane of
// that face, and the edges that end in the point press like flat ones. Which faces are flush is
// decided at the start of the step, because the energy must not change during Newton's iterations.
#pragma once

#include "contact/core/skins.h"

typedef struct StCoplanar {
  const StSkins *skins;
  const double *place;     // [place_count][3] now
  const double *start;     // the same at the start of the step
  const double *sharpness; // [edges] at the start of the step
  double reach;            // m; a feature that is or was farther away is not flush
} StCoplanar;

// The planes that a point presses on, with the share of each. Planes of neighbours that are equally
// close have equal shares, so that a point over their common edge or corner is not pushed aside.
enum { ST_COPLANAR_MOST = 16 };
typedef struct StCoplanarPlanes {
  int count;
  int triangle[ST_COPLANAR_MOST];
  double share[ST_COPLANAR_MOST]; // sum up to 1
  double steep; // height over distance of the nearest triangle: 1 where the point does not protrude
} StCoplanarPlanes;

// Of `count` triangles of another skin, finds those on whose planes a point near a rim presses. It
// finds none if no face of the point lies on them, or if there is no rim nearby.
void st_coplanar_planes(const StCoplanar *flush, int point, const int *triangle, int count,
                        int stride, StCoplanarPlanes *planes);

// Whether two triangles face the same way.
bool st_coplanar_alike(const StCoplanar *flush, int a, int b);

// How far a point was beside a sharp edge of another skin that it was flush with, over the reach.
// 1: that far or farther, or not flush.
double st_coplanar_beside(const StCoplanar *flush, int point, int edge);
