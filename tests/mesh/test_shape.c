// All parametric shapes: valid, good, closed, converging, refused in time.
#include "support/shape_probe.h"

static double triangle_quality(const double *position, const int *triangle) {
  double sum = 0, d[3];
  for (int i = 0; i < 3; i++) {
    vec3_sub(position + 3 * triangle[i], position + 3 * triangle[(i + 1) % 3], d);
    sum += vec3_dot(d, d);
  }
  return 4 * sqrt(3) * st_triangle_area(position, triangle) / sum;
}

static void assert_all_used(const StMesh *mesh) {
  char *used = ST_NEW(char, mesh->vertex_count);
  assert_non_null(used);
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    used[mesh->tet[i]] = 1;
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    used[mesh->triangle[i]] = 1;
  for (int v = 0; v < mesh->vertex_count; v++)
    assert_int_equal(used[v], 1);
  free(used);
}

// Cells come out close to cubes at these edge lengths, so that nothing but the maps is measured.
static const struct {
  const char *shape;
  double edge[6];
  double worst, mean;
} quality_goals[] = {
    {"box", {10, 0.5, 0.3, 0.1, 0.05}, 0.76, 0.81},
    {"sphere", {10, 0.3, 0.2, 0.15, 0.1, 0.05}, 0.41, 0.62},
    {"hollow_ball", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.47, 0.66},
    {"bowl", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.47, 0.66},
    {"hollow_box", {0.25, 0.2, 0.12, 0.1}, 0.23, 0.5},
    {"cylinder", {10, 0.5, 0.3, 0.2, 0.1, 0.05}, 0.43, 0.68},
    {"capsule", {10, 0.1, 0.07, 0.05, 0.04, 0.03}, 0.40, 0.67},
    {"tube", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.56, 0.60},
    {"torus", {10, 0.1, 0.07, 0.05, 0.04, 0.03}, 0.36, 0.60},
    {"sheet", {0.07, 0.05, 0.03, 0.02, 0.015}, 0.70, 0.75},
};

static void test_solid_quality(void **state) {
  (void)state;
  for (int s = 0; s < ST_LENGTH(quality_goals); s++)
    for (int e = 0; e < 6 && quality_goals[s].edge[e] > 0; e++) {
      StMesh *mesh = make_edge(quality_goals[s].shape, quality_goals[s].edge[e], ST_SHAPE_SOLID);
      Quality quality = mesh_quality(mesh);
      print_message("%-12s edge %5g: %6d tets, worst %.3f, mean %.3f\n", quality_goals[s].shape,
                    quality_goals[s].edge[e], mesh->tet_count, quality.worst, quality.mean);
      assert_true(quality.worst >= quality_goals[s].worst);
      assert_true(quality.mean >= quality_goals[s].mean);
      assert_int_equal(mesh->triangle_count, 0);
      assert_all_used(mesh);
      st_mesh_destroy(mesh);
    }
}

static void test_surface_quality(void **state) {
  (void)state;
  for (int s = 0; st_shape_types[s]; s++)
    for (int e = 0; e < 4; e++) {
      StMesh *mesh = make_edge(st_shape_types[s]->name, 0.08 / (1 << e), ST_SHAPE_SURFACE);
      double worst = 1;
      for (int t = 0; t < mesh->triangle_count; t++)
        worst = fmin(worst, triangle_quality(mesh->position, mesh->triangle + 3 * t));
      assert_true(worst > 0.5);
      assert_int_equal(mesh->tet_count, 0);
      assert_all_used(mesh);
      st_mesh_destroy(mesh);
    }
}

static void test_surface_is_boundary_of_solid(void **state) {
  (void)state;
  const double edge[] = {10, 0.25, 0.11, 0.06};
  for (int s = 0; st_shape_types[s]; s++)
    for (int e = 0; e < ST_LENGTH(edge); e++) {
      const char *name = st_shape_types[s]->name;
      if (strcmp(name, "sheet") == 0 || st_shape_types[s]->surface_only)
        continue;
      StMesh *solid = make_edge(name, edge[e], ST_SHAPE_SOLID);
      StMesh *surface = make_edge(name, edge[e], ST_SHAPE_SURFACE);
      int count;
      Face *face = boundary(solid, &count), *own = ST_NEW(Face, surface->triangle_count);
      assert_non_null(own);
      assert_int_equal(count, surface->triangle_count);
      for (int t = 0; t < count; t++) {
        const int *v = surface->triangle + 3 * t;
        own[t] = face_of(surface->position, v[0], v[1], v[2]);
      }
      qsort(own, (size_t)count, sizeof(Face), compare_bytes);
      assert_memory_equal(own, face, (size_t)count * sizeof(Face));
      double volume = solid_volume(solid);
      assert_true(volume > 0);
      assert_near(enclosed_volume(surface), volume, 1e-13);
      free(face);
      free(own);
      st_mesh_destroy(solid);
      st_mesh_destroy(surface);
    }
}

static int last_fill(const StShapeType *type) {
  return type->surface_only ? ST_SHAPE_SURFACE : ST_SHAPE_SOLID;
}

static void fail_on_warning(void *context, StLevel level, const char *text) {
  (void)context;
  if (level == ST_WARNING)
    fail_msg("%s", text);
}

static void test_passes_the_checks(void **state) {
  (void)state;
  const StLog log = {fail_on_warning, NULL};
  for (int s = 0; st_shape_types[s]; s++)
    for (int fill = ST_SHAPE_SURFACE; fill <= last_fill(st_shape_types[s]); fill++) {
      const char *name = st_shape_types[s]->name;
      StMesh *mesh = make_edge(name, 0.1, (StShapeFill)fill);
      StMeshReport report;
      StError error;
      assert_int_equal(st_mesh_check(mesh, name, &log, &error), ST_OK);
      assert_int_equal(st_mesh_report(mesh, &report, &error), ST_OK);
      bool layer = strcmp(name, "sheet") == 0 || strcmp(name, "sleeve") == 0;
      bool open = fill == ST_SHAPE_SURFACE && layer;
      bool two_parts = fill == ST_SHAPE_SURFACE && strncmp(name, "hollow_", 7) == 0;
      assert_true(report.oriented);
      assert_int_equal(report.closed, !open);
      assert_int_equal(report.component_count, two_parts ? 2 : 1);
      if (fill == ST_SHAPE_SURFACE && !open)
        assert_near(report.enclosed_volume, enclosed_volume(mesh), 1e-12);
      st_mesh_destroy(mesh);
    }
}

#define BALL(radius) (4 * M_PI / 3 * (radius) * (radius) * (radius))

static const struct {
  const char *shape;
  double edge;
  int order; // 0: exact
  double volume;
} volume_cases[] = {
    {"box", 0.1, 0, 1},
    {"sheet", 0.05, 0, 0.05},
    {"sphere", 0.1, 2, BALL(0.5)},
    {"hollow_ball", 0.09, 2, BALL(0.5) - BALL(0.4)},
    {"bowl", 0.09, 2, (BALL(0.5) - BALL(0.4)) / 2},
    {"hollow_box", 0.1, 0, 1 - 0.8 * 0.8 * 0.8},
    {"cylinder", 0.1, 2, M_PI * 0.25},
    {"capsule", 0.05, 2, M_PI * 0.0625 * 0.5 + BALL(0.25)},
    {"tube", 0.1, 2, M_PI *(0.25 - 0.16)},
    {"torus", 0.06, 2, 2 * M_PI *M_PI * 0.35 * 0.15 * 0.15},
};

static void test_volume_converges(void **state) {
  (void)state;
  for (int s = 0; s < ST_LENGTH(volume_cases); s++) {
    const char *name = volume_cases[s].shape;
    double error[2];
    for (int level = 0; level < 2; level++) {
      double edge = volume_cases[s].edge / (1 << level);
      StMesh *mesh = make_edge(name, edge, ST_SHAPE_SOLID);
      error[level] = fabs(solid_volume(mesh) / volume_cases[s].volume - 1);
      st_mesh_destroy(mesh);
    }
    if (volume_cases[s].order == 0) {
      assert_true(error[0] < 1e-13 && error[1] < 1e-13);
      continue;
    }
    double order = log2(error[0] / error[1]);
    print_message("%-12s volume off by %.2e, %.2e: order %.3f\n", name, error[0], error[1], order);
    assert_near(order, volume_cases[s].order, 0.05);
  }
}

static void test_odd_counts_are_good_too(void **state) {
  (void)state;
  const char *const shape[] = {"sphere", "hollow_ball", "cylinder", "torus"};
  for (int s = 0; s < ST_LENGTH(shape); s++)
    for (int cells = 3; cells < 16; cells += 2) {
      StMesh *mesh = make(shape[s], &(Setting){"cells", cells}, 1, ST_SHAPE_SOLID);
      assert_true(mesh_quality(mesh).worst >= 0.36);
      st_mesh_destroy(mesh);
    }
}

static void test_refuses_bad_values(void **state) {
  (void)state;
  assert_refused("sphere", &(Setting){"radius", 0}, 1, ST_SHAPE_SOLID,
                 "sphere: radius is 0 m; it must be finite and more than 0 m");
  assert_refused("sphere", &(Setting){"radius", NAN}, 1, ST_SHAPE_SOLID,
                 "sphere: radius is nan m; it must be finite and more than 0 m");
  assert_refused("box", &(Setting){"cells_x", 2.5}, 1, ST_SHAPE_SOLID,
                 "box: cells_x is 2.5; it must be whole and at least 0 and at most 1e+06");
  assert_refused("tube", &(Setting){"thickness", 0.5}, 1, ST_SHAPE_SOLID,
                 "tube: thickness is 0.5 m; it must be less than the radius, 0.5 m, and not vanish "
                 "beside it");
  assert_refused("hollow_ball", &(Setting){"thickness", 1e-20}, 1, ST_SHAPE_SURFACE,
                 "hollow_ball: thickness is 1e-20 m; it must be less than the radius, 0.5 m, and "
                 "not vanish beside it");
  assert_refused("hollow_ball", &(Setting){"coat", 0.1}, 1, ST_SHAPE_SOLID,
                 "hollow_ball: coat is 0.1 m; it must be less than the thickness of the wall, 0.1 "
                 "m, and not negligible compared with the radius");
  assert_refused("hollow_box", &(Setting){"thickness", 0.5}, 1, ST_SHAPE_SOLID,
                 "hollow_box: thickness is 0.5 m; it must be less than half of the smallest "
                 "extent, 1 m, and not negligible compared with it");
  assert_refused("torus", &(Setting){"minor_radius", 0.35}, 1, ST_SHAPE_SOLID,
                 "torus: minor_radius is 0.35 m; it must be less than major_radius, 0.35 m");
}

static void test_refuses_too_many(void **state) {
  (void)state;
  assert_refused(
      "box", &(Setting){"edge", 1e-3}, 1, ST_SHAPE_SOLID,
      "box: this would be about 5e+09 tets; at most 50 million are made: choose a larger "
      "edge or fewer cells");
  for (int s = 0; st_shape_types[s]; s++)
    for (double edge = 1e-5; edge > 0; edge *= 1e-80) {
      StMesh *mesh = NULL;
      StError error;
      Setting setting = {"edge", edge};
      for (int fill = ST_SHAPE_SURFACE; fill <= last_fill(st_shape_types[s]); fill++) {
        assert_int_equal(
            try_make(st_shape_types[s]->name, &setting, 1, (StShapeFill)fill, &mesh, &error),
            ST_BAD_INPUT);
        assert_non_null(strstr(error.text, "at most 50 million are made"));
      }
    }
}

static void test_large_surface(void **state) {
  (void)state;
  StMesh *mesh = make("sphere", &(Setting){"cells", 300}, 1, ST_SHAPE_SURFACE);
  assert_int_equal(mesh->triangle_count, 12 * 300 * 300);
  assert_int_equal(mesh->vertex_count, 6 * 300 * 300 + 2);
  assert_near(enclosed_volume(mesh) / BALL(0.5), 1, 2e-5);
  st_mesh_destroy(mesh);
}

static void test_descriptors(void **state) {
  (void)state;
  assert_null(st_shape_find("teapot"));
  for (int s = 0; st_shape_types[s]; s++) {
    const StShapeType *type = st_shape_types[s];
    assert_ptr_equal(st_shape_find(type->name), type);
    assert_true(type->param_count <= ST_PARAM_MAX);
    assert_true(strlen(type->summary) > 0);
    for (int i = 0; i < type->param_count; i++) {
      assert_false(st_param_required(&type->param[i]));
      assert_true(type->param[i].doc[strlen(type->param[i].doc) - 1] == '.');
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solid_quality),
      cmocka_unit_test(test_surface_quality),
      cmocka_unit_test(test_surface_is_boundary_of_solid),
      cmocka_unit_test(test_passes_the_checks),
      cmocka_unit_test(test_volume_converges),
      cmocka_unit_test(test_odd_counts_are_good_too),
      cmocka_unit_test(test_refuses_bad_values),
      cmocka_unit_test(test_refuses_too_many),
      cmocka_unit_test(test_large_surface),
      cmocka_unit_test(test_descriptors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
