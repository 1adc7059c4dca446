// A ball that meets a cloth from below, on several ranks as on one process: all know its sides.
#include "support/cloth_ball.h"
#include "support/ranks.h"

static StSnapshot meet(StSolverKind solver) {
  const ClothBall scene = {.way = -1,
                           .x = 0.013,
                           .y = 0.007,
                           .speed = 1,
                           .step = 0.01,
                           .duration = 0.1,
                           .solver = solver};
  StDescription *d = cloth_ball_create(&scene);
  d->solver.velocity_tolerance = 1e-12;
  d->solver.change_tolerance = 1e-9;
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static StSnapshot reference(void) {
  return meet(ST_SOLVER_DIRECT);
}

static void direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = meet(ST_SOLVER_DIRECT);
  ranks_compare(&snapshot, 1e-9);
}

static void iterative_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = meet(ST_SOLVER_ITERATIVE);
  ranks_compare(&snapshot, 1e-8);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return RANKS_MAIN(count, argument, reference, tests);
}
