// Balls, bowls, cylinders, tubes, capsules, tori: exact on the surface, labelled, symmetric.
#include "support/shape_probe.h"

static double away_from_axis(const double *x) {
  return hypot(x[0], x[1]);
}

static void test_sphere_vertices_on_surface(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"edge", 0.06}};
  StMesh *mesh = make("sphere", setting, 2, ST_SHAPE_SOLID);
  int on_surface = 0;
  for (int v = 0; v < mesh->vertex_count; v++) {
    double radius = vec3_length(mesh->position + 3 * v);
    assert_true(radius < 0.3 + 1e-15);
    if (tagged(mesh, v, "surface")) {
      assert_near(radius, 0.3, 2e-16);
      on_surface++;
    } else {
      assert_true(radius < 0.3 - 1e-3);
    }
  }
  StMesh *surface = make("sphere", setting, 2, ST_SHAPE_SURFACE);
  assert_int_equal(on_surface, surface->vertex_count);
  assert_int_equal(on_surface, surface->tag_count);
  st_mesh_destroy(mesh);
  st_mesh_destroy(surface);
}

static void test_hollow_ball_vertices_on_surface(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.02}, {"layers", 3}, {"cells", 6}};
  StMesh *mesh = make("hollow_ball", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 6 * 36 * 3 * 5);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double radius = vec3_length(mesh->position + 3 * v);
    if (tagged(mesh, v, "inside"))
      assert_near(radius, 0.28, 2e-16);
    else if (tagged(mesh, v, "outside"))
      assert_near(radius, 0.3, 2e-16);
    else
      assert_true(radius > 0.286 && radius < 0.294);
  }
  st_mesh_destroy(mesh);
}

static double tet_radius(const StMesh *mesh, int tet) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += vec3_length(mesh->position + 3 * mesh->tet[4 * tet + i]) / 4;
  return sum;
}

static void test_hollow_ball_coat(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.05}, {"layers", 2},
                             {"cells", 6},    {"coat", 0.01},      {"coat_layers", 3}};
  StMesh *mesh = make("hollow_ball", setting, 6, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 6 * 36 * 5 * 5);
  int core = st_mesh_find_label(mesh, "core"), coat = st_mesh_find_label(mesh, "coat"), inner = 0;
  assert_true(core >= 0 && coat >= 0);
  for (int t = 0; t < mesh->tet_count; t++) {
    assert_int_equal(mesh->tet_label[t], tet_radius(mesh, t) < 0.29 ? core : coat);
    inner += mesh->tet_label[t] == core;
  }
  assert_int_equal(inner, 6 * 36 * 2 * 5);
  st_mesh_destroy(mesh);
  // Without one nothing is labelled.
  mesh = make("hollow_ball", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(st_mesh_find_label(mesh, "core"), -1);
  st_mesh_destroy(mesh);
}

static void test_bowl_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.02}, {"layers", 2}, {"cells", 5}};
  StMesh *mesh = make("bowl", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 3 * 36 * 2 * 5); // six cells: an even number
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    double radius = vec3_length(x);
    assert_true(x[2] <= 0);
    assert_int_equal(tagged(mesh, v, "rim"), x[2] == 0);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(radius - 0.28) < 2e-16);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(radius - 0.3) < 2e-16);
  }
  st_mesh_destroy(mesh);
}

static void test_cylinder_and_tube_labels(void **state) {
  (void)state;
  StMesh *mesh = make_edge("cylinder", 0.25, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] == -0.5);
    assert_int_equal(tagged(mesh, v, "top"), x[2] == 0.5);
    assert_int_equal(tagged(mesh, v, "side"), fabs(away_from_axis(x) - 0.5) < 2e-16);
  }
  st_mesh_destroy(mesh);
  mesh = make_edge("tube", 0.25, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] == -0.5);
    assert_int_equal(tagged(mesh, v, "top"), x[2] == 0.5);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(away_from_axis(x) - 0.4) < 2e-16);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(away_from_axis(x) - 0.5) < 2e-16);
  }
  st_mesh_destroy(mesh);
}

static void test_capsule_vertices_on_surface(void **state) {
  (void)state;
  StMesh *mesh = make_edge("capsule", 0.1, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    double beyond = fmax(0, fabs(x[2]) - 0.25);
    assert_near(hypot(away_from_axis(x), beyond), 0.25, 2e-16);
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] <= -0.25);
    assert_int_equal(tagged(mesh, v, "top"), x[2] >= 0.25);
    assert_int_equal(tagged(mesh, v, "side"), fabs(x[2]) <= 0.25);
  }
  st_mesh_destroy(mesh);
}

static void test_torus_vertices_on_surface(void **state) {
  (void)state;
  StMesh *mesh = make_edge("torus", 0.06, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_near(hypot(away_from_axis(x) - 0.35, x[2]), 0.15, 2e-16);
    assert_true(tagged(mesh, v, "surface"));
  }
  st_mesh_destroy(mesh);
}

// Mirror images in the coordinate planes are vertices too, to the last bit.
static void test_sphere_is_symmetric(void **state) {
  (void)state;
  StMesh *mesh = make("sphere", &(Setting){"cells", 4}, 1, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int axis = 0; axis < 3; axis++) {
      double mirrored[3];
      vec3_copy(mesh->position + 3 * v, mirrored);
      mirrored[axis] = -mirrored[axis];
      bool found = false;
      for (int w = 0; w < mesh->vertex_count && !found; w++) {
        const double *x = mesh->position + 3 * w;
        found = x[0] == mirrored[0] && x[1] == mirrored[1] && x[2] == mirrored[2];
      }
      assert_true(found);
    }
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere_vertices_on_surface),
      cmocka_unit_test(test_hollow_ball_vertices_on_surface),
      cmocka_unit_test(test_hollow_ball_coat),
      cmocka_unit_test(test_bowl_labels),
      cmocka_unit_test(test_cylinder_and_tube_labels),
      cmocka_unit_test(test_capsule_vertices_on_surface),
      cmocka_unit_test(test_torus_vertices_on_surface),
      cmocka_unit_test(test_sphere_is_symmetric),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
