// The membrane: nothing at rest, rigid motion, stretches in closed form, plane stress, collapsed
// triangles, and the materials of shells.
#include "support/compare.h"
#include "support/random.h"
#include "support/shell_scene.h"

static const double YOUNG = 800, POISSON = 0.35;
static const double MU = 800 / (2 * 1.35), LAMBDA = 800 * 0.35 / (1 - 0.35 * 0.35);

static void rest_is_free(void **unused) {
  (void)unused;
  StMaterialDesc cloth = shell_cloth(YOUNG, POISSON, 0);
  StMesh *mesh[] = {shell_shape("sheet", NULL), shell_shape("sphere", "radius", 0.3, NULL)};
  for (int m = 0; m < 2; m++) {
    ShellScene scene;
    shell_scene_create(&scene, mesh[m], &cloth, NULL);
    void *data = shell_force_create(&scene, &st_force_membrane);
    double *force = shell_force(&scene, &st_force_membrane, data);
    assert_true(largest(scene.numbers, force) < 1e-13 * YOUNG * 0.05);
    assert_true(fabs(shell_energy(&scene, &st_force_membrane, data)) < 1e-13 * YOUNG);
    free(force);
    st_force_membrane.destroy(data);
    shell_scene_destroy(&scene);
  }
}

static void rigid_motion_turns_the_force(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(YOUNG, POISSON, 0);
  shell_scene_create(&scene, shell_shape("sphere", "radius", 0.3, NULL), &cloth, NULL);
  uint64_t state = 5;
  for (int i = 0; i < scene.numbers; i++)
    scene.position[i] = 1.2 * scene.position[i] + random_between(&state, -0.01, 0.01);
  void *data = shell_force_create(&scene, &st_force_membrane);
  double energy = shell_energy(&scene, &st_force_membrane, data), total[3] = {0};
  double *force = shell_force(&scene, &st_force_membrane, data);
  for (int v = 0; v < scene.piece->vertex_count; v++)
    vec3_add_scaled(1, force + 3 * v, total);
  assert_true(largest(3, total) < 1e-13 * scene.numbers * largest(scene.numbers, force));
  shell_move_rigidly(&scene, force);
  double *after = shell_force(&scene, &st_force_membrane, data);
  assert_true(relative_error(scene.numbers, after, force) < 1e-11);
  assert_true(fabs(shell_energy(&scene, &st_force_membrane, data) / energy - 1) < 1e-12);
  free(force);
  free(after);
  st_force_membrane.destroy(data);
  shell_scene_destroy(&scene);
}

static StMesh *one_triangle(void) {
  const double position[3][3] = {{0, 0, 0}, {0.4, 0.1, 0}, {-0.1, 0.3, 0}};
  return shell_mesh(3, position[0], 1, (int[3]){0, 1, 2});
}

// Stretched by a along x and b along y, the triangle has the energy A [μ/2 (a² + b² − 2) − μ ln ab
// + λ/2 ln²ab] and the tensions that are its slopes; corner forces are −A tension·gradient of the
// corner's share.
static void check_stretch(double a, double b) {
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(YOUNG, POISSON, 0);
  shell_scene_create(&scene, one_triangle(), &cloth, NULL);
  double *x = scene.position, area = st_triangle_area(x, (int[3]){0, 1, 2}), expected[9] = {0};
  double tension[2] = {MU * (a - 1 / a) + LAMBDA * log(a * b) / a,
                       MU * (b - 1 / b) + LAMBDA * log(a * b) / b};
  for (int v = 0; v < 3; v++) {
    const double *next = x + 3 * ((v + 1) % 3), *last = x + 3 * ((v + 2) % 3);
    double share[2] = {(next[1] - last[1]) / (2 * area), (last[0] - next[0]) / (2 * area)};
    for (int i = 0; i < 2; i++)
      expected[3 * v + i] = -area * tension[i] * share[i];
  }
  for (int v = 0; v < 3; v++)
    x[3 * v] *= a, x[3 * v + 1] *= b;
  shell_move_rigidly(&scene, expected);
  void *data = shell_force_create(&scene, &st_force_membrane);
  double *force = shell_force(&scene, &st_force_membrane, data), L = log(a * b);
  double energy = area * (MU / 2 * (a * a + b * b - 2) - MU * L + LAMBDA / 2 * L * L);
  assert_true(relative_error(9, force, expected) < 1e-12);
  assert_true(fabs(shell_energy(&scene, &st_force_membrane, data) - energy) < 1e-12 * energy);
  free(force);
  st_force_membrane.destroy(data);
  shell_scene_destroy(&scene);
}

static void stretches_have_closed_forms(void **unused) {
  (void)unused;
  check_stretch(1.3, 1);
  check_stretch(0.6, 1);
  check_stretch(1.4, 1.4);
  check_stretch(0.5, 2.5);
}

// Pulled by a little strain and free to shrink sideways by Poisson's ratio, a sheet of either law
// answers with E times thickness per width and with nothing sideways.
static void stiffness_is_that_of_plane_stress(void **unused) {
  (void)unused;
  const double strain = 1e-6;
  StMaterialDesc material[] = {
      shell_cloth(YOUNG, POISSON, 0),
      {.shell = true, .law = {"shell", {0.002, YOUNG / 0.002, POISSON, 0}}}};
  for (int m = 0; m < 2; m++) {
    ShellScene scene;
    const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    shell_scene_create(&scene, shell_mesh(3, corner[0], 1, (int[3]){0, 1, 2}), &material[m], NULL);
    scene.position[3] += strain;
    scene.position[7] -= POISSON * strain;
    void *data = shell_force_create(&scene, &st_force_membrane);
    double *force = shell_force(&scene, &st_force_membrane, data);
    assert_true(fabs(force[3] / (-0.5 * YOUNG * strain) - 1) < 1e-5);
    assert_true(fabs(force[7]) < 1e-5 * YOUNG * strain);
    free(force);
    st_force_membrane.destroy(data);
    shell_scene_destroy(&scene);
  }
}

static void collapsed_triangles_are_named(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(YOUNG, POISSON, 0);
  shell_scene_create(&scene, shell_shape("sheet", NULL), &cloth, NULL);
  void *data = shell_force_create(&scene, &st_force_membrane);
  double *force = ST_NEW(double, scene.numbers);
  StPoint at = shell_point(&scene);
  StTrouble trouble = {.vertex = -1};
  const int *corner = scene.body.mesh->triangle + 3 * 77;
  vec3_copy(scene.position + 3 * corner[2], scene.position + 3 * corner[1]);
  assert_false(st_force_membrane.add(data, &at, force, &trouble));
  assert_string_equal(trouble.force, "membrane");
  assert_string_equal(trouble.reason, "triangle collapsed");
  const int *named = scene.body.mesh->triangle + 3 * trouble.element;
  assert_true(st_triangle_area(scene.position, named) == 0);
  assert_int_equal(trouble.vertex, named[0]);
  assert_true(shell_energy(&scene, &st_force_membrane, data) == INFINITY);
  scene.position[3 * corner[1]] = NAN;
  assert_false(st_force_membrane.add(data, &at, force, &trouble));
  assert_string_equal(trouble.reason, "not a number");
  free(force);
  st_force_membrane.destroy(data);
  shell_scene_destroy(&scene);
}

static void rest_without_area_is_refused(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(YOUNG, POISSON, 1);
  const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
  const int triangle[2][3] = {{0, 1, 2}, {1, 0, 3}};
  shell_scene_create(&scene, shell_mesh(4, flat[0], 2, triangle[0]), &cloth, NULL);
  StForceSite site = {.description = &scene.description, .piece = scene.piece};
  void *data;
  bool present;
  StError error;
  assert_int_equal(st_force_create(&st_force_membrane, &site, &data, &present, &error),
                   ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "triangle 1 has no area at rest"));
  assert_int_equal(st_force_create(&st_force_bending, &site, &data, &present, &error),
                   ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "vertices 0 and 1"));
  shell_scene_destroy(&scene);
}

static void laws_of_shells_are_found(void **unused) {
  (void)unused;
  for (const StShellLaw *const *law = st_shell_laws; *law; law++) {
    assert_ptr_equal(st_shell_law_find((*law)->name), *law);
    assert_true(strlen((*law)->summary) > 20 && (*law)->param_count <= ST_PARAM_MAX);
  }
  assert_null(st_shell_law_find("neo_hookean"));
  StMaterialDesc wrong = {.name = "felt", .shell = true, .law = {.name = "neo_hookean"}};
  StMaterialDesc solid = {.law = {.name = "anything"}};
  StMaterialDesc material[] = {solid, wrong};
  StDescription description = {.material_count = 1, .material = material};
  StShellStiffness *stiffness;
  StError error;
  assert_int_equal(st_shell_materials_create(&description, &stiffness, &error), ST_OK);
  assert_true(stiffness[0].mu == 0 && stiffness[0].bending == 0);
  free(stiffness);
  description.material_count = 2;
  assert_int_equal(st_shell_materials_create(&description, &stiffness, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "material felt: there is no law neo_hookean for shells"));
}

static void a_sheets_thickness_gives_its_stiffness(void **unused) {
  (void)unused;
  const StShellLaw *law = st_shell_law_find("shell");
  double value[ST_PARAM_MAX];
  st_param_defaults(law->param, law->param_count, value);
  value[0] = 0.001, value[1] = 7e10, value[2] = 0.3;
  StShellStiffness stiffness;
  law->prepare(value, &stiffness);
  assert_true(fabs(stiffness.mu / (7e7 / 2.6) - 1) < 1e-14);
  assert_true(fabs(stiffness.lambda / (7e7 * 0.3 / 0.91) - 1) < 1e-14);
  assert_true(fabs(stiffness.bending / (7e10 * 1e-9 / (36 * 0.91)) - 1) < 1e-14);
  assert_true(fabs(law->area_density(value, 2700) - 2.7) < 1e-14);
  value[3] = 0;
  law->prepare(value, &stiffness);
  assert_true(stiffness.bending == 0);
  const StShellLaw *cloth = st_shell_law_find("membrane");
  const double given[] = {500, 0.2, 0.15, 1e-6};
  assert_true(cloth->area_density(given, 1000) == 0.15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_is_free),
      cmocka_unit_test(rigid_motion_turns_the_force),
      cmocka_unit_test(stretches_have_closed_forms),
      cmocka_unit_test(stiffness_is_that_of_plane_stress),
      cmocka_unit_test(collapsed_triangles_are_named),
      cmocka_unit_test(rest_without_area_is_refused),
      cmocka_unit_test(laws_of_shells_are_found),
      cmocka_unit_test(a_sheets_thickness_gives_its_stiffness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
