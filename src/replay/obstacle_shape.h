// Obstacles as triangles, for display. Their pose at a given time is st_obstacle_at of
// contact/core/obstacle.h: x = rotation X + origin for the points X of the shape.
#pragma once

#include "contact/core/obstacle.h"

// In the obstacle's own frame. A half-space, which is unbounded, becomes a square of its face that
// extends well past the box from low to high (the box of the scene, st_recording_bounds).
StStatus st_obstacle_shape_create(const StObstacleDesc *obstacle, const double low[3],
                                  const double high[3], StMesh **mesh, StError *error);
