// Tests that run under mpiexec and compare final states with those of one process alone.
#ifndef TESTS_SUPPORT_RANKS_H
#define TESTS_SUPPORT_RANKS_H

#include "solve/runtime.h"
#include "support/alone.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static char ranks_file[64];

// Positions and velocities of a snapshot, as bytes.
static inline int ranks_write_reference(const char *path, StSnapshot (*simulate)(void)) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  StSnapshot snapshot = simulate();
  FILE *file = fopen(path, "wb");
  size_t count = 3 * (size_t)snapshot.vertex_count;
  bool good = file && fwrite(snapshot.position, sizeof(double), count, file) == count &&
              fwrite(snapshot.velocity, sizeof(double), count, file) == count;
  good = file && fclose(file) == 0 && good;
  st_snapshot_free(&snapshot);
  st_runtime_stop();
  return good ? 0 : 1;
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
  FILE *file = fopen(ranks_file, "rb");
  assert_non_null(file);
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

static inline int ranks_main(int count, char **argument, StSnapshot (*reference)(void),
                             const struct CMUnitTest *tests, size_t test_count) {
  if (alone_asked(count, argument))
    return ranks_write_reference(argument[2], reference);
  snprintf(ranks_file, sizeof ranks_file, "reference-%d.bin", (int)getpid());
  if (alone_is_first())
    alone_run(argument[0], ranks_file);
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = _cmocka_run_group_tests("ranks", tests, test_count, NULL, NULL);
  if (st_runtime_rank() == 0)
    unlink(ranks_file);
  st_runtime_stop();
  return failed;
}

#define RANKS_MAIN(count, argument, reference, tests)                                              \
  ranks_main(count, argument, reference, tests, sizeof(tests) / sizeof(tests[0]))

#endif
