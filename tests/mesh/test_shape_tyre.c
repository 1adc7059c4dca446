// The tyre: closed and facing outward with its drum, open without; its parts labelled, also where
// they are a single cell wide; volume and area those of the cross-section turned about the axis.
#include "support/shape_probe.h"

static double from_axis(const StMesh *mesh, int vertex) {
  return hypot(mesh->position[3 * vertex], mesh->position[3 * vertex + 1]);
}

// Where a triangle is says which part it belongs to: all corners at the tread, or at the drum.
static const char *part_of(const StMesh *mesh, int triangle) {
  int at_tread = 0, at_rim = 0;
  for (int i = 0; i < 3; i++) {
    double r = from_axis(mesh, mesh->triangle[3 * triangle + i]);
    at_tread += fabs(r - 0.46) < 1e-12;
    at_rim += fabs(r - 0.205) < 1e-12;
  }
  return at_tread == 3 ? "tread" : at_rim == 3 ? "rim" : "wall";
}

static void assert_labelled(const StMesh *mesh) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    const char *part = part_of(mesh, t);
    assert_true(mesh->triangle_label[t] >= 0);
    assert_string_equal(mesh->label_name[mesh->triangle_label[t]], part);
    for (int i = 0; i < 3; i++)
      assert_true(tagged(mesh, mesh->triangle[3 * t + i], part));
  }
  for (int v = 0; v < mesh->vertex_count; v++) {
    assert_int_equal(tagged(mesh, v, "tread"), fabs(from_axis(mesh, v) - 0.46) < 1e-12);
    assert_int_equal(tagged(mesh, v, "rim"), fabs(from_axis(mesh, v) - 0.205) < 1e-12);
  }
}

static void parts_are_labelled(void **state) {
  (void)state;
  const Setting cells[] = {
      {"cells_around", 12}, {"cells_tread", 6}, {"cells_wall", 5}, {"cells_drum", 4}};
  StMesh *mesh = make("tyre", cells, 4, ST_SHAPE_SURFACE);
  assert_int_equal(mesh->triangle_count, 2 * 12 * (6 + 2 * 5 + 4));
  assert_int_equal(mesh->vertex_count, 12 * (6 + 2 * 5 + 4));
  assert_labelled(mesh);
  st_mesh_destroy(mesh);
  const Setting coarse[] = {
      {"cells_around", 6}, {"cells_tread", 1}, {"cells_wall", 1}, {"cells_drum", 1}};
  mesh =
      make("tyre", coarse, 4, ST_SHAPE_SURFACE); // even numbers of cells: two across tread and drum
  assert_int_equal(mesh->triangle_count, 2 * 6 * (2 + 2 * 1 + 2));
  assert_labelled(mesh);
  st_mesh_destroy(mesh);
}

static void drum_closes_it(void **state) {
  (void)state;
  StMeshReport report;
  StMesh *mesh = make("tyre", NULL, 0, ST_SHAPE_SURFACE);
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_true(report.closed && report.oriented && report.enclosed_volume > 0);
  assert_int_equal(report.component_count, 1);
  int closed = mesh->triangle_count;
  st_mesh_destroy(mesh);
  const Setting open[] = {{"rim", 1}};
  mesh = make("tyre", open, 1, ST_SHAPE_SURFACE);
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_true(!report.closed && report.oriented);
  assert_true(mesh->triangle_count < closed);
  for (int t = 0; t < mesh->triangle_count; t++)
    assert_string_not_equal(mesh->label_name[mesh->triangle_label[t]], "rim");
  st_mesh_destroy(mesh);
}

// Without bulge walls are cones: n cells around make (n/2π) sin(2π/n) of the volume of revolution.
static void volume_is_that_of_revolution(void **state) {
  (void)state;
  const Setting straight[] = {{"bulge", 0},        {"radius", 0.5},    {"width", 0.4},
                              {"rim_radius", 0.2}, {"rim_width", 0.4}, {"cells_around", 20}};
  StMesh *mesh = make("tyre", straight, 6, ST_SHAPE_SURFACE);
  StMeshReport report;
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  double polygon = 20 / (2 * M_PI) * sin(2 * M_PI / 20);
  double volume = M_PI * (0.25 - 0.04) * 0.4 * polygon;
  assert_true(fabs(report.enclosed_volume / volume - 1) < 1e-12);
  st_mesh_destroy(mesh);
  // A half circle on the walls of a rim as wide as the tread: area by Pappus, to second order.
  const double edge[] = {0.02, 0.01};
  double error[2];
  for (int i = 0; i < 2; i++) {
    const Setting round[] = {{"bulge", 0.15},     {"radius", 0.5},    {"width", 0.4},
                             {"rim_radius", 0.2}, {"rim_width", 0.4}, {"edge", edge[i]}};
    mesh = make("tyre", round, 6, ST_SHAPE_SURFACE);
    assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
    double area = 2 * M_PI * (0.7 * 0.4 + 2 * 0.35 * M_PI * 0.15);
    error[i] = fabs(report.area / area - 1);
    st_mesh_destroy(mesh);
  }
  assert_true(error[1] < 1e-3 && error[1] < 0.3 * error[0]);
}

// A tyre that leans to one side would roll in a curve.
static void sides_are_mirror_images(void **state) {
  (void)state;
  StMesh *mesh = make("tyre", NULL, 0, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    bool found = false;
    for (int w = 0; w < mesh->vertex_count && !found; w++) {
      const double *y = mesh->position + 3 * w;
      found = x[0] == y[0] && x[1] == y[1] && x[2] == -y[2];
    }
    assert_true(found);
  }
  st_mesh_destroy(mesh);
}

static void bad_sizes_are_refused(void **state) {
  (void)state;
  assert_refused("tyre", &(Setting){"rim_radius", 0.46}, 1, ST_SHAPE_SURFACE,
                 "tyre: rim_radius is 0.46 m; it must be less than the radius, 0.46 m");
  assert_refused("tyre", &(Setting){"bulge", 0.2}, 1, ST_SHAPE_SURFACE,
                 "tyre: bulge is 0.2 m; it must be at most half of the height of the walls, "
                 "0.1275 m");
  assert_refused("tyre", NULL, 0, ST_SHAPE_SOLID,
                 "tyre: it is a single layer and can only be a surface; use a tube for a wall");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_labelled),           cmocka_unit_test(drum_closes_it),
      cmocka_unit_test(volume_is_that_of_revolution), cmocka_unit_test(sides_are_mirror_images),
      cmocka_unit_test(bad_sizes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
