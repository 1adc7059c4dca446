// Rayleigh damping: what it does to rigid motion, to mass and stiffness apart, and to energy.
#include "support/compare.h"
#include "support/force_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const SceneChoice stiffness_only = {.rotation_invariant_only = true,
                                           .stiffness_damping = 0.02};

static void *create(const StForceType *type, const ForceScene *scene) {
  void *data;
  bool present;
  assert_int_equal(
      st_force_create(type,
                      &(StForceSite){.description = &scene->description, .piece = scene->piece},
                      &data, &present, NULL),
      ST_OK);
  assert_true(present);
  return data;
}

static double *force_at(const StForceType *type, const ForceScene *scene, const void *data) {
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  StTrouble trouble;
  assert_non_null(force);
  assert_true(type->add(data, &at, force, &trouble));
  return force;
}

static void set_rigid_velocity(ForceScene *scene, const double linear[3], const double spin[3]) {
  for (int v = 0; v < scene->piece->vertex_count; v++) {
    vec3_cross(spin, scene->position + 3 * v, scene->velocity + 3 * v);
    vec3_add_scaled(1, linear, scene->velocity + 3 * v);
  }
}

static void stiffness_damping_is_balanced(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, stiffness_only));
  void *data = create(&st_force_damping, &scene);
  double *force = force_at(&st_force_damping, &scene, data), total[3] = {0};
  for (int v = 0; v < scene.piece->vertex_count; v++)
    vec3_add_scaled(1, force + 3 * v, total);
  assert_true(largest(3, total) < 1e-12 * largest(scene.numbers, force));
  free(force);
  set_rigid_velocity(&scene, (double[3]){1, 2, 3}, (double[3]){0});
  force = force_at(&st_force_damping, &scene, data);
  assert_true(largest(scene.numbers, force) < 1e-7); // of stiffness × β × speed ≈ 1e5 N
  free(force);
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

// The rate of strain is zero in rigid motion, whatever the stress.
static void rigid_motion_is_not_felt(void **unused) {
  (void)unused;
  ForceScene scene;
  const double spin[3] = {0.7, -1.1, 0.4};
  assert_true(scene_create(&scene, stiffness_only));
  set_rigid_velocity(&scene, (double[3]){-1, 4, 2}, spin);
  void *data = create(&st_force_damping, &scene), *solid = create(&st_force_solid, &scene);
  double *force = force_at(&st_force_damping, &scene, data);
  double *elastic = force_at(&st_force_solid, &scene, solid);
  // β ω f is what damping by the whole tangent stiffness would make of it.
  assert_true(largest(scene.numbers, force) < 1e-12 * 0.02 * largest(scene.numbers, elastic));
  free(force);
  free(elastic);
  st_force_damping.destroy(data);
  st_force_solid.destroy(solid);
  scene_destroy(&scene);
}

static void rotation_turns_the_force(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, stiffness_only));
  void *data = create(&st_force_damping, &scene);
  double *force = force_at(&st_force_damping, &scene, data);
  double *turned = ST_NEW(double, scene.numbers), R[9], moved[3];
  random_rotation(&(uint64_t){67}, R);
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    mat3_apply(R, scene.position + 3 * v, moved);
    vec3_copy(moved, scene.position + 3 * v);
    mat3_apply(R, scene.velocity + 3 * v, moved);
    vec3_copy(moved, scene.velocity + 3 * v);
    mat3_apply(R, force + 3 * v, turned + 3 * v);
  }
  free(force);
  force = force_at(&st_force_damping, &scene, data);
  assert_true(relative_error(scene.numbers, force, turned) < 1e-12);
  free(force);
  free(turned);
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

static void mass_damping_uses_each_elements_share(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){.mass_damping = 0.4}));
  void *data = create(&st_force_damping, &scene);
  double *force = force_at(&st_force_damping, &scene, data);
  double *expected = ST_NEW(double, scene.numbers);
  for (int t = 0; t < scene.piece->tet_count; t++) {
    const int *vertex = scene.piece->tet + 4 * t;
    const StMaterialDesc *material = &scene.material[scene.piece->tet_material[t]];
    double mass = material->density * st_tet_volume(scene.piece->rest, vertex) / 4;
    for (int a = 0; a < 4; a++)
      vec3_add_scaled(-material->mass_damping * mass, scene.velocity + 3 * vertex[a],
                      expected + 3 * vertex[a]);
  }
  for (int t = 0; t < scene.piece->triangle_count; t++) {
    const int *vertex = scene.piece->triangle + 3 * t;
    const StMaterialDesc *material = &scene.material[scene.piece->triangle_material[t]];
    double mass = material->density * st_triangle_area(scene.piece->rest, vertex) / 3;
    for (int a = 0; a < 3; a++)
      vec3_add_scaled(-material->mass_damping * mass, scene.velocity + 3 * vertex[a],
                      expected + 3 * vertex[a]);
  }
  const StBodyDesc *rigid = &scene.body[SCENE_BODIES - 1]; // a quarter at each carrier
  for (int v = scene.piece->vertex_count - 4; v < scene.piece->vertex_count; v++)
    vec3_add_scaled(-scene.material[rigid->material].mass_damping * rigid->rigid_mass / 4,
                    scene.velocity + 3 * v, expected + 3 * v);
  assert_true(relative_error(scene.numbers, force, expected) < 1e-14);
  free(force);
  free(expected);
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

// About rest the stiffness is positive: damping takes energy from every motion.
static void damping_takes_energy_at_rest_shape(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, (SceneChoice){.mass_damping = 0.1, .stiffness_damping = 0.01}));
  memcpy(scene.position, scene.piece->rest, sizeof(double) * (size_t)scene.numbers);
  void *data = create(&st_force_damping, &scene);
  uint64_t state = 71;
  for (int n = 0; n < 20; n++) {
    random_fill(&state, -1, 1, scene.numbers, scene.velocity);
    double *force = force_at(&st_force_damping, &scene, data), power = 0;
    for (int i = 0; i < scene.numbers; i++)
      power += force[i] * scene.velocity[i];
    assert_true(power < 0);
    free(force);
  }
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

// product += factor ∂f/∂q v, of an elastic force.
static void add_stiffness(const StForceType *type, ForceScene *scene, double factor,
                          double *product) {
  void *elastic = create(type, scene);
  StBlockMatrix *matrix = scene_matrix(scene, scene->piece);
  double *part = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  assert_true(matrix && part);
  assert_int_equal(type->bind(elastic, matrix, NULL), ST_OK);
  type->add_blocks(elastic, &at, factor, 0, matrix);
  st_block_matrix_multiply(matrix, scene->velocity, part);
  for (int i = 0; i < scene->numbers; i++)
    product[i] += part[i];
  free(part);
  st_block_matrix_destroy(matrix);
  type->destroy(elastic);
}

// At rest there is no stress: the force is −β K v with all of the stiffness, for one β.
static void unstressed_damping_is_by_stiffness(void **unused) {
  (void)unused;
  ForceScene scene;
  const StForceType *type[] = {&st_force_solid, &st_force_membrane, &st_force_bending};
  assert_true(scene_create(&scene, (SceneChoice){0}));
  for (int m = 0; m < scene.description.material_count; m++)
    scene.material[m].stiffness_damping = 0.03;
  memcpy(scene.position, scene.piece->rest, sizeof(double) * (size_t)scene.numbers);
  void *data = create(&st_force_damping, &scene);
  double *force = force_at(&st_force_damping, &scene, data);
  double *expected = ST_NEW(double, scene.numbers);
  for (int f = 0; f < ST_LENGTH(type); f++)
    add_stiffness(type[f], &scene, 0.03, expected);
  assert_true(relative_error(scene.numbers, force, expected) < 1e-12);
  free(force);
  free(expected);
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

// The shells of a scene have only stiffness damping.
static void *create_for_shells(ForceScene *scene, double damping) {
  assert_true(scene_create(scene, (SceneChoice){0}));
  for (int m = scene->solid_count; m < scene->description.material_count; m++)
    scene->material[m].stiffness_damping = damping;
  return create(&st_force_damping, scene);
}

// However crumpled a shell is, and its stiffness far from positive, damping takes energy.
static void damping_takes_energy_of_crumpled_shells(void **unused) {
  (void)unused;
  ForceScene scene;
  void *data = create_for_shells(&scene, 0.03);
  double *product = ST_NEW(double, scene.numbers);
  uint64_t state = 83;
  bool pumped = false; // whether all of the stiffness would have given energy
  for (int n = 0; n < 200; n++) {
    for (int i = 0; i < scene.numbers; i++)
      scene.position[i] = 0.5 * scene.piece->rest[i] + random_between(&state, -0.1, 0.1);
    random_fill(&state, -1, 1, scene.numbers, scene.velocity);
    memset(product, 0, sizeof(double) * (size_t)scene.numbers);
    add_stiffness(&st_force_membrane, &scene, 0.03, product);
    double *force = force_at(&st_force_damping, &scene, data), power = 0, full = 0;
    for (int i = 0; i < scene.numbers; i++) {
      power += force[i] * scene.velocity[i];
      full += product[i] * scene.velocity[i];
    }
    assert_true(power < 0);
    pumped |= full > 0;
    free(force);
  }
  assert_true(pumped);
  free(product);
  st_force_damping.destroy(data);
  scene_destroy(&scene);
}

static void absent_when_not_asked_for(void **unused) {
  (void)unused;
  ForceScene scene;
  void *data;
  bool present = true;
  assert_true(scene_create(&scene, (SceneChoice){0}));
  assert_int_equal(
      st_force_create(&st_force_damping,
                      &(StForceSite){.description = &scene.description, .piece = scene.piece},
                      &data, &present, NULL),
      ST_OK);
  assert_false(present);
  assert_null(data);
  scene_destroy(&scene);
}

// With every vertex at `scale` times its rest position, give or take the noise, and any velocity.
static void assert_takes_energy(ForceScene *scene, void *data, double scale, double noise,
                                int trials) {
  uint64_t seed = 5;
  for (int trial = 0; trial < trials; trial++) {
    double power = 0;
    for (int i = 0; i < scene->numbers; i++) {
      scene->position[i] = scale * scene->piece->rest[i] + random_between(&seed, -noise, noise);
      scene->velocity[i] = random_between(&seed, -1, 1);
    }
    double *force = force_at(&st_force_damping, scene, data);
    for (int i = 0; i < scene->numbers; i++)
      power += force[i] * scene->velocity[i];
    assert_true(power < 0);
    free(force);
  }
  st_force_damping.destroy(data);
  scene_destroy(scene);
}

// However far solids are from rest, inside out too, where their stiffness has any sign.
static void damping_takes_energy_of_crushed_solids(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, stiffness_only));
  assert_takes_energy(&scene, create(&st_force_damping, &scene), 0.3, 0.5, 20);
}

// Membranes stretched to many times their area, where ∂²W/∂g² itself is no longer positive.
static void damping_takes_energy_of_stretched_shells(void **unused) {
  (void)unused;
  ForceScene scene;
  void *data = create_for_shells(&scene, 0.03);
  assert_takes_energy(&scene, data, 4, 0.1, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiffness_damping_is_balanced),
      cmocka_unit_test(rigid_motion_is_not_felt),
      cmocka_unit_test(rotation_turns_the_force),
      cmocka_unit_test(mass_damping_uses_each_elements_share),
      cmocka_unit_test(damping_takes_energy_at_rest_shape),
      cmocka_unit_test(unstressed_damping_is_by_stiffness),
      cmocka_unit_test(damping_takes_energy_of_crumpled_shells),
      cmocka_unit_test(absent_when_not_asked_for),
      cmocka_unit_test(damping_takes_energy_of_crushed_solids),
      cmocka_unit_test(damping_takes_energy_of_stretched_shells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
