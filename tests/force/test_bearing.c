// Bearings: a rigid rim turns freely, its torque is exact, turns are counted and remembered.
#include "force/bearing.h"
#include "support/compare.h"
#include "support/force_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static const double axis[3] = {0.48, -0.6, 0.64}; // unit; the scene gives it any length

static void bearing_scene(ForceScene *scene) {
  assert_true(scene_create(scene, (SceneChoice){0}));
  for (int k = 0; k < 3; k++)
    scene->bearing[0].axis[k] = 2.5 * axis[k];
}

static void *create(const ForceScene *scene) {
  void *data;
  bool present;
  StForceSite site = {.description = &scene->description, .piece = scene->piece};
  assert_int_equal(st_force_create(&st_force_bearing, &site, &data, &present, NULL), ST_OK);
  assert_true(present);
  return data;
}

// The rest shape turned about the bearing's axis.
static void turn(ForceScene *scene, double angle) {
  const double *centre = scene->bearing[0].centre;
  double R[9], arm[3], turned[3];
  mat3_rotation(axis, angle, R);
  for (int v = 0; v < scene->piece->vertex_count; v++) {
    vec3_sub(scene->piece->rest + 3 * v, centre, arm);
    mat3_apply(R, arm, turned);
    for (int k = 0; k < 3; k++)
      scene->position[3 * v + k] = centre[k] + turned[k];
  }
}

static double *force_at(const ForceScene *scene, const void *data) {
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  StTrouble trouble;
  assert_non_null(force);
  assert_true(st_force_bearing.add(data, &at, force, &trouble));
  return force;
}

static void a_turned_rim_feels_nothing(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  scene.bearing[0].torque.key_count = 0;
  void *data = create(&scene);
  for (double angle = -3.1; angle < 7; angle += 0.7) {
    turn(&scene, angle);
    StPoint at = scene_point(&scene);
    double *force = force_at(&scene, data), stiffness = scene.bearing[0].stiffness;
    assert_true(largest(scene.numbers, force) < 1e-15 * stiffness);
    assert_true(st_force_bearing.energy(data, &at) < 1e-29 * stiffness);
    free(force);
  }
  st_force_bearing.destroy(data);
  scene_destroy(&scene);
}

// However the rim is bent, springs have no torque about the axis and the motor has all of its own.
static void torque_is_exact(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  void *data = create(&scene);
  double *force = force_at(&scene, data), sum = 0, scale = 0;
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    double arm[3], moment[3];
    vec3_sub(scene.position + 3 * v, scene.bearing[0].centre, arm);
    vec3_cross(arm, force + 3 * v, moment);
    sum += vec3_dot(axis, moment);
    scale += fabs(vec3_dot(axis, moment));
  }
  StPoint at = scene_point(&scene);
  double angle, speed, torque;
  st_bearing_read(data, &at, 0, &angle, &speed, &torque);
  assert_true(fabs(torque - (-4e3 + 0.7 * 7.4e4)) < 1e-10);
  assert_true(fabs(sum - torque) < 1e-14 * scale);
  free(force);
  st_force_bearing.destroy(data);
  scene_destroy(&scene);
}

static void turns_are_counted_and_remembered(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  void *data = create(&scene), *other = create(&scene);
  StPoint at = scene_point(&scene);
  double angle, speed, torque, turned = 0, memory = 0;
  assert_int_equal(st_bearing_count(data), 1);
  for (int step = 1; step <= 60; step++) {
    turned = step <= 20 ? 0.9 * step : 18 - 1.3 * (step - 20);
    turn(&scene, turned);
    st_bearing_read(data, &at, 0, &angle, &speed, &torque);
    assert_true(fabs(angle - turned) < 1e-13 * 40);
    assert_true(fabs(st_force_bearing.energy(data, &at) + torque * turned) < 1e-12 * torque * 40);
    st_force_bearing.commit(data, &at);
  }
  assert_true(turned < -33); // several turns back past where it began
  assert_int_equal(st_force_bearing.memory_count(data), 1);
  st_force_bearing.remember(data, &memory);
  st_force_bearing.recall(other, &memory);
  st_bearing_read(other, &at, 0, &angle, &speed, &torque);
  assert_true(fabs(angle - turned) < 1e-13 * 40);
  st_force_bearing.destroy(data);
  st_force_bearing.destroy(other);
  scene_destroy(&scene);
}

static void speed_is_the_rate_of_the_angle(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  void *data = create(&scene);
  StPoint at = scene_point(&scene);
  double angle, speed, torque, rate = 0, ignored;
  const double h = 1e-3;
  st_bearing_read(data, &at, 0, &angle, &speed, &torque);
  double *moved = ST_NEW(double, scene.numbers);
  for (int s = 0; s < DIFFERENCE_POINTS; s++) {
    for (int i = 0; i < scene.numbers; i++)
      moved[i] = scene.position[i] + h * difference_at[s] * scene.velocity[i];
    StPoint then = {.time = at.time, .position = moved, .velocity = scene.velocity};
    st_bearing_read(data, &then, 0, &angle, &ignored, &torque);
    rate += difference_weight[s] * angle / h;
  }
  assert_true(fabs(speed) > 0.01 && fabs(rate - speed) < 1e-10);
  turn(&scene, 1.2);
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    double arm[3];
    vec3_sub(scene.position + 3 * v, scene.bearing[0].centre, arm);
    vec3_cross(axis, arm, scene.velocity + 3 * v);
  }
  st_bearing_read(data, &at, 0, &angle, &speed, &torque);
  assert_true(fabs(speed - 1) < 1e-14 && fabs(angle - 1.2) < 1e-14);
  free(moved);
  st_force_bearing.destroy(data);
  scene_destroy(&scene);
}

// A rim moved as a whole along its axis stretches springs of the stiffness that was asked for, and
// vertices bear it by their masses.
static void stiffness_is_that_of_all_springs(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  scene.bearing[0].torque.key_count = 0;
  void *data = create(&scene);
  turn(&scene, -0.8);
  for (int i = 0; i < scene.numbers; i++)
    scene.position[i] += 0.01 * axis[i % 3];
  StPoint at = scene_point(&scene);
  double *force = force_at(&scene, data), sum[3] = {0}, mass = 0;
  const StBearingDesc *desc = &scene.bearing[0];
  for (int i = 0; i < desc->vertex_count; i++)
    mass += scene.piece->mass[desc->vertex[i]];
  for (int i = 0; i < desc->vertex_count; i++) {
    int v = desc->vertex[i];
    double share = scene.piece->mass[v] / mass;
    assert_true(fabs(vec3_dot(axis, force + 3 * v) + 3e5 * 0.01 * share) < 1e-9);
    vec3_add_scaled(1, force + 3 * v, sum);
  }
  for (int k = 0; k < 3; k++)
    assert_true(fabs(sum[k] + 3e5 * 0.01 * axis[k]) < 1e-9);
  assert_true(fabs(st_force_bearing.energy(data, &at) - 0.5 * 3e5 * 1e-4) < 1e-11);
  free(force);
  st_force_bearing.destroy(data);
  scene_destroy(&scene);
}

static void a_collapsed_rim_is_trouble(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  void *data = create(&scene);
  for (int v = 0; v < scene.piece->vertex_count; v++)
    vec3_copy(scene.bearing[0].centre, scene.position + 3 * v);
  StPoint at = scene_point(&scene);
  double *force = ST_NEW(double, scene.numbers);
  StTrouble trouble = {.vertex = -1};
  assert_false(st_force_bearing.add(data, &at, force, &trouble));
  assert_int_equal(trouble.vertex, scene.bearing[0].vertex[0]);
  assert_string_equal(trouble.force, "bearing");
  scene.position[3 * scene.bearing[0].vertex[1]] = NAN;
  assert_false(st_force_bearing.add(data, &at, force, &trouble));
  assert_string_equal(trouble.reason, "not a number");
  free(force);
  st_force_bearing.destroy(data);
  scene_destroy(&scene);
}

static void assert_refused(const ForceScene *scene, const char *message) {
  StForceSite site = {.description = &scene->description, .piece = scene->piece};
  StError error = {0};
  void *data;
  bool present;
  assert_int_equal(st_force_create(&st_force_bearing, &site, &data, &present, &error),
                   ST_BAD_INPUT);
  assert_null(data);
  assert_string_equal(error.text, message);
}

static void bad_bearings_are_refused(void **unused) {
  (void)unused;
  ForceScene scene;
  bearing_scene(&scene);
  StBearingDesc *desc = &scene.bearing[0], good = *desc;
  int corner[2] = {0, 12}; // (0, 0, 0) and a vertex above it, or none
  desc->stiffness = 0;
  assert_refused(&scene, "bearing (unnamed): the stiffness is 0 N/m; it must be positive");
  *desc = good;
  vec3_set(0, 0, 0, desc->axis);
  assert_refused(&scene, "bearing (unnamed): the axis (0, 0, 0) has no direction");
  *desc = good;
  desc->vertex_count = 0;
  assert_refused(&scene, "bearing (unnamed): it has no vertices");
  *desc = good;
  desc->vertex = corner, desc->vertex_count = 2;
  vec3_set(0, 0, 0, desc->centre);
  vec3_copy(scene.piece->rest + 3 * corner[1], desc->axis);
  assert_refused(&scene, "bearing (unnamed): its vertices lie on the axis, where nothing turns");
  corner[1] = 1000;
  char text[128];
  snprintf(text, sizeof text,
           "bearing (unnamed): it refers to vertex 1000, but there are %d vertices (counted from "
           "0)",
           scene.piece->vertex_count);
  assert_refused(&scene, text);
  scene_destroy(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turned_rim_feels_nothing),
      cmocka_unit_test(torque_is_exact),
      cmocka_unit_test(turns_are_counted_and_remembered),
      cmocka_unit_test(speed_is_the_rate_of_the_angle),
      cmocka_unit_test(stiffness_is_that_of_all_springs),
      cmocka_unit_test(a_collapsed_rim_is_trouble),
      cmocka_unit_test(bad_bearings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
