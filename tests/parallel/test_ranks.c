// The same scene on several ranks agrees with one process to 1e-9.
#include "support/ranks.h"

static const double LENGTH = 2;

// Twelve by twelve by twelve cells: 10368 tets, held at one end and twisted at the other.
static StDescription *twisted_bar(StSolverKind solver) {
  World world = {.grid = {.cells = {12, 12, 12}, .high = {LENGTH, 0.5, 0.5}, .jitter = 0.1},
                 .young = 1e5,
                 .poisson = 0.35,
                 .density = 1000,
                 .stiffness_damping = 1e-3,
                 .integrator = "tr_bdf2",
                 .step = 0.01,
                 .duration = 0.02,
                 .solver = solver};
  StDescription *d = world_create(&world);
  d->gravity[2] = -9.81;
  world_hold(d, 0, 0);
  StMotion *motion = &world_hold(d, 0, LENGTH)->motion;
  const double time[] = {0, 0.02}, angle[] = {0, 0.2};
  assert_int_equal(st_motion_set_keys(motion, 2, time, NULL, angle, ST_SMOOTH, false, NULL), ST_OK);
  motion->axis[0] = 1, motion->axis[2] = 0;
  motion->centre[1] = motion->centre[2] = 0.25;
  return d;
}

static bool reference(FILE *file) {
  StSnapshot snapshot = ranks_run(twisted_bar(ST_SOLVER_DIRECT), NULL);
  return ranks_write(&snapshot, file);
}

static void check(StSolverKind solver) {
  StSnapshot snapshot = ranks_run(twisted_bar(solver), NULL);
  ranks_compare(&snapshot, 1e-9);
}

static void direct_agrees(void **state) {
  (void)state;
  check(ST_SOLVER_DIRECT);
}

static void iterative_agrees(void **state) {
  (void)state;
  check(ST_SOLVER_ITERATIVE);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return ALONE_MAIN(count, argument, reference, tests);
}
