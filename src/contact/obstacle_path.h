// An obstacle in closed form on its way from one instant to another, and how far points may go at
// the same time without touching it.
#ifndef ST_CONTACT_OBSTACLE_PATH_H
#define ST_CONTACT_OBSTACLE_PATH_H

#include "contact/advance.h"
#include "contact/contacts.h"

// Between both poses the origin moves straight and the obstacle turns evenly by the shorter way.
typedef struct StObstaclePath {
  const StObstacleType *type;
  const double *value;
  double rotation[9], origin[3]; // at the start, own frame → world
  double shift[3];               // of the origin over the whole way
  double axis[3], angle;         // turned about over the whole way
} StObstaclePath;

void st_obstacle_path(const StObstacleDesc *desc, double start, double end, StObstaclePath *path);

// Gap of a point when a share of the way is done, and its gradient.
double st_obstacle_path_gap(const StObstaclePath *path, double share, const double x[3],
                            double gradient[3]);

// Largest share up to `most` of the way of a point, from → to, while the obstacle goes along its
// path, that keeps a tenth of the gap; negative when the gap is zero or less at the start.
double st_obstacle_path_advance(const StObstaclePath *path, const double from[3],
                                const double to[3], double most);

// The smallest share over some places, of positions [][3]; 0 when some gap is closed at the start.
double st_advance_obstacle(const StObstaclePath *path, int count, const int *place,
                           const double *from, const double *to, StAdvanceHit *first);

// The same over this rank's points of all pairs with such obstacles.
double st_obstacle_paths_limit(const StContacts *contacts, const StStand *from, const StStand *to);

// Adds every such point that does not get to the end of its way. False: no memory.
bool st_obstacle_paths_hits(const StContacts *contacts, const StStand *from, const StStand *to,
                            StAdvanceHits *hits);

#endif
