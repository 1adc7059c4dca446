// The same scene on several ranks agrees with one process to 1e-9. Run under mpiexec; rank 0 first
// has a process of its own, free of MPI, compute the reference.
#include "solve/runtime.h"
#include "support/alone.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

static const double LENGTH = 2;
static const char *reference_file;

// Twelve by twelve by twelve cells: 10368 tets, held at one end and twisted at the other.
static StDescription *twisted_bar(StSolverKind solver, bool matrix_free) {
  World world = {.grid = {.cells = {12, 12, 12}, .high = {LENGTH, 0.5, 0.5}, .jitter = 0.1},
                 .young = 1e5,
                 .poisson = 0.35,
                 .density = 1000,
                 .stiffness_damping = 1e-3,
                 .integrator = "tr_bdf2",
                 .step = 0.01,
                 .duration = 0.03,
                 .solver = solver};
  StDescription *d = world_create(&world);
  d->gravity[2] = -9.81;
  d->solver.matrix_free = matrix_free;
  d->solver.velocity_tolerance = 1e-12;
  d->solver.change_tolerance = 1e-9;
  world_hold(d, 0, 0);
  StMotion *motion = &world_hold(d, 0, LENGTH)->motion;
  motion->key_count = 2;
  motion->time = ST_NEW(double, 2);
  motion->translation = ST_NEW(double, 6);
  motion->angle = ST_NEW(double, 2);
  motion->time[1] = 0.03;
  motion->angle[1] = 0.3;
  motion->axis[0] = 1, motion->axis[2] = 0;
  motion->centre[1] = motion->centre[2] = 0.25;
  motion->interpolation = ST_SMOOTH;
  return d;
}

// Final positions and velocities; on rank 0.
static StSnapshot simulate(StSolverKind solver, bool matrix_free) {
  StDescription *d = twisted_bar(solver, matrix_free);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static int write_reference(const char *path) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  StSnapshot snapshot = simulate(ST_SOLVER_DIRECT, false);
  FILE *file = fopen(path, "wb");
  size_t count = 3 * (size_t)snapshot.vertex_count;
  bool good = file && fwrite(snapshot.position, sizeof(double), count, file) == count &&
              fwrite(snapshot.velocity, sizeof(double), count, file) == count;
  good = file && fclose(file) == 0 && good;
  st_snapshot_free(&snapshot);
  st_runtime_stop();
  return good ? 0 : 1;
}

static double largest_difference(const double *a, const double *b, size_t count, double *scale) {
  double difference = 0;
  for (size_t i = 0; i < count; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    *scale = fmax(*scale, fabs(b[i]));
  }
  return difference;
}

static void compare(const StSnapshot *snapshot) {
  size_t count = 3 * (size_t)snapshot->vertex_count;
  double *expected = ST_NEW(double, 2 * count), scale[2] = {0};
  FILE *file = fopen(reference_file, "rb");
  assert_non_null(file);
  assert_int_equal(fread(expected, sizeof(double), 2 * count, file), 2 * count);
  fclose(file);
  double dx = largest_difference(snapshot->position, expected, count, &scale[0]);
  double dv = largest_difference(snapshot->velocity, expected + count, count, &scale[1]);
  print_message("relative difference: position %.1e, velocity %.1e\n", dx / scale[0],
                dv / scale[1]);
  assert_true(dx < 1e-9 * scale[0]);
  assert_true(dv < 1e-9 * scale[1]);
  free(expected);
}

static void check(StSolverKind solver, bool matrix_free) {
  StSnapshot snapshot = simulate(solver, matrix_free);
  if (st_runtime_rank() == 0)
    compare(&snapshot);
  st_snapshot_free(&snapshot);
}

static void direct_agrees(void **state) {
  (void)state;
  check(ST_SOLVER_DIRECT, false);
}

static void iterative_agrees(void **state) {
  (void)state;
  check(ST_SOLVER_ITERATIVE, false);
}

static void matrix_free_agrees(void **state) {
  (void)state;
  check(ST_SOLVER_ITERATIVE, true);
}

int main(int count, char **argument) {
  if (alone_asked(count, argument))
    return write_reference(argument[2]);
  char path[64];
  snprintf(path, sizeof path, "reference-%d.bin", (int)getpid());
  if (alone_is_first())
    alone_run(argument[0], path);
  reference_file = path;
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
      cmocka_unit_test(matrix_free_agrees),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (st_runtime_rank() == 0)
    unlink(path);
  st_runtime_stop();
  return failed;
}
