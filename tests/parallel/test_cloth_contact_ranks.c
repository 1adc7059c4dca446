// A ball that meets a cloth from below, on several ranks as on one process: all know its sides.
#include "support/cloth_ball.h"
#include "support/ranks.h"

// It ends before the sheet creases: a step that does has more than one solution, and round-off may
// decide which is found.
static StDescription *scene(StSolverKind solver) {
  const ClothBall ball = {.way = -1,
                          .x = 0.013,
                          .y = 0.007,
                          .speed = 1,
                          .step = 0.01,
                          .duration = 0.08,
                          .solver = solver};
  return cloth_ball_create(&ball);
}

int main(int count, char **argument) {
  return ranks_both_solvers(count, argument, scene, NULL);
}
