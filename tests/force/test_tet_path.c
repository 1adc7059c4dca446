// Path limits of tets against their volume along the path, sampled point by point.
#include "force/tet_path.h"
#include "math/vec3.h"
#include "support/law_sample.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { TRIALS = 20000, POINTS = 400 };

static const double KEPT = 0.1; // of the volume, as the header says

// Eight copies of one tet.
static StTetBatch batch_of_one(void) {
  static int vertex[4][ST_LANES];
  for (int a = 0; a < 4; a++)
    for (int lane = 0; lane < ST_LANES; lane++)
      vertex[a][lane] = a;
  return (StTetBatch){.vertex = vertex};
}

static double volume(const double *x) {
  double edge[3][3], cross[3];
  for (int a = 0; a < 3; a++)
    vec3_sub(x + 3 * (a + 1), x, edge[a]);
  vec3_cross(edge[0], edge[1], cross);
  return vec3_dot(cross, edge[2]);
}

static double volume_on_way(const double *from, const double *to, double t) {
  double x[12];
  for (int i = 0; i < 12; i++)
    x[i] = (1 - t) * from[i] + t * to[i];
  return volume(x);
}

static void random_tet(uint64_t *state, double *x) {
  do
    random_fill(state, -1, 1, 12, x);
  while (volume(x) < 0.01);
}

// The whole path is free if no volume is lost on it; a shortened one has volume all along, a tenth
// of it at its end, and the full path leads to zero volume.
static void check_way(const double *from, const double *to, double part) {
  double scale = volume(from), least = INFINITY, at_once = INFINITY;
  for (int k = 0; k <= POINTS; k++) {
    double t = k / (double)POINTS;
    least = fmin(least, volume_on_way(from, to, t));
    at_once = fmin(at_once, volume_on_way(from, to, t * part));
  }
  const double sampling = 1e-3 * scale; // a cubic between two points of four hundred
  if (part == 1) {
    assert_true(least > -sampling);
    return;
  }
  assert_true(part > 0 && part < 1);
  assert_true(least < KEPT * scale);
  assert_true(at_once > (KEPT - 1e-6) * scale);
  assert_true(fabs(volume_on_way(from, to, part) - KEPT * scale) < 1e-6 * scale);
}

static void ways_end_before_the_volume_does(void **unused) {
  (void)unused;
  uint64_t state = 5;
  StTetBatch batch = batch_of_one();
  int free_ways = 0, cut = 0, twice = 0;
  for (int n = 0; n < TRIALS; n++) {
    double from[12], to[12];
    random_tet(&state, from);
    random_fill(&state, -1.5, 1.5, 12, to);
    double part = st_tet_path_limit(&batch, from, to, 1);
    check_way(from, to, part);
    free_ways += part == 1;
    cut += part < 1;
    twice += part < 1 && volume(to) > 0;
  }
  assert_true(free_ways > TRIALS / 10 && cut > TRIALS / 10);
  assert_true(twice > TRIALS / 100); // inverted on the way, and again at its end
}

// Turning by less than half a turn flattens nothing so far that it is lost.
static void rotations_are_free(void **unused) {
  (void)unused;
  uint64_t state = 7;
  StTetBatch batch = batch_of_one();
  for (int n = 0; n < 500; n++) {
    double from[12], to[12], R[9];
    random_tet(&state, from);
    random_rotation(&state, R); // by up to 3 radians
    for (int a = 0; a < 4; a++)
      mat3_apply(R, from + 3 * a, to + 3 * a);
    assert_true(st_tet_path_limit(&batch, from, to, 1) == 1);
  }
}

// One tet of eight decides; a shorter limit is kept; tets that start inverted do not count.
static void the_shortest_way_counts(void **unused) {
  (void)unused;
  StTetBatch batch = batch_of_one();
  double from[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
         to[24];
  for (int i = 0; i < 24; i++)
    to[i] = from[i];
  to[23] = -1; // the second tet's top goes through its base half-way
  for (int a = 0; a < 4; a++)
    batch.vertex[a][5] = a + 4;
  assert_true(fabs(st_tet_path_limit(&batch, from, to, 1) - 0.45) < 1e-8);
  assert_true(st_tet_path_limit(&batch, from, to, 0.3) == 0.3);
  assert_true(st_tet_path_limit(&batch, to, from, 1) == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ways_end_before_the_volume_does),
      cmocka_unit_test(rotations_are_free),
      cmocka_unit_test(the_shortest_way_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
