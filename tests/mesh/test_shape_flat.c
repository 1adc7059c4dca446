// Boxes, sheets, and what is sewn from sheets: labels, patterns, seams.
#include "support/shape_probe.h"

static void test_hollow_box_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"size_x", 2}, {"thickness", 0.25}, {"layers", 2}, {"cells_x", 6}};
  StMesh *mesh = make("hollow_box", setting, 4, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    // How far outside of the hollow, which is 1.5 by 0.5 by 0.5.
    double depth = fmax(fabs(x[0]) - 0.75, fmax(fabs(x[1]), fabs(x[2])) - 0.25);
    assert_true(depth > -1e-15 && depth < 0.25 + 1e-15);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(depth) < 1e-15);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(depth - 0.25) < 1e-15);
    assert_int_equal(tagged(mesh, v, "x-"), x[0] == -1);
    assert_int_equal(tagged(mesh, v, "x+"), x[0] == 1);
    assert_int_equal(tagged(mesh, v, "y-"), x[1] == -0.5);
    assert_int_equal(tagged(mesh, v, "z+"), x[2] == 0.5);
  }
  st_mesh_destroy(mesh);
}

static void test_box_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"size_x", 2}, {"size_z", 0.5}, {"cells_x", 4}, {"cells_y", 3}};
  StMesh *mesh = make("box", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->vertex_count, 5 * 4 * 6); // z: five cells, the thinnest extent
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "x-"), x[0] == -1);
    assert_int_equal(tagged(mesh, v, "x+"), x[0] == 1);
    assert_int_equal(tagged(mesh, v, "y-"), x[1] == -0.5);
    assert_int_equal(tagged(mesh, v, "y+"), x[1] == 0.5);
    assert_int_equal(tagged(mesh, v, "z-"), x[2] == -0.25);
    assert_int_equal(tagged(mesh, v, "z+"), x[2] == 0.25);
  }
  st_mesh_destroy(mesh);
}

static void test_sheet_labels_and_patterns(void **state) {
  (void)state;
  for (int pattern = 0; pattern < 2; pattern++) {
    const Setting setting[] = {{"cells_x", 4}, {"cells_y", 6}, {"pattern", pattern}};
    StMesh *mesh = make("sheet", setting, 3, ST_SHAPE_SURFACE);
    assert_int_equal(mesh->vertex_count, 35);
    assert_int_equal(mesh->triangle_count, 48);
    int corners = 0, rising = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
      const double *x = mesh->position + 3 * v;
      assert_true(x[2] == 0);
      assert_int_equal(tagged(mesh, v, "x-"), x[0] == -0.5);
      assert_int_equal(tagged(mesh, v, "y+"), x[1] == 0.5);
      corners += tagged(mesh, v, "corners");
    }
    assert_int_equal(corners, 4);
    assert_int_equal(st_mesh_find_label(mesh, "z-"), -1);
    for (int t = 0; t < mesh->triangle_count; t++) {
      const int *v = mesh->triangle + 3 * t;
      double a[3], b[3], n[3];
      vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
      vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
      vec3_cross(a, b, n);
      assert_true(n[2] > 0);
      for (int i = 0; i < 3; i++) {
        vec3_sub(mesh->position + 3 * v[i], mesh->position + 3 * v[(i + 1) % 3], a);
        rising += a[0] * a[1] > 0;
      }
    }
    assert_int_equal(rising, pattern == 0 ? 24 : 48);
    st_mesh_destroy(mesh);
  }
}

static void test_uniform_plate_conforms(void **state) {
  (void)state;
  const Setting setting[] = {{"cells_x", 3}, {"cells_y", 4}, {"pattern", 1}, {"layers", 2}};
  StMesh *mesh = make("sheet", setting, 4, ST_SHAPE_SOLID);
  int count;
  Face *face = boundary(mesh, &count);
  assert_int_equal(mesh->tet_count, 6 * 3 * 4 * 2);
  assert_int_equal(count, 2 * 2 * (3 * 4 + 3 * 2 + 4 * 2));
  assert_near(solid_volume(mesh), 0.05, 1e-15);
  free(face);
  st_mesh_destroy(mesh);
}

// Two sheets on top of each other, sewn: no triangle lies in the seam with all its corners, so that
// none has a twin in the other sheet, and every edge has two triangles.
static void test_sleeve(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.1}, {"length", 0.5}, {"edge", 0.02}};
  StMesh *mesh = make("sleeve", setting, 3, ST_SHAPE_SURFACE);
  assert_int_equal(mesh->tet_count, 0);
  double area = 0;
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *v = mesh->triangle + 3 * t;
    double a[3], b[3], normal[3];
    vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
    vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
    vec3_cross(a, b, normal);
    const double *x = mesh->position + 3 * v[0];
    assert_true(normal[0] * x[0] + normal[1] * x[1] > 0); // outward
    assert_true(fabs(hypot(x[0], x[1]) - 0.1) < 1e-15);
    area += st_triangle_area(mesh->position, v);
  }
  int around = 32; // 2π 0.1 m in edges of 2 cm, as four alike quarters
  assert_true(fabs(area - 0.5 * around * 2 * 0.1 * sin(M_PI / around)) < 1e-12);
  int bottom = st_mesh_find_label(mesh, "bottom"), count = 0;
  for (int i = 0; i < mesh->tag_count; i++)
    if (mesh->tag[2 * i + 1] == bottom) {
      assert_true(mesh->position[3 * mesh->tag[2 * i] + 2] == -0.25);
      count++;
    }
  assert_int_equal(count, around);
  st_mesh_destroy(mesh);
  assert_refused("sleeve", NULL, 0, ST_SHAPE_SOLID,
                 "sleeve: it is a single layer and can only be a surface; use a tube for a wall");
}

static const char *triangle_label(const StMesh *mesh, int triangle) {
  int label = mesh->triangle_label[triangle];
  return label < 0 ? "none" : mesh->label_name[label];
}

// Along z: 1 facing up, -1 down, 0 across.
static double facing(const StMesh *mesh, int triangle) {
  const int *v = mesh->triangle + 3 * triangle;
  double a[3], b[3], n[3];
  vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
  vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
  vec3_cross(a, b, n);
  return n[2] / sqrt(vec3_dot(n, n));
}

// Parts of a shell can so have materials of their own, also where each is a single cell wide.
static void test_triangles_have_the_label_of_their_face(void **state) {
  (void)state;
  const struct {
    const char *shape, *down, *across, *up;
    Setting setting[3];
    int count;
  } cases[] = {
      {"pillow", "bottom", NULL, "top", {{"cells_x", 2}, {"cells_y", 2}}, 2},
      {"cylinder", "bottom", "side", "top", {{"cells", 2}, {"cells_along", 1}}, 2},
      {"box", "z-", NULL, "z+", {{"cells_x", 1}, {"cells_y", 1}, {"cells_z", 1}}, 3},
      {"sleeve", NULL, "none", NULL, {{"cells_around", 6}, {"cells_along", 1}}, 2},
      {"sheet", NULL, NULL, "none", {{"cells_x", 2}, {"cells_y", 2}}, 2},
  };
  for (int i = 0; i < ST_LENGTH(cases); i++) {
    StMesh *mesh = make(cases[i].shape, cases[i].setting, cases[i].count, ST_SHAPE_SURFACE);
    for (int t = 0; t < mesh->triangle_count; t++) {
      double z = facing(mesh, t);
      const char *expected = z > 0.99 ? cases[i].up : z < -0.99 ? cases[i].down : cases[i].across;
      if (expected)
        assert_string_equal(triangle_label(mesh, t), expected);
      else
        assert_string_not_equal(triangle_label(mesh, t), "none");
    }
    st_mesh_destroy(mesh);
  }
}

static void test_pillow(void **state) {
  (void)state;
  for (int cells_x = 1; cells_x <= 5; cells_x++) {
    const Setting setting[] = {
        {"width", 0.4}, {"length", 0.6}, {"cells_x", cells_x}, {"cells_y", 6}, {"relative_gap", 0}};
    StMesh *mesh = make("pillow", setting, 5, ST_SHAPE_SURFACE);
    int even = cells_x < 3 ? 2 : cells_x < 5 ? 4 : 6;
    assert_int_equal(mesh->triangle_count, 2 * 2 * even * 6);
    assert_int_equal(mesh->vertex_count, (even + 1) * 7 + (even - 1) * 5);
    for (int t = 0; t < mesh->triangle_count; t++) {
      const int *v = mesh->triangle + 3 * t;
      double a[3], b[3], n[3];
      vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
      vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
      vec3_cross(a, b, n);
      const char *side = n[2] > 0 ? "top" : "bottom";
      assert_near(fabs(n[2]), 0.4 / even * 0.1, 1e-15);
      int sewn = 0;
      for (int i = 0; i < 3; i++) {
        assert_true(tagged(mesh, v[i], side));
        sewn += tagged(mesh, v[i], "seam");
      }
      assert_true(sewn < 3);
    }
    StMeshReport report;
    assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
    assert_true(report.closed && report.oriented);
    assert_near(report.area, 2 * 0.4 * 0.6, 1e-14);
    assert_near(report.enclosed_volume, 0, 1e-17);
    assert_int_equal(report.component_count, 1);
    st_mesh_destroy(mesh);
  }
  // By itself a hundredth of its size apart, but for the rim.
  StMesh *open = make("pillow", (Setting[]){{"cells_x", 20}, {"cells_y", 20}}, 2, ST_SHAPE_SURFACE);
  int apart[3] = {0};
  for (int v = 0; v < open->vertex_count; v++)
    apart[tagged(open, v, "seam") ? 0 : open->position[3 * v + 2] == 0.005 ? 1 : 2]++;
  assert_int_equal(apart[0], 80);
  assert_int_equal(apart[1], 19 * 19);
  assert_int_equal(apart[2], 19 * 19);
  st_mesh_destroy(open);
  assert_refused("pillow", NULL, 0, ST_SHAPE_SOLID,
                 "pillow: there is nothing between its sheets to fill; it can only be a surface");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hollow_box_labels),
      cmocka_unit_test(test_box_labels),
      cmocka_unit_test(test_sheet_labels_and_patterns),
      cmocka_unit_test(test_uniform_plate_conforms),
      cmocka_unit_test(test_triangles_have_the_label_of_their_face),
      cmocka_unit_test(test_pillow),
      cmocka_unit_test(test_sleeve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
