// The path of an obstacle in closed form from one instant to another, and ccd of points against it:
// how far they may move at the same time without contact.
#pragma once

#include "contact/ccd/conservative_advancement.h"
#include "contact/core/contacts.h"

// Between both poses the origin moves straight and the obstacle rotates evenly, in the shorter
// sense.
typedef struct StObstaclePath {
  const StObstacleType *type;
  const double *value;
  double rotation[9], origin[3]; // at the start, own frame → world
  double shift[3];               // of the origin over the whole path
  double axis[3], angle;         // rotation over the whole path
} StObstaclePath;

void st_obstacle_path(const StObstacleDesc *desc, double start, double end, StObstaclePath *path);

// Gap of a point and its gradient, after a fraction of the path.
double st_obstacle_path_gap(const StObstaclePath *path, double share, const double x[3],
                            double gradient[3]);

// Largest fraction, up to `most`, of a point's path from → to that keeps a tenth of the gap while
// the obstacle follows its own path; negative if the gap is closed at the start.
double st_obstacle_path_advance(const StObstaclePath *path, const double from[3],
                                const double to[3], double most);

// The smallest such fraction over several points, with positions [][3]; 0 if some gap is closed at
// the start.
double st_advance_obstacle(const StObstaclePath *path, int count, const int *place,
                           const double *from, const double *to, StAdvanceHit *first);

// The smallest such fraction over this rank's points of all pairs with closed-form obstacles.
StStatus st_obstacle_paths_limit(const StContacts *contacts, const StConfiguration *from,
                                 const StConfiguration *to, double *part);

// Adds every point of these pairs that cannot follow its whole path. parked: [skins] whose points
// do not move; NULL: none. False: out of memory.
bool st_obstacle_paths_hits(const StContacts *contacts, const bool *parked,
                            const StConfiguration *from, const StConfiguration *to,
                            StAdvanceHits *hits);
