// Obstacles whose distance function has a closed form: half-space, sphere, capsule, cylinder, box.
// Each is a const descriptor in its own frame; a pose places it in the world.
#pragma once

#include "base/param.h"
#include "math/scalar.h"
#include "model/description.h"

typedef struct StObstacleType {
  const char *name;
  const char *summary;
  const StParam *param;
  int param_count;
  // Distance from x (own frame; negative inside) and its gradient, a unit vector. NULL for a mesh.
  double (*gap)(const double *value, const double x[3], double gradient[3]);
  StDual (*gap_dual)(const double *value, const StDual x[3], StDual gradient[3]);
} StObstacleType;

extern const StObstacleType *const st_obstacle_types[]; // NULL-terminated
const StObstacleType *st_obstacle_find(const char *name);

// An obstacle at one instant.
typedef struct StObstacleNow {
  const StObstacleType *type;
  const double *value;
  double rotation[9], origin[3]; // own frame → world
  StRigidPose pose;              // its velocity field
} StObstacleNow;

void st_obstacle_at(const StObstacleDesc *desc, double time, StObstacleNow *now);

double st_obstacle_gap(const StObstacleNow *now, const double x[3], double gradient[3]);
StDual st_obstacle_gap_dual(const StObstacleNow *now, const StDual x[3], StDual gradient[3]);

// Converts a point between the obstacle's own frame and the world.
void st_obstacle_to_own(const StObstacleNow *now, const double x[3], double own[3]);
void st_obstacle_to_world(const StObstacleNow *now, const double own[3], double x[3]);

// Displacement from `then` to `now` of the surface point that is at x now.
void st_obstacle_shift(const StObstacleNow *then, const StObstacleNow *now, const double x[3],
                       double shift[3]);
void st_obstacle_shift_dual(const StObstacleNow *then, const StObstacleNow *now, const StDual x[3],
                            StDual shift[3]);

// Velocity of the obstacle's surface at x.
void st_obstacle_velocity(const StObstacleNow *now, const double x[3], double velocity[3]);
void st_obstacle_velocity_dual(const StObstacleNow *now, const StDual x[3], StDual velocity[3]);
