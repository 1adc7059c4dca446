// Two balls that collide with friction, on several ranks as on one process.
#include "support/balls.h"
#include "support/ranks.h"

static StDescription *scene(StSolverKind solver) {
  Balls balls = {.radius = 1,
                 .edge = 0.4,
                 .young = 1e5,
                 .friction = 0.4,
                 .speed = 1,
                 .offset = 0.6,
                 .gap = 0.02,
                 .integrator = "be",
                 .step = 0.02,
                 .duration = 0.2,
                 .solver = solver};
  return balls_create(&balls);
}

int main(int count, char **argument) {
  return ranks_both_solvers(count, argument, scene, NULL);
}
