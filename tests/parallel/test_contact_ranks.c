// Two balls that collide with friction, on several ranks as on one process.
#include "solve/runtime.h"
#include "support/balls.h"
#include "support/ranks.h"

static StSnapshot collide(StSolverKind solver) {
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
  StDescription *d = balls_create(&balls);
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
  return collide(ST_SOLVER_DIRECT);
}

static void direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = collide(ST_SOLVER_DIRECT);
  ranks_compare(&snapshot, 1e-9);
}

static void iterative_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = collide(ST_SOLVER_ITERATIVE);
  ranks_compare(&snapshot, 1e-8);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return RANKS_MAIN(count, argument, reference, tests);
}
