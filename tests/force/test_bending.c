// Bending: nothing at rest, rigid motion, one hinge in closed form, angles past a half turn, rolled
// sheets and the plates they stand for, collapsed triangles, pairs of materials.
#include "support/compare.h"
#include "support/plate.h"
#include "support/random.h"
#include "support/shell_scene.h"

#define PI 3.14159265358979323846

static const StForceType *const bending = &st_force_bending;

static void rest_is_free(void **unused) {
  (void)unused;
  StMaterialDesc cloth = shell_cloth(800, 0.3, 0.01);
  StMesh *mesh[] = {shell_shape("sheet", NULL), shell_shape("sphere", "radius", 0.3, NULL),
                    shell_hinge(0.2, 0.1, 2.8)};
  for (int m = 0; m < ST_LENGTH(mesh); m++) {
    ShellScene scene;
    shell_scene_create(&scene, mesh[m], &cloth, NULL);
    void *data = shell_force_create(&scene, bending);
    double *force = shell_force(&scene, bending, data);
    assert_true(largest(scene.numbers, force) == 0);
    assert_true(shell_energy(&scene, bending, data) == 0);
    free(force);
    shell_move_rigidly(&scene, NULL);
    force = shell_force(&scene, bending, data);
    assert_true(largest(scene.numbers, force) < 1e-11 * 0.01 / 0.05);
    free(force);
    bending->destroy(data);
    shell_scene_destroy(&scene);
  }
}

static void rigid_motion_turns_the_force(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(800, 0.3, 0.01);
  shell_scene_create(&scene, shell_shape("sphere", "radius", 0.3, NULL), &cloth, NULL);
  uint64_t state = 5;
  for (int i = 0; i < scene.numbers; i++)
    scene.position[i] += random_between(&state, -0.02, 0.02);
  void *data = shell_force_create(&scene, bending);
  double energy = shell_energy(&scene, bending, data), total[3] = {0}, torque[3] = {0}, moment[3];
  double *force = shell_force(&scene, bending, data);
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    vec3_add_scaled(1, force + 3 * v, total);
    vec3_cross(scene.position + 3 * v, force + 3 * v, moment);
    vec3_add_scaled(1, moment, torque);
  }
  double scale = scene.numbers * largest(scene.numbers, force);
  assert_true(energy > 0 && largest(3, total) < 1e-13 * scale &&
              largest(3, torque) < 1e-13 * scale);
  shell_move_rigidly(&scene, force);
  double *after = shell_force(&scene, bending, data);
  assert_true(relative_error(scene.numbers, after, force) < 1e-11);
  assert_true(fabs(shell_energy(&scene, bending, data) / energy - 1) < 1e-12);
  free(force);
  free(after);
  bending->destroy(data);
  shell_scene_destroy(&scene);
}

static const double LENGTH = 0.3, HEIGHT = 0.12, STIFFNESS = 0.7;

// ē/h̄ of the hinge below, both of whose triangles have the same height.
static double shape_factor(void) {
  return 3 * LENGTH / HEIGHT;
}

static void fold_to(ShellScene *scene, double angle) {
  StMesh *folded = shell_hinge(LENGTH, HEIGHT, angle);
  memcpy(scene->position, folded->position, sizeof(double) * 12);
  st_mesh_destroy(folded);
}

static void hinge_scene_create(ShellScene *scene, double rest_angle) {
  StMaterialDesc cloth = shell_cloth(800, 0.3, STIFFNESS);
  shell_scene_create(scene, shell_hinge(LENGTH, HEIGHT, rest_angle), &cloth, NULL);
}

// Energy ½ κ φ² and the force κ φ/h at the free corners, along their normals.
static void one_hinge_has_a_closed_form(void **unused) {
  (void)unused;
  const double rest[] = {0, 0.5, -1.2, 3}, turn[] = {0.1, -0.3, 1.9, -2.5, 1e-4};
  for (int r = 0; r < ST_LENGTH(rest); r++) {
    ShellScene scene;
    hinge_scene_create(&scene, rest[r]);
    void *data = shell_force_create(&scene, bending);
    for (int t = 0; t < ST_LENGTH(turn); t++) {
      double angle = rest[r] + turn[t], moment = STIFFNESS * shape_factor() * turn[t];
      fold_to(&scene, angle);
      double energy = shell_energy(&scene, bending, data);
      assert_true(fabs(energy / (0.5 * moment * turn[t]) - 1) < 1e-11);
      double *force = shell_force(&scene, bending, data);
      const double expected[6] = {
          0, 0, moment / HEIGHT, 0, -sin(angle) * moment / HEIGHT, cos(angle) * moment / HEIGHT};
      assert_true(relative_error(6, force + 6, expected) < 1e-11);
      free(force);
    }
    bending->destroy(data);
    shell_scene_destroy(&scene);
  }
}

// Three turns in small steps and back again: the energy goes on as if the wing had a spring.
static void angles_go_on_past_a_half_turn(void **unused) {
  (void)unused;
  ShellScene scene;
  hinge_scene_create(&scene, 0.4);
  void *data = shell_force_create(&scene, bending), *twin = shell_force_create(&scene, bending);
  StPoint at = shell_point(&scene);
  double stiffness = STIFFNESS * shape_factor(), memory[1] = {0};
  assert_int_equal(bending->memory_count(data), 1);
  for (int step = 0; step <= 200; step++) {
    double angle = 0.4 + (step <= 150 ? 0.125 * step : 0.125 * (300 - step));
    fold_to(&scene, angle);
    double energy = 0.5 * stiffness * (angle - 0.4) * (angle - 0.4);
    assert_true(fabs(shell_energy(&scene, bending, data) - energy) < 1e-12 * (1 + energy));
    bending->commit(data, &at);
  }
  bending->remember(data, memory);
  assert_true(fabs(memory[0] - (0.4 + 12.5)) < 1e-12);
  assert_true(shell_energy(&scene, bending, twin) < 0.5 * stiffness * PI * PI);
  bending->recall(twin, memory);
  assert_true(shell_energy(&scene, bending, twin) == shell_energy(&scene, bending, data));
  bending->destroy(data);
  bending->destroy(twin);
  shell_scene_destroy(&scene);
}

// Rolled about y onto an exact cylinder, without stretch: x becomes the arc's length.
static void roll(ShellScene *scene, double radius, double direction) {
  double c = cos(direction), s = sin(direction);
  for (int v = 0; v < scene->piece->vertex_count; v++) {
    const double *rest = scene->piece->rest + 3 * v;
    double arc = c * rest[0] + s * rest[1], axis = c * rest[1] - s * rest[0];
    double x = radius * sin(arc / radius);
    vec3_set(c * x - s * axis, s * x + c * axis, radius * (cos(arc / radius) - 1),
             scene->position + 3 * v);
  }
}

static double rolled_energy(StMesh *mesh, double radius, double direction) {
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(800, 0.3, STIFFNESS);
  shell_scene_create(&scene, mesh, &cloth, NULL);
  void *data = shell_force_create(&scene, bending);
  roll(&scene, radius, direction);
  double energy = shell_energy(&scene, bending, data);
  bending->destroy(data);
  shell_scene_destroy(&scene);
  return energy;
}

// A sheet of squares cut in two is a plate with D = 3 k, rolled along its cells; its last half
// cells have nothing to bend against, so that N cells store (N − 1)/N of what a plate does.
static void rolled_sheets_are_plates(void **unused) {
  (void)unused;
  const double area = 1 * 0.1, radius = 0.25;
  for (int pattern = 0; pattern < 2; pattern++) {
    double last = 0;
    for (int cells = 100; cells <= 200; cells += 50) {
      double energy[2];
      for (int i = 0; i < 2; i++) {
        StMesh *mesh = shell_shape("sheet", "width", 1.0, "length", 0.1, "cells_x", (double)cells,
                                   "cells_y", cells / 10.0, "pattern", (double)pattern, NULL);
        energy[i] = rolled_energy(mesh, radius * (1 + i), 0);
      }
      double plate = 0.5 * 3 * STIFFNESS / (radius * radius) * area;
      assert_true(fabs(energy[0] / energy[1] - 4) < 1e-9);
      assert_true(fabs(energy[0] / (plate * (cells - 1) / cells) - 1) < 1e-9);
      assert_true(fabs(energy[0] / plate - 1) <= 0.0101);
      assert_true(last == 0 || fabs(energy[0] / last - 1) < 0.01);
      last = energy[0];
    }
  }
}

// Rolled in steps of 45° from x on: D over k of the patterns "alternating" and "uniform", the
// latter with all its diagonals along the second of these directions. By the formula for each
// hinge, and by the energy, in which a hinge counts for its own part of the area.
static void plates_of_sheets_have_directions(void **unused) {
  (void)unused;
  const double expected[2][4] = {{3, 4.5, 3, 4.5}, {3, 9, 3, 3}};
  const int cells = 90;
  const double hinges = 3.0 * cells * cells - 2 * cells, area = hinges / (3.0 * cells * cells);
  for (int pattern = 0; pattern < 2; pattern++)
    for (int n = 0; n < 4; n++) {
      double direction = n * PI / 4, along[3] = {cos(direction), sin(direction), 0}, ratio = 0;
      StMesh *mesh = shell_shape("sheet", "cells_x", (double)cells, "cells_y", (double)cells,
                                 "pattern", (double)pattern, NULL);
      assert_int_equal(plate_ratio(mesh, along, &ratio, NULL), ST_OK);
      assert_true(fabs(ratio / expected[pattern][n] - 1) < 0.01);
      double energy = rolled_energy(mesh, 50, direction);
      assert_true(fabs(energy / (0.5 * ratio * STIFFNESS / 2500 * area) - 1) < 1e-4);
    }
}

// Rows of equilateral triangles.
static StMesh *equilateral_mesh(int rows, double edge) {
  StMesh *mesh = st_mesh_create((rows + 1) * (rows + 1), 0, 2 * rows * rows);
  assert_non_null(mesh);
  for (int j = 0; j <= rows; j++)
    for (int i = 0; i <= rows; i++)
      vec3_set(edge * (i + 0.5 * j - 0.75 * rows), edge * sqrt(0.75) * (j - 0.5 * rows), 0,
               mesh->position + 3 * (j * (rows + 1) + i));
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < rows; i++) {
      int a = j * (rows + 1) + i, b = a + 1, c = a + rows + 1, d = c + 1;
      const int corner[6] = {a, b, c, b, d, c};
      memcpy(mesh->triangle + 6 * (j * rows + i), corner, sizeof corner);
    }
  for (int t = 0; t < mesh->triangle_count; t++)
    mesh->triangle_label[t] = -1;
  return mesh;
}

// D = 3 k in every direction.
static void equilateral_plates_have_no_direction(void **unused) {
  (void)unused;
  const int rows = 80;
  const double edge = 0.01, part = sqrt(0.75) * edge * edge / 3; // area of a hinge
  double hinges = 3.0 * rows * rows - 2 * rows;
  for (int n = 0; n < 5; n++) {
    double direction = 0.3 * n, along[3] = {cos(direction), sin(direction), 0}, ratio = 0;
    StMesh *mesh = equilateral_mesh(rows, edge);
    assert_int_equal(plate_ratio(mesh, NULL, &ratio, NULL), ST_OK);
    assert_true(fabs(ratio - 3) < 1e-10);
    assert_int_equal(plate_ratio(mesh, along, &ratio, NULL), ST_OK);
    assert_true(fabs(ratio / 3 - 1) < 0.01);
    double energy = rolled_energy(mesh, 2, direction);
    assert_true(fabs(energy / (0.5 * 3 * STIFFNESS / 4 * hinges * part) - 1) < 0.01);
  }
}

// Bent both ways at once, the energy per area is ½ k (3κ₁² + 3κ₂² − 2κ₁κ₂): Poisson's ratio −1/3.
static void bowls_and_saddles_see_a_poisson_ratio(void **unused) {
  (void)unused;
  const double curvature[3][2] = {{0.01, 0.01}, {0.01, -0.01}, {0.01, 0.003}};
  const int rows = 80;
  const double edge = 0.01, part = sqrt(0.75) * edge * edge / 3; // area of a hinge
  for (int n = 0; n < 3; n++) {
    double a = curvature[n][0], b = curvature[n][1];
    ShellScene scene;
    StMaterialDesc cloth = shell_cloth(800, 0.3, STIFFNESS);
    shell_scene_create(&scene, equilateral_mesh(rows, edge), &cloth, NULL);
    void *data = shell_force_create(&scene, bending);
    for (int v = 0; v < scene.piece->vertex_count; v++) {
      double *x = scene.position + 3 * v;
      x[2] = 0.5 * (a * x[0] * x[0] + b * x[1] * x[1]);
    }
    double per_area = 0.5 * STIFFNESS * (3 * a * a + 3 * b * b - 2 * a * b);
    double area = (3.0 * rows * rows - 2 * rows) * part;
    assert_true(fabs(shell_energy(&scene, bending, data) / (per_area * area) - 1) < 0.005);
    bending->destroy(data);
    shell_scene_destroy(&scene);
  }
}

// Over all directions squares with alternating diagonals have the mean 3 (1 + 1/4), flat or curved.
static void plates_of_curved_meshes(void **unused) {
  (void)unused;
  const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double expected[] = {3.75, 3.75, 0};
  StMesh *mesh[] = {shell_shape("sheet", "edge", 0.01, NULL),
                    shell_shape("tube", "edge", 0.01, NULL),
                    shell_mesh(3, corner[0], 1, (int[3]){0, 1, 2})};
  for (int m = 0; m < ST_LENGTH(mesh); m++) {
    double ratio = 0;
    assert_int_equal(plate_ratio(mesh[m], NULL, &ratio, NULL), ST_OK);
    assert_true(fabs(ratio - expected[m]) < 0.01 * 3.75);
    st_mesh_destroy(mesh[m]);
  }
}

static void collapsed_triangles_are_named(void **unused) {
  (void)unused;
  ShellScene scene;
  hinge_scene_create(&scene, 0.2);
  void *data = shell_force_create(&scene, bending);
  double force[12];
  StPoint at = shell_point(&scene);
  StTrouble trouble = {.vertex = -1};
  vec3_set(LENGTH / 2, 0, 0, scene.position + 3 * 3); // the second triangle is a line
  assert_false(bending->add(data, &at, force, &trouble));
  assert_string_equal(trouble.force, "bending");
  assert_string_equal(trouble.reason, "triangle collapsed");
  assert_int_equal(trouble.vertex, 0);
  assert_int_equal(trouble.element, -1);
  assert_true(bending->energy(data, &at) == INFINITY);
  fold_to(&scene, 0.2);
  vec3_copy(scene.position, scene.position + 3); // the edge has no length
  assert_false(bending->add(data, &at, force, &trouble));
  assert_string_equal(trouble.reason, "triangle collapsed");
  scene.position[4] = INFINITY;
  assert_false(bending->add(data, &at, force, &trouble));
  assert_string_equal(trouble.reason, "not a number");
  bending->destroy(data);
  shell_scene_destroy(&scene);
}

// Energy of a hinge between two materials, folded by 1 rad, over ½ ē/h̄.
static double pair_stiffness(double one, double other) {
  ShellScene scene;
  StMaterialDesc first = shell_cloth(800, 0.3, one), second = shell_cloth(800, 0.3, other);
  StMesh *mesh = shell_hinge(LENGTH, HEIGHT, 0);
  mesh->triangle_label[1] = st_mesh_label(mesh, "other");
  shell_scene_create(&scene, mesh, &first, &second);
  void *data = shell_force_create(&scene, bending);
  fold_to(&scene, 1);
  double energy = shell_energy(&scene, bending, data);
  bending->destroy(data);
  shell_scene_destroy(&scene);
  return energy / (0.5 * shape_factor());
}

static void two_materials_bend_in_series(void **unused) {
  (void)unused;
  assert_true(fabs(pair_stiffness(0.3, 0.3) - 0.3) < 1e-12);
  assert_true(fabs(pair_stiffness(0.1, 0.4) - 0.16) < 1e-12);
  assert_true(pair_stiffness(0.1, 0) == 0);
}

static void absent_when_nothing_bends(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc limp = shell_cloth(800, 0.3, 0);
  shell_scene_create(&scene, shell_shape("sheet", NULL), &limp, NULL);
  StForceSite site = {.description = &scene.description, .piece = scene.piece};
  void *data;
  bool present = true;
  assert_int_equal(st_force_create(bending, &site, &data, &present, NULL), ST_OK);
  assert_false(present);
  assert_null(data);
  shell_scene_destroy(&scene);
}

// A sheet with each triangle twice, once turned over: a triangle and its own back make no hinge.
static void a_doubled_sheet_bends(void **unused) {
  (void)unused;
  ShellScene scene;
  StMaterialDesc cloth = shell_cloth(800, 0.3, STIFFNESS);
  const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
  const int triangle[4][3] = {{0, 1, 2}, {1, 0, 2}, {1, 0, 3}, {0, 1, 3}};
  shell_scene_create(&scene, shell_mesh(4, corner[0], 4, triangle[0]), &cloth, NULL);
  assert_true(scene.piece->hinge_count >= 6);
  void *data = shell_force_create(&scene, bending);
  assert_int_equal(bending->memory_count(data), scene.piece->hinge_count);
  assert_true(shell_energy(&scene, bending, data) == 0);
  scene.position[8] = 0.3;                                         // one wing up, by atan 0.3
  double energy = 4 * 0.5 * STIFFNESS * 3 * atan(0.3) * atan(0.3); // of four hinges across
  assert_true(fabs(shell_energy(&scene, bending, data) / energy - 1) < 1e-12);
  bending->destroy(data);
  shell_scene_destroy(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_is_free),
      cmocka_unit_test(rigid_motion_turns_the_force),
      cmocka_unit_test(one_hinge_has_a_closed_form),
      cmocka_unit_test(angles_go_on_past_a_half_turn),
      cmocka_unit_test(rolled_sheets_are_plates),
      cmocka_unit_test(plates_of_sheets_have_directions),
      cmocka_unit_test(equilateral_plates_have_no_direction),
      cmocka_unit_test(bowls_and_saddles_see_a_poisson_ratio),
      cmocka_unit_test(plates_of_curved_meshes),
      cmocka_unit_test(collapsed_triangles_are_named),
      cmocka_unit_test(two_materials_bend_in_series),
      cmocka_unit_test(absent_when_nothing_bends),
      cmocka_unit_test(a_doubled_sheet_bends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
