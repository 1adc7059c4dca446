// Surfaces of round obstacles that turn.
#include "contact/friction/spin.h"

#include "contact/core/obstacle.h"

void st_spin_at(const StObstacleDesc *obstacle, double radius, double start, double time,
                StSpin *spin) {
  StObstacleNow now, then;
  *spin = (StSpin){.turns = radius > 0 && st_motion_moves(&obstacle->motion)};
  if (!spin->turns)
    return;
  st_obstacle_at(obstacle, time, &now);
  st_obstacle_at(obstacle, start, &then);
  const double *w = now.pose.spin;
  const double cross[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double back = 0; // rotation from now back to then, then·nowᵀ
      for (int k = 0; k < 3; k++)
        back += then.rotation[3 * i + k] * now.rotation[3 * j + k];
      spin->velocity[3 * i + j] = radius * cross[3 * i + j];
      spin->shift[3 * i + j] = radius * ((i == j) - back);
    }
}
