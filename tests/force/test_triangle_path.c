// Path limits of triangles: a path that flips a triangle in its plane ends before its area is zero.
#include "force/triangle_path.h"
#include "math/vec3.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double EDGES[6] = {1, 0, 0, 0.3, 1, 0}; // of a triangle in the plane z = 0

static void corner_passes_the_opposite_edge(void **state) {
  (void)state;
  double to[6] = {1, 0, 0, 0.3, -1, 0}; // its area is lost half-way
  assert_true(fabs(st_triangle_path_limit(EDGES, to) - 0.4) < 1e-3);
  to[4] = 0.01; // most of it is lost at the end, none on the way
  assert_true(st_triangle_path_limit(EDGES, to) == 1);
}

// Out of the plane there is room to swing round: the area stays.
static void swings_round(void **state) {
  (void)state;
  const double to[6] = {1, 0, 0, 0.3, 0, 1}, back[6] = {1, 0, 0, 0.3, -1, 1.5};
  assert_true(st_triangle_path_limit(EDGES, to) == 1);
  assert_true(st_triangle_path_limit(to, back) == 1);
}

// Lost and found twice on the way, with the same side up at its end.
static void turned_over_and_back(void **state) {
  (void)state;
  double to[6];
  for (int i = 0; i < 6; i++)
    to[i] = -EDGES[i];
  assert_true(st_triangle_path_limit(EDGES, to) < 0.5);
}

static void rotations_are_free(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int n = 0; n < 1000; n++) {
    double from[6], to[6], R[9], axis[3], angle;
    random_fill(&seed, -1, 1, 6, from);
    random_fill(&seed, -1, 1, 3, axis);
    random_fill(&seed, -2, 2, 1, &angle);
    double length = vec3_length(axis), normal[3];
    vec3_cross(from, from + 3, normal);
    if (length < 0.1 || vec3_length(normal) < 0.05)
      continue;
    for (int c = 0; c < 3; c++)
      axis[c] /= length;
    mat3_rotation(axis, angle, R);
    mat3_apply(R, from, to);
    mat3_apply(R, from + 3, to + 3);
    if (fabs(angle) < 1.9)
      assert_true(st_triangle_path_limit(from, to) == 1);
  }
}

// Along any way that is cut, the area shrinks all along and some of it is left.
static void cut_ways_keep_some_area(void **state) {
  (void)state;
  uint64_t seed = 5;
  int cut = 0;
  for (int n = 0; n < 5000; n++) {
    double from[6], to[6], x[6], first[3], last[3];
    random_fill(&seed, -1, 1, 6, from);
    random_fill(&seed, -1, 1, 6, to);
    double part = st_triangle_path_limit(from, to);
    assert_true(part > 0 && part <= 1);
    if (part == 1)
      continue;
    for (int i = 0; i < 6; i++)
      x[i] = from[i] + part * (to[i] - from[i]);
    vec3_cross(from, from + 3, first);
    vec3_cross(x, x + 3, last);
    assert_true(vec3_length(last) < vec3_length(first) && vec3_length(last) > 0);
    assert_true(st_triangle_path_limit(from, x) == 1);
    cut++;
  }
  assert_true(cut > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corner_passes_the_opposite_edge),
      cmocka_unit_test(swings_round),
      cmocka_unit_test(turned_over_and_back),
      cmocka_unit_test(rotations_are_free),
      cmocka_unit_test(cut_ways_keep_some_area),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
