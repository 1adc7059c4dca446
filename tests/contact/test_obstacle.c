// Obstacles: distances, gradients against differences and complex numbers, poses and velocities.
#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double SIZE[3] = {0.7, 1.1, 0.9};

// A slanted, moving obstacle of some shape; keys live in the caller's arrays.
typedef struct Moving {
  double time[2], shift[3][2], angle[2];
  StObstacleDesc desc;
} Moving;

static void moving_init(Moving *moving, const StObstacleType *type) {
  *moving = (Moving){.time = {0, 2}, .shift = {{0, 0.4}, {0, -0.6}, {0, 1}}, .angle = {0.2, 1.7}};
  StObstacleDesc *desc = &moving->desc;
  desc->shape.name = type->name;
  memcpy(desc->shape.value, SIZE, sizeof SIZE);
  const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  mat3_rotation(axis, 0.8, desc->rotation);
  vec3_set(0.3, -0.2, 0.5, desc->origin);
  desc->motion = (StMotion){.axis = {0.6, 0, 0.8}, .centre = {0.1, 0.2, 0.3}};
  desc->motion.angle = (StCurve){.key_count = 2, .time = moving->time, .value = moving->angle};
  for (int k = 0; k < 3; k++)
    desc->motion.translation[k] =
        (StCurve){.key_count = 2, .time = moving->time, .value = moving->shift[k]};
}

static void check_shape(const StObstacleType *type) {
  Moving moving;
  StObstacleNow now;
  uint64_t state = 17;
  moving_init(&moving, type);
  st_obstacle_at(&moving.desc, 1.3, &now);
  for (int k = 0; k < 200; k++) {
    double x[3], g[3], other[3];
    random_fill(&state, -2, 2, 3, x);
    double gap = st_obstacle_gap(&now, x, g);
    assert_true(fabs(vec3_length(g) - 1) < 1e-12);
    for (int i = 0; i < 3; i++) {
      const double h = 1e-6;
      double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
      up[i] += h, down[i] -= h;
      double slope =
          (st_obstacle_gap(&now, up, other) - st_obstacle_gap(&now, down, other)) / (2 * h);
      StDual z[3] = {s_dual(x[0], i == 0), s_dual(x[1], i == 1), s_dual(x[2], i == 2)}, dual[3];
      StDual moved = st_obstacle_gap_dual(&now, z, dual);
      assert_true(fabs(slope - g[i]) < 1e-5);
      assert_true(fabs(s_derivative(moved) - g[i]) < 1e-12);
      assert_true(fabs(creal(moved) - gap) < 1e-14);
    }
    // Walking back by the distance ends on the surface, seen from outside.
    double foot[3];
    for (int i = 0; i < 3; i++)
      foot[i] = x[i] - gap * g[i];
    if (gap > 0)
      assert_true(fabs(st_obstacle_gap(&now, foot, other)) < 1e-12);
  }
}

static void gradients_are_exact(void **state) {
  (void)state;
  for (int i = 0; st_obstacle_types[i]; i++)
    if (st_obstacle_types[i]->gap)
      check_shape(st_obstacle_types[i]);
}

// A point of the obstacle's surface keeps its distance, and moves with the velocity that is
// reported.
static void matter_moves_with_the_pose(void **state) {
  (void)state;
  Moving moving;
  moving_init(&moving, st_obstacle_find("box"));
  const double own[3] = {0.5, -0.4, 0.6}, h = 1e-6;
  double world[3][3], gap[3], g[3], velocity[3];
  for (int k = 0; k < 3; k++) {
    StObstacleNow now;
    st_obstacle_at(&moving.desc, 1.3 + (k - 1) * h, &now);
    mat3_apply(now.rotation, own, world[k]);
    vec3_add_scaled(1, now.origin, world[k]);
    gap[k] = st_obstacle_gap(&now, world[k], g);
    if (k == 1)
      st_obstacle_velocity(&now, world[1], velocity);
  }
  for (int i = 0; i < 3; i++)
    assert_true(fabs((world[2][i] - world[0][i]) / (2 * h) - velocity[i]) < 1e-8);
  assert_true(fabs(gap[0] - gap[2]) < 1e-14);
}

static void known_distances(void **state) {
  (void)state;
  const struct {
    const char *shape;
    double x[3], distance;
  } known[] = {
      {"half_space", {3, 4, -0.25}, -0.25},   {"sphere", {0, 0, 2}, 1.3},
      {"capsule", {0, 0, 2}, 2 - 0.55 - 0.7}, {"capsule", {1, 0, 0.5}, 0.3},
      {"cylinder", {1, 0, 0}, 0.3},           {"cylinder", {0, 0, 1}, 0.45},
      {"cylinder", {1, 0, 0.95}, 0.5},        {"box", {0, 0, 1}, 0.55},
      {"box", {0.65, 0.55, 0.85}, 0.5},       {"box", {0, 0, 0}, -0.35},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    StObstacleDesc desc = {.shape.name = known[i].shape, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    StObstacleNow now;
    double g[3];
    memcpy(desc.shape.value, SIZE, sizeof SIZE);
    st_obstacle_at(&desc, 0, &now);
    assert_true(fabs(st_obstacle_gap(&now, known[i].x, g) - known[i].distance) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_are_exact),
      cmocka_unit_test(matter_moves_with_the_pose),
      cmocka_unit_test(known_distances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
