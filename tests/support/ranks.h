// Final states on several ranks against those of one process alone.
#ifndef TESTS_SUPPORT_RANKS_H
#define TESTS_SUPPORT_RANKS_H

#include "support/alone.h"
#include "support/world.h"

// Positions and velocities, as bytes; frees the snapshot.
static inline bool ranks_write(StSnapshot *snapshot, FILE *file) {
  size_t count = 3 * (size_t)snapshot->vertex_count;
  bool good = fwrite(snapshot->position, sizeof(double), count, file) == count &&
              fwrite(snapshot->velocity, sizeof(double), count, file) == count;
  st_snapshot_free(snapshot);
  return good;
}

// The end of a run, in which ways of computing differ by round-off alone; frees the description.
// look: NULL, or called before the simulation is gone.
typedef void RanksLook(const StDescription *d, StSimulation *simulation);

static inline StSnapshot ranks_run(StDescription *d, RanksLook *look) {
  d->solver.velocity_tolerance = 1e-12;
  d->solver.change_tolerance = 1e-9;
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  if (look)
    look(d, simulation);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static inline double ranks_difference(const double *a, const double *b, size_t count,
                                      double *scale) {
  double difference = 0;
  for (size_t i = 0; i < count; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    *scale = fmax(*scale, fabs(b[i]));
  }
  return difference;
}

// Frees the snapshot; only rank 0 has one to compare.
static inline void ranks_compare(StSnapshot *snapshot, double allowed) {
  if (st_runtime_rank() != 0) {
    st_snapshot_free(snapshot);
    return;
  }
  size_t count = 3 * (size_t)snapshot->vertex_count;
  double *expected = ST_NEW(double, 2 * count), scale[2] = {0};
  FILE *file = alone_open();
  assert_int_equal(fread(expected, sizeof(double), 2 * count, file), 2 * count);
  fclose(file);
  double dx = ranks_difference(snapshot->position, expected, count, &scale[0]);
  double dv = ranks_difference(snapshot->velocity, expected + count, count, &scale[1]);
  print_message("relative difference: position %.1e, velocity %.1e\n", dx / scale[0],
                dv / scale[1]);
  assert_true(dx < allowed * scale[0]);
  assert_true(dv < allowed * scale[1]);
  free(expected);
  st_snapshot_free(snapshot);
}

// A scene by both solvers, against the direct one's alone.
typedef StDescription *RanksScene(StSolverKind solver);
static RanksScene *ranks_scene;
static RanksLook *ranks_look;

static inline bool ranks_reference(FILE *file) {
  StSnapshot snapshot = ranks_run(ranks_scene(ST_SOLVER_DIRECT), ranks_look);
  return ranks_write(&snapshot, file);
}

static inline void ranks_direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = ranks_run(ranks_scene(ST_SOLVER_DIRECT), ranks_look);
  ranks_compare(&snapshot, 1e-9);
}

static inline void ranks_iterative_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = ranks_run(ranks_scene(ST_SOLVER_ITERATIVE), ranks_look);
  ranks_compare(&snapshot, 1e-8);
}

static inline int ranks_both_solvers(int count, char **argument, RanksScene *scene,
                                     RanksLook *look) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_direct_agrees),
      cmocka_unit_test(ranks_iterative_agrees),
  };
  ranks_scene = scene;
  ranks_look = look;
  return ALONE_MAIN(count, argument, ranks_reference, tests);
}

#endif
