// The gap alone on bodies whose distance is known: sphere, box edge, thin wall, sheet; its sign,
// size and slope, the shares, and the fade past a border.
#include "support/surface_probe.h"
#include "support/random.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static Probe *probe_of(const char *shape, const ShapeSetting *setting, int count,
                       double thickness) {
  StSurfaceOptions options = st_surface_defaults(thickness);
  return probe_create(probe_shape(shape, setting, count), &options);
}

// A box turned inside out.
static Probe *hollow_box(void) {
  StSurfaceOptions options = st_surface_defaults(0.02);
  return probe_create(probe_turn(probe_shape("box", NULL, 0)), &options);
}

static void random_direction(uint64_t *state, double out[3]) {
  double length;
  do {
    random_fill(state, -1, 1, 3, out);
    length = vec3_length(out);
  } while (length > 1 || length < 0.1);
  for (int j = 0; j < 3; j++)
    out[j] /= length;
}

// Shares sum to one and their mean position lies under the point, along the gap's gradient.
static void check_shares(const Probe *probe) {
  const StGap *gap = &probe->gap;
  double sum = 0, place[3] = {0}, off[3], slope = vec3_length(gap->gradient);
  for (int k = 1; k < probe->stencil.count; k++) {
    sum -= gap->share[k];
    vec3_add_scaled(-gap->share[k], probe->at + 3 * k, place);
  }
  assert_true(gap->share[0] == 1);
  assert_below(fabs(sum - 1), 1e-12);
  vec3_sub(probe->at, place, off);
  double along = vec3_dot(off, gap->gradient) / (slope * slope);
  vec3_add_scaled(-along, gap->gradient, off);
  assert_below(vec3_length(off), 2e-4 * st_surface_radius(probe->surface));
}

typedef struct SphereErrors {
  double gap, slope, angle; // largest |ψ − distance|, ||∇ψ| − 1|, angle to the radius
} SphereErrors;

static SphereErrors check_sphere(int cells) {
  double thickness = 0.1 / cells;
  Probe *probe = probe_of("sphere", (ShapeSetting[]){{"cells", cells}}, 1, thickness);
  SphereErrors e = {0};
  uint64_t state = 7;
  for (int i = 0; i < 2000; i++) {
    double x[3], way[3], distance = random_between(&state, -0.5, 0.7) * thickness;
    random_direction(&state, way);
    for (int j = 0; j < 3; j++)
      x[j] = (0.5 + distance) * way[j];
    assert_true(probe_gap(probe, x));
    double slope = vec3_length(probe->gap.gradient);
    double cosine = vec3_dot(probe->gap.gradient, way) / slope;
    e.gap = fmax(e.gap, fabs(probe->gap.gap - distance));
    e.slope = fmax(e.slope, fabs(slope - 1));
    e.angle = fmax(e.angle, acos(fmin(1, cosine)));
    assert_true(probe->gap.mollifier == 1);
    check_shares(probe);
  }
  probe_destroy(probe);
  return e;
}

// Errors fall with the square of the triangles' size, slopes with its first power.
static void test_sphere(void **state) {
  (void)state;
  SphereErrors coarse = check_sphere(6), middle = check_sphere(12), fine = check_sphere(24);
  assert_below(coarse.gap, 4e-3);
  assert_below(middle.gap, 1e-3);
  assert_below(fine.gap, 2.6e-4);
  assert_below(coarse.slope, 0.025);
  assert_below(middle.slope, 0.02);
  assert_below(fine.slope, 0.015);
  assert_below(coarse.angle, 0.09);
  assert_below(middle.angle, 0.05);
  assert_below(fine.angle, 0.025);
}

// Above a flat face, away from its edges, all is exact.
static void test_flat_face(void **state) {
  (void)state;
  Probe *probe = probe_of("box", NULL, 0, 0.02);
  uint64_t random = 9;
  for (int i = 0; i < 1000; i++) {
    double height = random_between(&random, -0.02, 0.019);
    double x[3] = {random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3),
                   0.5 + height};
    assert_true(probe_gap(probe, x));
    assert_below(fabs(probe->gap.gap - height), 1e-12);
    assert_below(fabs(probe->gap.gradient[0]), 1e-12);
    assert_below(fabs(probe->gap.gradient[1]), 1e-12);
    assert_below(fabs(probe->gap.gradient[2] - 1), 1e-12);
    assert_true(probe->gap.mollifier == 1);
    check_shares(probe);
  }
  probe_destroy(probe);
}

// Near a right-angled edge: inside is negative; outside and beyond a tenth of a triangle positive;
// no bulge at the first row of vertices.
static void test_box_edge(void **state) {
  (void)state;
  const double edge = 0.1;
  Probe *probe = probe_of("box", (ShapeSetting[]){{"edge", edge}}, 1, 0.02);
  uint64_t random = 9;
  for (int i = 0; i < 4000; i++) {
    double u = random_between(&random, -0.8, 0.5) * edge,
           v = random_between(&random, -0.8, 0.5) * edge;
    double x[3] = {0.5 + u, random_between(&random, -0.3, 0.3), 0.5 + v};
    double outside = hypot(fmax(u, 0), fmax(v, 0)), depth = fmax(u, v);
    if (!probe_gap(probe, x)) {
      assert_true(outside >= 0.2 * edge);
      continue;
    }
    if (depth < -1e-9)
      assert_true(probe->gap.gap < 0);
    if (outside > 0.07 * edge)
      assert_true(probe->gap.gap > 0);
    assert_true(probe->gap.mollifier == 1);
    check_shares(probe);
  }
  for (int i = 0; i < 100; i++) {
    double x[3] = {0.5 - edge, random_between(&random, -0.3, 0.3), 0.505};
    assert_true(probe_gap(probe, x));
    assert_below(fabs(probe->gap.gap - 0.005), 1e-11);
  }
  probe_destroy(probe);
}

// The inside of a box near an edge: positive before both walls, negative a tenth of a triangle
// behind either, the distance from the first row of vertices on.
static void test_inner_edge(void **state) {
  (void)state;
  Probe *probe = hollow_box();
  uint64_t random = 9;
  for (int i = 0; i < 4000; i++) {
    double u = random_between(&random, -0.1, 0.03), v = random_between(&random, -0.1, 0.03);
    double x[3] = {0.5 + u, random_between(&random, -0.3, 0.3), 0.5 + v};
    if (!probe_gap(probe, x))
      continue;
    if (u < -1e-9 && v < -1e-9)
      assert_true(probe->gap.gap > 0);
    if (fmax(u, v) > 0.009)
      assert_true(probe->gap.gap < 0);
    if (u < -0.08 && v > -0.02)
      assert_below(fabs(probe->gap.gap + v), 1e-11);
  }
  probe_destroy(probe);
}

// Concave: two facing walls a millimetre apart, each seen from its own side.
static void test_slot(void **state) {
  (void)state;
  StMesh *mesh = st_mesh_create(8, 0, 4);
  const double position[24] = {0, 0, 0,     0.01, 0, 0,     0.01, 0.01, 0,     0, 0.01, 0,
                               0, 0, 0.001, 0.01, 0, 0.001, 0.01, 0.01, 0.001, 0, 0.01, 0.001};
  const int triangle[12] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6};
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  StSurfaceOptions options = st_surface_defaults(0.0006);
  Probe *probe = probe_create(mesh, &options);
  for (int i = 1; i < 10; i++) {
    double height = 1e-4 * i, x[3] = {0.004, 0.005, height};
    assert_true(probe_gap(probe, x));
    double nearest = fmin(height, 1e-3 - height);
    if (i != 5)
      assert_below(fabs(probe->gap.gap - nearest), 1e-6);
  }
  probe_destroy(probe);
}

// A 2 mm wall of triangles of 5 to 10 mm: the near side alone counts, before, in and behind the
// wall.
static void check_wall(double edge) {
  const ShapeSetting wall[] = {{"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", edge}};
  Probe *probe = probe_of("box", wall, 4, 0.0005);
  uint64_t random = 5;
  for (int i = 0; i < 3000; i++) {
    double z = random_between(&random, -0.006, 0.006);
    double x[3] = {random_between(&random, -0.03, 0.03), random_between(&random, -0.03, 0.03), z};
    double distance = fabs(z) - 0.001;
    if (!probe_gap(probe, x))
      continue; // too far off to touch
    if (fabs(z) > 2e-4) {
      assert_below(fabs(probe->gap.gap - distance), 1e-9);
      assert_below(fabs(probe->gap.gradient[2] - copysign(1, z)), 1e-6);
    } else
      assert_below(fabs(probe->gap.gap - distance), 2e-4);
    check_shares(probe);
  }
  probe_destroy(probe);
}

static void test_thin_wall(void **state) {
  (void)state;
  check_wall(0.005);
  check_wall(0.01);
}

// All around a thin wall, also beside its rim, nothing farther than a third of a triangle touches.
static void test_no_ghosts(void **state) {
  (void)state;
  const ShapeSetting wall[] = {{"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", 0.01}};
  Probe *probe = probe_of("box", wall, 4, 0.0005);
  uint64_t random = 5;
  for (int i = 0; i < 20000; i++) {
    double x[3], far = 0;
    const double half[3] = {0.05, 0.05, 0.001};
    for (int j = 0; j < 3; j++) {
      x[j] = random_between(&random, -half[j] - 0.02, half[j] + 0.02);
      double over = fmax(0, fabs(x[j]) - half[j]);
      far += over * over;
    }
    if (sqrt(far) > 0.0035 && probe_gap(probe, x) && probe->gap.mollifier > 0)
      assert_true(probe->gap.gap > 0.0005);
  }
  probe_destroy(probe);
}

// Over an open sheet, its border and corners included, the fade is 1; half of R past the border it
// is 0, well before samples run out.
static void test_border_of_a_sheet(void **state) {
  (void)state;
  Probe *probe = probe_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1, 0.02);
  double R = st_surface_radius(probe->surface);
  uint64_t random = 3;
  for (int i = 0; i < 20000; i++) {
    double x[3] = {random_between(&random, -0.75, 0.75), random_between(&random, -0.75, 0.75),
                   random_between(&random, -0.02, 0.02)};
    double past = fmax(fabs(x[0]), fabs(x[1])) - 0.5;
    past = past > 0 ? hypot(fmax(0, fabs(x[0]) - 0.5), fmax(0, fabs(x[1]) - 0.5)) : past;
    if (!probe_gap(probe, x)) {
      assert_true(past > 0.5 * R);
      continue;
    }
    assert_below(fabs(probe->gap.gap - x[2]), 1e-12);
    if (past < -0.05 * R)
      assert_true(probe->gap.mollifier == 1);
    if (past < 0)
      assert_true(probe->gap.mollifier > 0.9);
    if (past > 0.5 * R)
      assert_true(probe->gap.mollifier == 0);
  }
  probe_destroy(probe);
}

// A common translation of everything gives no slip: Σ shares · velocity is 0, to round-off.
static void test_translation_slips_not(void **state) {
  (void)state;
  Probe *probe = probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.02);
  uint64_t random = 3;
  for (int i = 0; i < 200; i++) {
    double x[3], slip = 0;
    random_direction(&random, x);
    for (int j = 0; j < 3; j++)
      x[j] *= 0.505;
    assert_true(probe_gap(probe, x));
    for (int k = 0; k < probe->stencil.count; k++)
      slip += 3.7 * probe->gap.share[k];
    assert_below(fabs(slip), 1e-14 * 3.7 * probe->stencil.count);
  }
  probe_destroy(probe);
}

// Collapsed triangles and points far away or not numbers: an answer, and no infinities.
static void test_degenerate(void **state) {
  (void)state;
  Probe *probe = probe_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1, 0.02);
  const int *triangle = probe->mesh->triangle + 3 * 100;
  memcpy(probe->position + 3 * triangle[0], probe->position + 3 * triangle[1], 3 * sizeof(double));
  probe_update(probe);
  double x[3] = {0};
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(1.0 / 3, probe->position + 3 * triangle[v], x);
  x[2] = 0.001;
  assert_true(probe_gap(probe, x));
  assert_true(isfinite(probe->gap.gap));
  for (int i = 0; i < 3 * probe->stencil.count; i++)
    assert_true(isfinite(probe->gap.gradient[i]));
  assert_false(probe_find(probe, (double[3]){1e300, 0, 0}));
  assert_false(probe_find(probe, (double[3]){NAN, 0, 0}));
  probe->position[4] = NAN;
  StError error = {0};
  assert_int_equal(st_surface_update(probe->surface, probe->position, &error), ST_NOT_SOLVED);
  probe_destroy(probe);
}

static void test_radius(void **state) {
  (void)state;
  Probe *probe = probe_of("sheet", (ShapeSetting[]){{"edge", 0.1}, {"pattern", 1}}, 2, 0.02);
  double R = st_surface_radius(probe->surface), reach = 0.1 * sqrt(5) / 3;
  assert_below(fabs(R - fmax(2 * reach, reach + 0.04)), 1e-12);
  for (int i = 0; i < 3 * probe->mesh->vertex_count; i++)
    probe->position[i] *= 1.5;
  probe_grow(probe, probe->position);
  assert_below(fabs(st_surface_radius(probe->surface) - fmax(R, 1.5 * reach + 0.04)), 1e-12);
  probe_grow(probe, probe->mesh->position);
  assert_below(fabs(st_surface_radius(probe->surface) - fmax(R, 1.5 * reach + 0.04)), 1e-12);
  probe_destroy(probe);
}

static void test_bad_options(void **state) {
  (void)state;
  StMesh *mesh = probe_shape("sheet", NULL, 0);
  const StSurfaceOptions bad[] = {{ST_KERNEL_SMOOTH, 0.5, 0.1, 0.01, false},
                                  {ST_KERNEL_SMOOTH, 2, 0, 0.01, false},
                                  {ST_KERNEL_SMOOTH, 2, 0.1, 0, false},
                                  {ST_KERNEL_SMOOTH, NAN, 0.1, 0.01, false}};
  for (int i = 0; i < ST_LENGTH(bad); i++) {
    StSurface *surface;
    StError error;
    assert_int_equal(st_surface_create(mesh->triangle, mesh->triangle_count, mesh->position,
                                       &bad[i], &surface, &error),
                     ST_BAD_INPUT);
    assert_null(surface);
  }
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere),
      cmocka_unit_test(test_flat_face),
      cmocka_unit_test(test_box_edge),
      cmocka_unit_test(test_inner_edge),
      cmocka_unit_test(test_slot),
      cmocka_unit_test(test_thin_wall),
      cmocka_unit_test(test_no_ghosts),
      cmocka_unit_test(test_border_of_a_sheet),
      cmocka_unit_test(test_translation_slips_not),
      cmocka_unit_test(test_degenerate),
      cmocka_unit_test(test_radius),
      cmocka_unit_test(test_bad_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
