// The search misses no sample within R and names none beyond, on scattered, clustered, flat and
// far-flung triangles; stencils are complete; steady searches allocate nothing new.
#include "support/surface_probe.h"
#include "support/random.h"
#include "contact/smooth/surface_grid.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const double thickness = 0.001;

// Triangles of about this size at the given centres.
static StMesh *scatter(int count, const double *centre, double size, uint64_t *state) {
  StMesh *mesh = st_mesh_create(3 * count, 0, count);
  for (int v = 0; v < 3 * count; v++) {
    mesh->triangle[v] = v;
    for (int j = 0; j < 3; j++)
      mesh->position[3 * v + j] = centre[3 * (v / 3) + j] + random_between(state, -size, size);
  }
  return mesh;
}

static void centroid(const Probe *probe, int t, double c[3]) {
  vec3_set(0, 0, 0, c);
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(1.0 / 3, probe->position + 3 * probe->mesh->triangle[3 * t + v], c);
}

static double height(const Probe *probe, int t, const double from[3]) {
  const double *x[3];
  double e1[3], e2[3], normal[3];
  for (int v = 0; v < 3; v++)
    x[v] = probe->position + 3 * probe->mesh->triangle[3 * t + v];
  vec3_sub(x[1], x[0], e1);
  vec3_sub(x[2], x[0], e2);
  vec3_cross(e1, e2, normal);
  return vec3_dot(normal, from) / vec3_length(normal);
}

// Vertices belong to one triangle each, so that the stencil tells which samples were found. Returns
// how many there were.
static int check_point(Probe *probe, const double x[3]) {
  bool found = probe_find(probe, x);
  int expected = 0, seen = 0;
  double R = st_surface_radius(probe->surface), least = INFINITY;
  for (int t = 0; t < probe->mesh->triangle_count; t++) {
    double c[3], d[3];
    centroid(probe, t, c);
    vec3_sub(x, c, d);
    if (vec3_length(d) >= R)
      continue;
    expected++;
    least = fmin(least, height(probe, t, d));
    for (int k = 1; found && k < probe->stencil.count; k++)
      seen += probe->stencil.vertex[k] == 3 * t;
  }
  assert_int_equal(found, least < thickness);
  if (!found)
    return 0;
  assert_int_equal(seen, expected);
  assert_int_equal(probe->stencil.count, 1 + 3 * expected);
  assert_int_equal(probe->stencil.vertex[0], probe->mesh->vertex_count);
  return expected;
}

static void check_cloud(const double *centre, int count, double size) {
  uint64_t state = 77;
  StSurfaceOptions options = st_surface_defaults(thickness);
  Probe *probe = probe_create(scatter(count, centre, size, &state), &options);
  double R = st_surface_radius(probe->surface);
  int met = 0;
  for (int i = 0; i < 600; i++) {
    double x[3];
    int near = (int)random_between(&state, 0, count);
    for (int j = 0; j < 3; j++)
      x[j] = centre[3 * near + j] + random_between(&state, -1.2, 1.2) * R;
    met += check_point(probe, x);
  }
  assert_true(met > 50);
  probe_destroy(probe);
}

static void test_scattered(void **state) {
  (void)state;
  static double centre[3 * 3000];
  uint64_t random = 5;
  random_fill(&random, -1, 1, 3 * 3000, centre);
  check_cloud(centre, 3000, 0.03);
}

static void test_clustered(void **state) {
  (void)state;
  static double centre[3 * 3000];
  uint64_t random = 6;
  for (int i = 0; i < 3000; i++)
    for (int j = 0; j < 3; j++)
      centre[3 * i + j] = (i % 7) * 0.4 + random_between(&random, -1, 1) * (i % 3 ? 0.02 : 0.4);
  check_cloud(centre, 3000, 0.02);
}

static void test_flat(void **state) {
  (void)state;
  static double centre[3 * 3000];
  uint64_t random = 8;
  random_fill(&random, -1, 1, 3 * 3000, centre);
  for (int i = 0; i < 3000; i++)
    centre[3 * i + 1] = 0.3;
  check_cloud(centre, 3000, 0.02);
}

// Extents of a million R: cells wrap around many times.
static void test_far_flung(void **state) {
  (void)state;
  static double centre[3 * 500];
  uint64_t random = 9;
  for (int i = 0; i < 500; i++)
    for (int j = 0; j < 3; j++)
      centre[3 * i + j] = random_between(&random, -1, 1) * pow(10, i % 7);
  check_cloud(centre, 500, 0.02);
}

static void test_follows_motion(void **state) {
  (void)state;
  StSurfaceOptions options = st_surface_defaults(0.02);
  Probe *probe = probe_create(probe_shape("sphere", NULL, 0), &options);
  double x[3] = {0.5, 0.02, 0.03};
  assert_true(probe_find(probe, x));
  for (int i = 0; i < probe->mesh->vertex_count; i++)
    probe->position[3 * i] += 5;
  probe_update(probe);
  assert_false(probe_find(probe, x));
  x[0] += 5;
  assert_true(probe_find(probe, x));
  probe_destroy(probe);
}

// One scratch in turn for a small and a large surface: marks of one never pass for the other's.
static void test_scratch_for_many(void **state) {
  (void)state;
  StSurfaceOptions options = st_surface_defaults(0.02);
  Probe *small = probe_create(probe_shape("sphere", (ShapeSetting[]){{"cells", 4}}, 1), &options);
  Probe *large = probe_create(probe_shape("sphere", (ShapeSetting[]){{"cells", 16}}, 1), &options);
  const double x[3] = {0.3, 0.3, 0.26};
  assert_true(probe_gap(small, x) && probe_gap(large, x));
  double expected[2] = {small->gap.gap, large->gap.gap};
  StSurfaceScratch *own = small->scratch;
  small->scratch = large->scratch;
  for (int i = 0; i < 20; i++) {
    Probe *probe = i % 2 ? large : small;
    assert_true(probe_gap(probe, x));
    assert_true(probe->gap.gap == expected[i % 2]);
  }
  small->scratch = own;
  probe_destroy(small);
  probe_destroy(large);
}

static void test_cannot_touch(void **state) {
  (void)state;
  StSurfaceOptions options = st_surface_defaults(0.02);
  Probe *probe = probe_create(probe_shape("box", NULL, 0), &options);
  assert_true(probe_find(probe, (double[3]){0.1, 0.1, 0.5199}));
  assert_false(probe_find(probe, (double[3]){0.1, 0.1, 0.5201}));
  probe_destroy(probe);
}

// Wrapped cells: boxes in the order of coordinates, never more cells than there are.
static void test_grid(void **state) {
  (void)state;
  StGrid grid = {0};
  const double low[3] = {-1, 0, 5}, high[3] = {1e9, 1, 5};
  assert_int_equal(st_grid_lay(&grid, low, high, 0.5, 100, NULL), ST_OK);
  assert_true(st_grid_cell_count(&grid) <= 400);
  assert_int_equal(st_grid_coordinate(&grid, -1.25, 0), -1);
  assert_int_equal(st_grid_coordinate(&grid, -1, 0), 0);
  assert_int_equal(st_grid_coordinate(&grid, 1e300, 0), 1000000000);
  StGridBox box = st_grid_box(&grid, low, high);
  for (int axis = 0; axis < 3; axis++)
    assert_true(box.count[axis] <= 1 << grid.bits[axis]);
  st_grid_free(&grid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scattered),      cmocka_unit_test(test_clustered),
      cmocka_unit_test(test_flat),           cmocka_unit_test(test_far_flung),
      cmocka_unit_test(test_follows_motion), cmocka_unit_test(test_scratch_for_many),
      cmocka_unit_test(test_cannot_touch),   cmocka_unit_test(test_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
