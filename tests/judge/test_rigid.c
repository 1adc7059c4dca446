// Triangles against obstacles in closed form, held against dense samples of the triangle and the
// exact distance function of each shape, which changes by no more than the way between samples.
#include "judge/rigid.h"

#include "math/vec3.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { SHAPES = 5, TRIALS = 1500, SAMPLES = 80 };

static const StChoice SHAPE[SHAPES] = {{"half_space", {0}},
                                       {"sphere", {0.7}},
                                       {"capsule", {0.3, 1.1}},
                                       {"cylinder", {0.5, 0.9}},
                                       {"box", {1.2, 0.6, 0.8}}};

static double outside(const double *excess, int count) {
  double square = 0, largest = -INFINITY;
  for (int i = 0; i < count; i++) {
    square += excess[i] > 0 ? excess[i] * excess[i] : 0;
    largest = fmax(largest, excess[i]);
  }
  return largest > 0 ? sqrt(square) : largest;
}

// In the shape's own frame.
static double distance(int shape, const double x[3]) {
  const double *value = SHAPE[shape].value;
  double axis = hypot(x[0], x[1]);
  switch (shape) {
  case 0: return x[2];
  case 1: return vec3_length(x) - value[0];
  case 2: return hypot(axis, fmax(0, fabs(x[2]) - value[1] / 2)) - value[0];
  case 3: return outside((double[]){axis - value[0], fabs(x[2]) - value[1] / 2}, 2);
  default:
    return outside(
        (double[]){fabs(x[0]) - value[0] / 2, fabs(x[1]) - value[1] / 2, fabs(x[2]) - value[2] / 2},
        3);
  }
}

static void to_own(const StObstacleDesc *desc, const double x[3], double own[3]) {
  double arm[3];
  vec3_sub(x, desc->origin, arm);
  for (int i = 0; i < 3; i++)
    own[i] = desc->rotation[i] * arm[0] + desc->rotation[3 + i] * arm[1] +
             desc->rotation[6 + i] * arm[2];
}

static double least_sampled(int shape, const StObstacleDesc *desc, const double corner[3][3]) {
  double least = INFINITY;
  for (int i = 0; i <= SAMPLES; i++)
    for (int j = 0; j <= SAMPLES - i; j++) {
      double x[3], own[3], u = (double)i / SAMPLES, v = (double)j / SAMPLES;
      for (int c = 0; c < 3; c++)
        x[c] = (1 - u - v) * corner[0][c] + u * corner[1][c] + v * corner[2][c];
      to_own(desc, x, own);
      least = fmin(least, distance(shape, own));
    }
  return least;
}

static double longest_side(const double corner[3][3]) {
  double longest = 0, side[3];
  for (int i = 0; i < 3; i++) {
    vec3_sub(corner[i], corner[(i + 1) % 3], side);
    longest = fmax(longest, vec3_length(side));
  }
  return longest;
}

static StObstacleDesc random_pose(int shape, uint64_t *seed) {
  StObstacleDesc desc = {.name = "it", .shape = SHAPE[shape]};
  double axis[3];
  random_fill(seed, -1, 1, 3, axis);
  double length = vec3_length(axis);
  for (int c = 0; c < 3; c++)
    axis[c] /= length;
  mat3_rotation(axis, random_between(seed, 0, 6), desc.rotation);
  random_fill(seed, -1, 1, 3, desc.origin);
  return desc;
}

static void test_samples(void **state) {
  (void)state;
  uint64_t seed = 31;
  for (int shape = 0; shape < SHAPES; shape++) {
    int reached = 0, missed = 0, no_corner = 0;
    for (int k = 0; k < TRIALS; k++) {
      StObstacleDesc desc = random_pose(shape, &seed);
      StRigid rigid;
      double corner[3][3], size = k % 2 ? 1 : 3;
      random_fill(&seed, -size, size, 9, &corner[0][0]);
      const double *const at[3] = {corner[0], corner[1], corner[2]};
      st_rigid_place(&desc, 0, 3, &rigid);
      bool found = st_rigid_is_reached(&rigid, at);
      double least = least_sampled(shape, &desc, corner);
      if (least < -1e-12)
        assert_true(found);
      if (least > longest_side(corner) / SAMPLES)
        assert_false(found);
      StBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
      bool holds = false;
      for (int i = 0; i < 9; i++) {
        box.low[i % 3] = fmin(box.low[i % 3], corner[i / 3][i % 3]);
        box.high[i % 3] = fmax(box.high[i % 3], corner[i / 3][i % 3]);
        double own[3];
        to_own(&desc, corner[i / 3], own);
        bool inside = st_rigid_contains(&rigid, corner[i / 3]);
        assert_int_equal(inside, distance(shape, own) < 0);
        holds = holds || inside;
      }
      assert_true(!found || st_rigid_may_meet(&rigid, &box));
      assert_true(!holds || found);
      reached += found;
      missed += !found;
      no_corner += found && !holds;
    }
    assert_in_range(reached, TRIALS / 20, TRIALS);
    assert_in_range(missed, TRIALS / 20, TRIALS);
    if (shape > 0)
      assert_in_range(no_corner, TRIALS / 50, TRIALS);
  }
}

static bool reaches(int shape, const double corner[3][3]) {
  StObstacleDesc desc = {
      .name = "it", .shape = SHAPE[shape], .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double *const at[3] = {corner[0], corner[1], corner[2]};
  StRigid rigid;
  st_rigid_place(&desc, 0, 10, &rigid);
  return st_rigid_is_reached(&rigid, at);
}

// Exactly on the surface is touching; a hundred roundings deeper is not.
static void test_touching(void **state) {
  (void)state;
  static const double top[SHAPES] = {0, 0.7, 0.85, 0.45, 0.4};
  for (int shape = 0; shape < SHAPES; shape++)
    for (int k = 0; k < 2; k++) {
      double z = top[shape] - k * 1e-12;
      const double flat[3][3] = {{-5, -5, z}, {5, -5, z}, {0, 8, z}};
      assert_int_equal(reaches(shape, flat), k);
      const double corner[3][3] = {{0, 0, z}, {5, -5, 9}, {0, 8, 9}};
      assert_int_equal(reaches(shape, corner), k);
    }
}

// A large triangle with a corner of the box through it, a sliver across, a thin capsule through a
// sheet: no vertex is inside.
static void test_pierced(void **state) {
  (void)state;
  // The corner lies on x + y + z = 1.3.
  const double over_corner[3][3] = {{1.29, 0, 0}, {0, 1.29, 0}, {0, 0, 1.29}};
  const double past_corner[3][3] = {{1.31, 0, 0}, {0, 1.31, 0}, {0, 0, 1.31}};
  assert_true(reaches(4, over_corner));
  assert_false(reaches(4, past_corner));
  const double sliver[3][3] = {{-9, 0, 0}, {9, 0, 0}, {9, 1e-9, 0}};
  for (int shape = 1; shape < SHAPES; shape++)
    assert_true(reaches(shape, sliver));
  const double sheet[3][3] = {{-9, -9, 0.1}, {9, -9, 0.1}, {0, 9, 0.1}};
  for (int shape = 1; shape < SHAPES; shape++)
    assert_true(reaches(shape, sheet));
}

// An obstacle that moves is where its motion says.
static void test_motion(void **state) {
  (void)state;
  double time[2] = {0, 1}, along[2] = {0, 2};
  StObstacleDesc desc = {.name = "it", .shape = SHAPE[1], .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  desc.motion = (StMotion){.translation[0] = {.key_count = 2, .time = time, .value = along},
                           .axis = {0, 0, 1}};
  StRigid rigid;
  const double here[3] = {0, 0, 0}, there[3] = {2, 0, 0};
  st_rigid_place(&desc, 0, 2, &rigid);
  assert_true(st_rigid_contains(&rigid, here) && !st_rigid_contains(&rigid, there));
  st_rigid_place(&desc, 1, 2, &rigid);
  assert_true(!st_rigid_contains(&rigid, here) && st_rigid_contains(&rigid, there));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_touching),
      cmocka_unit_test(test_pierced),
      cmocka_unit_test(test_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
