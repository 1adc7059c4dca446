// An obstacle in closed form at one instant: whether points and triangles reach into it by more
// than rounding. All shapes are convex and centred at their own origin, as in docs/scene.md.
#pragma once

#include "judge/box_tree.h"
#include "model/description.h"

// Rounding error relative to the size of the coordinates: positions are rounded once, rotated into
// the obstacle's frame (three rounded products with a rounded matrix), and compared with a length.
// Less than 20 roundings of 2^-53; twice that is allowed.
#define ST_RIGID_ROUNDING (40 * 0x1p-53)

typedef struct StRigid {
  int shape;
  double value[3];
  double rotation[9], origin[3]; // own frame → world
  StBox box;                     // bounding box, in the world
  double rounding;               // m, reaching in by less counts as touching
} StRigid;

// size: the largest coordinate that will be tested.
void st_rigid_place(const StObstacleDesc *desc, double time, double size, StRigid *rigid);

bool st_rigid_is_known(const StObstacleDesc *desc); // not a mesh

bool st_rigid_may_meet(const StRigid *rigid, const StBox *box); // false: certainly not
bool st_rigid_contains(const StRigid *rigid, const double x[3]);
bool st_rigid_is_reached(const StRigid *rigid, const double *const corner[3]); // by a triangle
