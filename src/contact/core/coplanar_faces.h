// Coplanar faces, flush on each other as a step begins. Past the rim of a face the nearest place
// is on the rim, and a point there would be pushed away along the face, however little it stands
// over: corners of equal blocks on each other would drive them apart. So near a rim a point of a
// face that lies flush on another presses on the plane of that face, and the edges that end in it
// press like flat ones. What is flush belongs to the start of the step, because the energy must not
// change during Newton's iterations.
#pragma once

#include "contact/core/skins.h"

typedef struct StCoplanar {
  const StSkins *skins;
  const double *place;     // [place_count][3] now
  const double *start;     // the same at the start of the step
  const double *sharpness; // [edges] there
  double reach;            // m; what is or was farther away is not flush
} StCoplanar;

// The planes that a point presses on, and how much on each; those of neighbours that are equally
// close have equal shares, so that a point over their common edge or corner is not pushed aside.
enum { ST_COPLANAR_MOST = 16 };
typedef struct StCoplanarPlanes {
  int count;
  int triangle[ST_COPLANAR_MOST];
  double share[ST_COPLANAR_MOST]; // sum up to 1
  double steep; // height over distance of the nearest: 1 where nothing stands over
} StCoplanarPlanes;

// Of some triangles of another skin, those whose planes a point near a rim presses on. None if it
// lies on them with no face of its own, or if there is no rim.
void st_coplanar_planes(const StCoplanar *flush, int point, const int *triangle, int count,
                        int stride, StCoplanarPlanes *planes);

// Whether two triangles face the same way.
bool st_coplanar_alike(const StCoplanar *flush, int a, int b);

// How far a point was beside a sharp edge of another skin that it was flush with, over how far it
// was above a face there; 1: more than that, or not flush.
double st_coplanar_beside(const StCoplanar *flush, int point, int edge);
