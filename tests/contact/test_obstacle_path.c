// Points against obstacles in closed form that move: a tenth of the gap is left all the way, and
// where a way is cut, not much more.
#include "contact/ccd/obstacle_path.h"
#include "support/skin_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const double LEFT = 0.1 + 0.02 * 0.9;

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const char *const SHAPES[] = {"half_space", "sphere", "capsule", "cylinder", "box"};

static StObstaclePath floor_path(double rise) {
  StObstaclePath path = {.type = st_obstacle_find("half_space"),
                         .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                         .shift = {0, 0, rise}};
  return path;
}

static void test_floor(void **unused) {
  (void)unused;
  for (double h = 1; h > 0.9e-9; h /= 10) {
    StObstaclePath path = floor_path(0);
    const double from[3] = {0, 0, h}, down[3] = {5, 0, -1}, along[3] = {1e3, 1, h};
    double share = st_obstacle_path_advance(&path, from, down, 1);
    assert_close(share, 0.9 * h / (1 + h), 1e-15);
    assert_true(st_obstacle_path_advance(&path, from, along, 1) == 1);
    path = floor_path(1); // rises against a point at rest
    assert_close(st_obstacle_path_advance(&path, from, from, 1), fmin(0.9 * h, 1), 1e-15);
    const double fast[3] = {0, 0, h + 1.5};
    assert_true(st_obstacle_path_advance(&path, from, fast, 1) == 1);
  }
  StObstaclePath path = floor_path(0);
  assert_true(st_obstacle_path_advance(&path, (double[]){0, 0, 0}, (double[]){0, 0, 1}, 1) < 0);
  assert_true(st_obstacle_path_advance(&path, (double[]){0, 0, 1}, (double[]){0, 0, NAN}, 1) == 0);
}

static void random_rotation(uint64_t *state, double largest, double out[9]) {
  double axis[3];
  random_fill(state, -1, 1, 3, axis);
  double length = vec3_length(axis);
  for (int c = 0; c < 3; c++)
    axis[c] /= length;
  mat3_rotation(axis, random_between(state, 0, largest), out);
}

// From one pose to another by keys; both ends of the path are the poses themselves.
static void make_motion(uint64_t *state, double turn, double way, StObstacleDesc *desc) {
  StMotion *motion = &desc->motion;
  double time[] = {0, 1}, shift[6] = {0}, angle[] = {0, turn};
  random_fill(state, -way, way, 3, shift + 3);
  *motion = (StMotion){0};
  assert_int_equal(st_motion_set_keys(motion, 2, time, shift, angle, ST_LINEAR, false, NULL),
                   ST_OK);
  random_fill(state, -1, 1, 3, motion->centre);
  random_fill(state, -1, 1, 3, motion->axis);
  double length = vec3_length(motion->axis);
  for (int c = 0; c < 3; c++)
    motion->axis[c] /= length;
  random_rotation(state, 3, desc->rotation);
  random_fill(state, -1, 1, 3, desc->origin);
}

static void test_path_ends(void **unused) {
  (void)unused;
  uint64_t state = 21;
  const double turns[] = {0, 1e-9, 1e-3, 1, 3, M_PI};
  for (int t = 0; t < ST_LENGTH(turns); t++)
    for (int shape = 0; shape < ST_LENGTH(SHAPES); shape++) {
      StObstacleDesc desc = {.shape = {.name = SHAPES[shape], .value = {0.5, 0.8, 0.7}}};
      StObstacleNow now;
      StObstaclePath path;
      make_motion(&state, turns[t], 1, &desc);
      st_obstacle_path(&desc, 0, 1, &path);
      assert_close(path.angle, turns[t], 1e-7); // near half a turn its cosine has half the digits
      for (int end = 0; end < 2; end++) {
        double x[3], gradient[2][3];
        random_fill(&state, -3, 3, 3, x);
        st_obstacle_at(&desc, end, &now);
        double gap = st_obstacle_gap(&now, x, gradient[0]);
        assert_close(st_obstacle_path_gap(&path, end, x, gradient[1]), gap, 1e-7);
      }
      st_motion_free(&desc.motion);
    }
}

static void check_move(uint64_t *state, StObstacleDesc *desc, double way, int *cut) {
  StObstaclePath path;
  double from[3], to[3], x[3], gradient[3];
  st_obstacle_path(desc, 0, 1, &path);
  random_fill(state, -2, 2, 3, from);
  double gap = st_obstacle_path_gap(&path, 0, from, gradient);
  double wanted = exp(random_between(state, log(1e-8), 0));
  vec3_add_scaled(wanted - gap, gradient, from); // to this gap, or near it beside edges
  gap = st_obstacle_path_gap(&path, 0, from, gradient);
  for (int c = 0; c < 3; c++)
    to[c] = from[c] + way * random_between(state, -1, 1);
  double share = st_obstacle_path_advance(&path, from, to, 1);
  if (!(gap > 0)) {
    assert_true(share < 0);
    return;
  }
  assert_true(share > 0 && share <= 1);
  double rounding = 1e-14 * (1 + way), least = INFINITY;
  for (int i = 0; i <= 50; i++) {
    for (int c = 0; c < 3; c++)
      x[c] = from[c] + share * i / 50 * (to[c] - from[c]);
    least = st_obstacle_path_gap(&path, share * i / 50, x, gradient);
    assert_true(least >= 0.1 * gap - rounding);
  }
  *cut += share < 1;
  assert_true(share == 1 || least <= LEFT * gap + rounding);
}

static void test_random_moves(void **unused) {
  (void)unused;
  uint64_t state = 23;
  int cut = 0;
  for (int round = 0; round < 20000; round++) {
    StObstacleDesc desc = {
        .shape = {.name = SHAPES[round % ST_LENGTH(SHAPES)], .value = {0.5, 0.8, 0.7}}};
    double turn = round % 3 ? exp(random_between(&state, log(1e-6), log(3))) : 0;
    double way = exp(random_between(&state, log(1e-3), log(1e3)));
    make_motion(&state, turn, round % 2 ? 0.1 : 0, &desc);
    check_move(&state, &desc, way, &cut);
    st_motion_free(&desc.motion);
  }
  assert_true(cut > 5000);
}

static void test_many_points(void **unused) {
  (void)unused;
  StObstaclePath path = floor_path(0);
  const double from[9] = {0, 0, 3, 0, 0, 1, 0, 0, 2}, to[9] = {0, 0, -1, 0, 0, -1, 0, 0, 2};
  const int place[2] = {0, 2}, all[3] = {0, 1, 2};
  StAdvanceHit hit;
  assert_close(st_advance_obstacle(&path, 2, place, from, to, &hit), 0.9 * 3 / 4, 1e-15);
  assert_int_equal(hit.feature[0], 0);
  assert_close(st_advance_obstacle(&path, 3, all, from, to, &hit), 0.45, 1e-15);
  assert_true(hit.found && !hit.closed && hit.feature[0] == 1 && hit.feature[1] == -1);
  path.origin[2] = 2;
  assert_true(st_advance_obstacle(&path, 3, all, from, to, &hit) == 0 && hit.closed);
  assert_true(st_advance_obstacle(&path, 0, all, from, to, NULL) == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_floor),
      cmocka_unit_test(test_path_ends),
      cmocka_unit_test(test_random_moves),
      cmocka_unit_test(test_many_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
