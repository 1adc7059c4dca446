// The elastic force: invariant to rigid motion, balanced, reports inverted elements; its stresses
// and volumes.
#include "force/solid.h"
#include "support/compare.h"
#include "support/force_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const SceneChoice invariant = {.rotation_invariant_only = true};

static void *solid_create(const ForceScene *scene) {
  void *data;
  bool present;
  assert_int_equal(
      st_force_create(&st_force_solid,
                      &(StForceSite){.description = &scene->description, .piece = scene->piece},
                      &data, &present, NULL),
      ST_OK);
  assert_true(present);
  return data;
}

static double *force_at(const ForceScene *scene, const void *data) {
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  StTrouble trouble;
  assert_non_null(force);
  assert_true(st_force_solid.add(data, &at, force, &trouble));
  return force;
}

static void check_balance(SceneChoice choice) {
  ForceScene scene;
  assert_true(scene_create(&scene, choice));
  void *data = solid_create(&scene);
  double *force = force_at(&scene, data);
  double total[3] = {0}, torque[3] = {0}, moment[3];
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    vec3_add_scaled(1, force + 3 * v, total);
    vec3_cross(scene.position + 3 * v, force + 3 * v, moment);
    vec3_add_scaled(1, moment, torque);
  }
  double scale = largest(scene.numbers, force);
  assert_true(scale > 0);
  assert_true(largest(3, total) < 1e-13 * scale);
  assert_true(largest(3, torque) < 1e-12 * scale);
  free(force);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

static void total_force_and_torque_vanish(void **unused) {
  (void)unused;
  check_balance(invariant);
  check_balance((SceneChoice){.rotation_invariant_only = true, .second_order = true});
}

static void rigid_motion_turns_the_force(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, invariant));
  void *data = solid_create(&scene);
  StPoint at = scene_point(&scene);
  double before = st_force_solid.energy(data, &at);
  double *force = force_at(&scene, data), *turned = ST_NEW(double, scene.numbers);
  assert_non_null(turned);
  double R[9];
  random_rotation(&(uint64_t){61}, R);
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    double moved[3];
    mat3_apply(R, scene.position + 3 * v, moved);
    vec3_add_scaled(1, (double[3]){3, -2, 1}, moved);
    vec3_copy(moved, scene.position + 3 * v);
    mat3_apply(R, force + 3 * v, turned + 3 * v);
  }
  double *after = force_at(&scene, data);
  assert_true(fabs(st_force_solid.energy(data, &at) / before - 1) < 1e-12);
  assert_true(relative_error(scene.numbers, after, turned) < 1e-12);
  free(force);
  free(turned);
  free(after);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

static void rest_has_no_force_and_no_energy(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  memcpy(scene.position, scene.piece->rest, sizeof(double) * (size_t)scene.numbers);
  void *data = solid_create(&scene);
  double *force = force_at(&scene, data);
  StPoint at = scene_point(&scene);
  assert_true(largest(scene.numbers, force) < 1e-8); // of moduli of some 1e6 Pa
  assert_true(fabs(st_force_solid.energy(data, &at)) < 1e-8);
  free(force);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

// Turns an element inside out by moving its first corner through the opposite face.
static void invert(ForceScene *scene, int tet) {
  const int *vertex = scene->piece->tet + 4 * tet;
  memcpy(scene->position, scene->piece->rest, sizeof(double) * (size_t)scene->numbers);
  double *corner = scene->position + 3 * vertex[0], middle[3] = {0};
  for (int i = 1; i < 4; i++)
    vec3_add_scaled(1.0 / 3, scene->position + 3 * vertex[i], middle);
  for (int i = 0; i < 3; i++)
    corner[i] += 1.2 * (middle[i] - corner[i]);
}

static bool has_barrier(const ForceScene *scene, int tet) {
  int material = scene->piece->tet_material[tet];
  return st_material_law_find(scene->material[material].law.name)->barrier;
}

// The trouble's element is one that is inverted and contains the vertex it names. How many were
// met.
static int name_inverted(ForceScene *scene) {
  void *data = solid_create(scene);
  StPoint at = scene_point(scene);
  double *force = ST_NEW(double, scene->numbers);
  int met = 0;
  for (int t = 0; t < scene->piece->tet_count; t++) {
    StTrouble trouble = {.vertex = -1};
    invert(scene, t);
    bool held = st_force_solid.add(data, &at, force, &trouble);
    double energy = st_force_solid.energy(data, &at);
    assert_int_equal(held, isfinite(energy));
    if (held)
      continue;
    met++;
    assert_true(energy == INFINITY);
    assert_string_equal(trouble.force, "solid");
    assert_string_equal(trouble.reason,
                        has_barrier(scene, trouble.element)
                            ? "element inverted"
                            : "element inverted, and its material does not allow that "
                              "(\"inversion\")");
    const int *vertex = scene->piece->tet + 4 * trouble.element;
    assert_true(st_tet_volume(scene->position, vertex) < 0);
    assert_true(vertex[0] == trouble.vertex);
  }
  free(force);
  st_force_solid.destroy(data);
  return met;
}

static void inverted_elements_are_named(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  assert_int_equal(name_inverted(&scene), scene.piece->tet_count);
  scene_destroy(&scene);
}

// If a material allows it and its law is finite: then only neighbours may object.
static void inversion_is_allowed_by_word(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  for (int i = 0; i < scene.description.material_count; i++)
    scene.material[i].may_invert = true;
  int barriers = 0, met = name_inverted(&scene);
  for (int t = 0; t < scene.piece->tet_count; t++)
    barriers += has_barrier(&scene, t);
  assert_true(met >= barriers && met < scene.piece->tet_count);
  scene_destroy(&scene);
}

// Both ends are valid, but the path between them is not.
static void ways_through_a_tet_are_cut(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  void *data = solid_create(&scene);
  double *to = ST_NEW(double, scene.numbers);
  const double *from = scene.piece->rest;
  for (int i = 0; i < scene.numbers; i++) // half a turn about z
    to[i] = i % 3 == 2 ? from[i] : -from[i];
  double part = st_force_solid.limit(data, from, to); // det F = (1 - 2t)²
  assert_true(fabs(part - 0.5 * (1 - sqrt(0.1))) < 1e-8);
  for (int i = 0; i < scene.numbers; i++)
    to[i] = 0.5 * from[i];
  assert_true(st_force_solid.limit(data, from, to) == 1);
  free(to);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

static void numbers_gone_wrong_are_named(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  void *data = solid_create(&scene);
  double *force = ST_NEW(double, scene.numbers);
  StPoint at = scene_point(&scene);
  StTrouble trouble = {.vertex = -1};
  scene.position[3 * 7 + 1] = NAN;
  assert_false(st_force_solid.add(data, &at, force, &trouble));
  assert_string_equal(trouble.reason, "not a number");
  bool has_vertex = false;
  for (int i = 0; i < 4; i++)
    has_vertex |= scene.piece->tet[4 * trouble.element + i] == 7;
  assert_true(has_vertex);
  assert_true(st_force_solid.energy(data, &at) == INFINITY);
  free(force);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

// A homogeneous deformation F: Cauchy stress of the law at F in all elements, volume × det F.
static void homogeneous_stress_is_right(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  const double F[9] = {1.2, 0.1, 0, -0.2, 0.9, 0.05, 0.1, 0, 1.1};
  double rest_volume = 0;
  for (int v = 0; v < scene.piece->vertex_count; v++)
    mat3_apply(F, scene.piece->rest + 3 * v, scene.position + 3 * v);
  for (int t = 0; t < scene.piece->tet_count; t++)
    rest_volume += st_tet_volume(scene.piece->rest, scene.piece->tet + 4 * t);
  void *data = solid_create(&scene);
  StPoint at = scene_point(&scene);
  double *stress = ST_NEW(double, 6 * scene.piece->tet_count), J = mat3_determinant(F);
  st_solid_stress(data, &at, stress);
  int inverted;
  assert_true(fabs(st_solid_volume(data, &at, &inverted) / (rest_volume * J) - 1) < 1e-13);
  assert_int_equal(inverted, 0);
  for (int t = 0; t < scene.piece->tet_count; t++) {
    const StChoice *choice = &scene.material[scene.piece->tet_material[t]].law;
    const StMaterialLaw *law = st_material_law_find(choice->name);
    double k[ST_LAW_CONSTANTS], P[9], expected[6];
    law->prepare(choice->value, k);
    law->stress(k, F, P);
    for (int e = 0; e < 6; e++) {
      int i = e < 3 ? e : e - 3, j = e < 3 ? e : (e - 2) % 3;
      // From the other side than the code (σ is symmetric): rows of F with rows of P.
      expected[e] = law->rotation_invariant ? vec3_dot(F + 3 * i, P + 3 * j) / J : P[3 * i + j];
    }
    assert_true(relative_error(6, stress + 6 * t, expected) < 1e-12);
  }
  free(stress);
  st_force_solid.destroy(data);
  scene_destroy(&scene);
}

static void wrong_descriptions_are_refused(void **unused) {
  (void)unused;
  ForceScene scene;
  StError error;
  void *data;
  bool present;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  scene.material[1].name = "rubber";
  scene.material[1].law.name = "jelly";
  assert_int_equal(
      st_force_create(&st_force_solid,
                      &(StForceSite){.description = &scene.description, .piece = scene.piece},
                      &data, &present, &error),
      ST_BAD_INPUT);
  assert_string_equal(error.text, "material rubber: there is no law jelly");
  assert_null(data);
  scene.material[1].law.name = "neo_hookean";
  scene.material[1].law.value[1] = 0.5;
  assert_int_equal(
      st_force_create(&st_force_solid,
                      &(StForceSite){.description = &scene.description, .piece = scene.piece},
                      &data, &present, &error),
      ST_BAD_INPUT);
  assert_string_equal(error.text, "material rubber: parameters of neo_hookean are out of range");
  scene.material[1].law.value[1] = 0.3;
  vec3_copy(scene.piece->rest, scene.piece->rest + 3 * scene.piece->tet[1]);
  assert_int_equal(
      st_force_create(&st_force_solid,
                      &(StForceSite){.description = &scene.description, .piece = scene.piece},
                      &data, &present, &error),
      ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "element 0 has no positive volume at rest"));
  scene_destroy(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(total_force_and_torque_vanish),
      cmocka_unit_test(rigid_motion_turns_the_force),
      cmocka_unit_test(rest_has_no_force_and_no_energy),
      cmocka_unit_test(inverted_elements_are_named),
      cmocka_unit_test(inversion_is_allowed_by_word),
      cmocka_unit_test(ways_through_a_tet_are_cut),
      cmocka_unit_test(numbers_gone_wrong_are_named),
      cmocka_unit_test(homogeneous_stress_is_right),
      cmocka_unit_test(wrong_descriptions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
