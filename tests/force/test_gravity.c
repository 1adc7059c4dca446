// Gravity and accelerations: weights, bodies, windows of time, and the list of forces itself.
#include "support/compare.h"
#include "support/force_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void add_at(const ForceScene *scene, double time, double *total) {
  void *data;
  bool present;
  assert_int_equal(
      st_force_create(&st_force_gravity,
                      &(StForceSite){.description = &scene->description, .piece = scene->piece},
                      &data, &present, NULL),
      ST_OK);
  assert_true(present);
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  at.time = time;
  assert_true(st_force_gravity.add(data, &at, force, NULL));
  memset(total, 0, 3 * SCENE_BODIES * sizeof(double));
  for (int v = 0; v < scene->piece->vertex_count; v++)
    vec3_add_scaled(1, force + 3 * v, total + 3 * scene->piece->body[v]);
  double energy = 0;
  for (int i = 0; i < scene->numbers; i++)
    energy -= force[i] * scene->position[i];
  assert_true(fabs(st_force_gravity.energy(data, &at) - energy) < 1e-12 * fabs(energy));
  free(force);
  st_force_gravity.destroy(data);
}

// Acceleration of the bodies: gravity, all bodies in [0, 1), the second body in [0.5, 2).
static void windows_and_bodies_are_kept(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  double mass[SCENE_BODIES] = {0};
  for (int v = 0; v < scene.piece->vertex_count; v++)
    mass[scene.piece->body[v]] += scene.piece->mass[v];
  const double time[] = {-0.1, 0, 0.4999, 0.5, 1, 1.9999, 2};
  const bool first[] = {false, true, true, true, false, false, false};
  const bool second[] = {false, false, false, true, true, true, false};
  for (int n = 0; n < 7; n++) {
    double total[3 * SCENE_BODIES], expected[3 * SCENE_BODIES];
    add_at(&scene, time[n], total);
    for (int b = 0; b < SCENE_BODIES; b++)
      for (int i = 0; i < 3; i++) {
        double acceleration = scene.description.gravity[i];
        acceleration += first[n] ? scene.acceleration[0].value[i] : 0;
        acceleration += second[n] && b == 1 ? scene.acceleration[1].value[i] : 0;
        expected[3 * b + i] = mass[b] * acceleration;
      }
    assert_true(relative_error(3 * SCENE_BODIES, total, expected) < 1e-13);
  }
  scene_destroy(&scene);
}

static void absent_when_nothing_acts(void **unused) {
  (void)unused;
  ForceScene scene;
  void *data;
  bool present = true;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  vec3_set(0, 0, 0, scene.description.gravity);
  scene.description.acceleration_count = 0;
  assert_int_equal(
      st_force_create(&st_force_gravity,
                      &(StForceSite){.description = &scene.description, .piece = scene.piece},
                      &data, &present, NULL),
      ST_OK);
  assert_false(present);
  scene_destroy(&scene);
}

static void forces_are_described(void **unused) {
  (void)unused;
  for (const StForceType *const *type = st_force_types; *type; type++) {
    assert_ptr_equal(st_force_type_find((*type)->name), *type);
    assert_true(strlen((*type)->summary) > 20);
    assert_true(!(*type)->size == !(*type)->build && !(*type)->size == !(*type)->destroy);
    assert_true((*type)->add);
    assert_true((*type)->add_blocks && (*type)->add_complex);
    assert_true(!(*type)->coupling_count == !(*type)->coupling);
    assert_true(!(*type)->commit == !(*type)->memory_count);
    assert_true(!(*type)->commit == !(*type)->remember && !(*type)->commit == !(*type)->recall);
  }
  assert_null(st_force_type_find("no such force"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(windows_and_bodies_are_kept),
      cmocka_unit_test(absent_when_nothing_acts),
      cmocka_unit_test(forces_are_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
