// Two-sided surfaces, one point at a time: the side is that of the past, however triangles are
// oriented; sheets with borders, folds, rolls and closed shells; and paths through them.
#include "support/surface_probe.h"
#include "support/random.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static Probe *open_probe(StMesh *mesh, double thickness, bool two_sided) {
  StSurfaceOptions options = st_surface_defaults(thickness);
  options.two_sided = two_sided;
  return probe_create(mesh, &options);
}

static StMesh *sheet(double edge) {
  return probe_shape("sheet", (ShapeSetting[]){{"edge", edge}}, 1);
}

// Gap at x of a point that was at `from` (with a remembered side) while the surface stood still.
static bool gap_from(Probe *probe, const double x[3], const double from[3], int side) {
  StError error = {0};
  StSurfacePast past = {from, probe->position, side};
  if (!probe_find(probe, x) ||
      !st_surface_face(probe->surface, probe->scratch, x, probe->position, &past, &error)) {
    assert_int_equal(error.status, ST_OK);
    return false;
  }
  st_surface_gap(probe->surface, probe->scratch, probe->at, &probe->gap);
  return true;
}

static bool gap_here(Probe *probe, const double x[3]) {
  return gap_from(probe, x, x, 0);
}

static int side_here(const Probe *probe, const double x[3]) {
  return st_surface_side(probe->surface, probe->scratch, x, probe->position);
}

static bool crosses(Probe *probe, const double from[3], const double to[3]) {
  StSurfacePast before = {from, probe->position, 0}, after = {to, probe->position, 0};
  int triangle;
  return st_surface_crossed_sides(probe->surface, probe->scratch, &before, &after, &triangle);
}

// A sheet of 1 m bent into waves, the crests a few triangles long.
static StMesh *waves(void) {
  StMesh *mesh = sheet(0.04);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v;
    x[2] = 0.05 * sin(8 * x[0]) * cos(6 * x[1]);
  }
  return mesh;
}

static void turn_some(StMesh *mesh, uint64_t *random) {
  for (int t = 0; t < mesh->triangle_count; t++)
    if (random_between(random, 0, 1) < 0.5) {
      int *corner = mesh->triangle + 3 * t, other = corner[1];
      corner[1] = corner[2];
      corner[2] = other;
    }
}

// Triangles turned any way: the gap is that of the surface turned to the point, with its slopes.
static void test_turned_triangles(void **state) {
  (void)state;
  uint64_t random = 11;
  StMesh *mixed = waves();
  turn_some(mixed, &random);
  Probe *up = open_probe(waves(), 0.02, false),
        *down = open_probe(probe_turn(waves()), 0.02, false);
  Probe *both = open_probe(mixed, 0.02, true);
  int above = 0, below = 0;
  for (int i = 0; i < 4000; i++) {
    double x[3] = {random_between(&random, -0.55, 0.55), random_between(&random, -0.55, 0.55), 0};
    x[2] = 0.05 * sin(8 * x[0]) * cos(6 * x[1]) + random_between(&random, -0.018, 0.018);
    Probe *facing = probe_gap(up, x) && up->gap.gap > 0 ? up : down;
    bool there = facing == up || (probe_gap(down, x) && down->gap.gap > 0);
    assert_int_equal(there, gap_here(both, x));
    if (!there)
      continue;
    *(facing == up ? &above : &below) += 1;
    assert_below(fabs(facing->gap.gap - both->gap.gap), 1e-14);
    assert_below(fabs(facing->gap.mollifier - both->gap.mollifier), 1e-12);
    for (int j = 0; j < 3; j++)
      assert_below(fabs(facing->gap.gradient[j] - both->gap.gradient[j]), 1e-11);
  }
  assert_true(above > 1000 && below > 1000);
  probe_destroy(up);
  probe_destroy(down);
  probe_destroy(both);
}

// The side is that of the past, near or far; a remembered side takes precedence.
static void test_side_of_the_past(void **state) {
  (void)state;
  Probe *probe = open_probe(sheet(0.1), 0.02, true);
  const double heights[] = {0.01, 0.03, 0.3, 5};
  for (int way = -1; way <= 1; way += 2)
    for (int h = 0; h < ST_LENGTH(heights); h++) {
      double from[3] = {0.13, -0.22, way * heights[h]};
      for (int i = -3; i <= 3; i++) {
        double depth = 0.004 * i, x[3] = {0.1, -0.21, -way * depth};
        assert_true(gap_from(probe, x, from, 0));
        assert_below(fabs(probe->gap.gap + depth), 1e-15);
        assert_below(fabs(probe->gap.gradient[2] - way), 1e-12);
        assert_true((side_here(probe, x) > 0) == (way > 0));
        int side = side_here(probe, x);
        double other[3] = {0.13, -0.22, -way * heights[h]};
        assert_true(gap_from(probe, x, other, side));
        assert_below(fabs(probe->gap.gap + depth), 1e-15);
      }
    }
  probe_destroy(probe);
}

// A sheet along a curve in the plane y = const: (x, z) of `count` places, 0.02 m wide strips.
static StMesh *strip(const double (*place)[2], int count) {
  enum { WIDE = 10 };
  StMesh *mesh = st_mesh_create(count * (WIDE + 1), 0, 2 * (count - 1) * WIDE);
  for (int i = 0; i < count; i++)
    for (int j = 0; j <= WIDE; j++)
      vec3_set(place[i][0], 0.02 * (j - WIDE / 2), place[i][1],
               mesh->position + 3 * (i * (WIDE + 1) + j));
  int *corner = mesh->triangle;
  for (int i = 0; i + 1 < count; i++)
    for (int j = 0; j < WIDE; j++) {
      int a = i * (WIDE + 1) + j, b = a + WIDE + 1;
      const int quad[6] = {a, b, b + 1, a, b + 1, a + 1};
      memcpy(corner, quad, sizeof quad);
      corner += 6;
    }
  return mesh;
}

// Two layers of 0.2 m, `gap` apart, that hang together at x = 0.
static StMesh *fold(double gap) {
  double place[23][2];
  for (int i = 0; i <= 10; i++) {
    place[i][0] = place[22 - i][0] = 0.02 * (10 - i);
    place[i][1] = 0;
    place[22 - i][1] = gap;
  }
  place[11][0] = -gap / 2;
  place[11][1] = gap / 2;
  return strip(place, 23);
}

// Before, between and behind the layers a point is pushed away from the nearer one.
static void check_fold(double gap, double thickness) {
  Probe *probe = open_probe(fold(gap), thickness, true);
  uint64_t random = 5;
  int met[3] = {0};
  for (int i = 0; i < 4000; i++) {
    double x[3] = {random_between(&random, 0.03, 0.18), random_between(&random, -0.08, 0.08),
                   random_between(&random, -2 * thickness, gap + 2 * thickness)};
    double distance = fmin(fabs(x[2]), fabs(x[2] - gap)), middle = fabs(x[2] - gap / 2);
    if (distance < 1e-6 || (x[2] > 0 && x[2] < gap && middle < 0.3 * gap))
      continue; // in the middle both layers speak
    bool there = gap_here(probe, x) && probe->gap.gap < thickness;
    assert_int_equal(there, distance < thickness);
    if (!there)
      continue;
    double away = x[2] < 0 || (x[2] > gap / 2 && x[2] < gap) ? -1 : 1;
    assert_below(fabs(probe->gap.gap - distance), 1e-4 * thickness);
    assert_below(fabs(probe->gap.gradient[2] - away), 1e-3);
    met[x[2] < 0 ? 0 : x[2] < gap ? 1 : 2]++;
  }
  assert_true(met[0] > 200 && met[1] > 50 && met[2] > 200);
  probe_destroy(probe);
}

static void test_fold(void **state) {
  (void)state;
  check_fold(0.02, 0.005);
  check_fold(0.004, 0.001);
}

// Two layers that face the same way, as in a roll: a point between them is in front of one and
// behind the other, and stays there.
static void test_roll(void **state) {
  (void)state;
  StMesh *one = sheet(0.02), *two = sheet(0.02);
  int vertices = one->vertex_count, triangles = one->triangle_count;
  StMesh *mesh = st_mesh_create(2 * vertices, 0, 2 * triangles);
  for (int i = 0; i < 3 * vertices; i++) {
    mesh->position[i] = 0.2 * one->position[i];
    mesh->position[3 * vertices + i] = 0.2 * two->position[i] + (i % 3 == 2 ? 0.004 : 0);
  }
  for (int i = 0; i < 3 * triangles; i++) {
    mesh->triangle[i] = one->triangle[i];
    mesh->triangle[3 * triangles + i] = two->triangle[i] + vertices;
  }
  st_mesh_destroy(one);
  st_mesh_destroy(two);
  Probe *probe = open_probe(mesh, 0.002, true);
  const double from[3] = {0.01, 0.02, 0.0021};
  const double height[] = {-0.0008, -0.0002, 0.0002, 0.001, 0.0031, 0.0038, 0.0043, 0.0049};
  for (int i = 0; i < ST_LENGTH(height); i++) {
    double x[3] = {0.01, 0.02, height[i]}, z = height[i];
    assert_true(gap_from(probe, x, from, 0));
    assert_below(fabs(probe->gap.gap - (z < 0.002 ? z : 0.004 - z)), 2e-6);
  }
  // Over both, the lower one is hidden and has no say.
  const double top[3] = {0.01, 0.02, 0.0045};
  assert_true(gap_here(probe, top));
  assert_below(fabs(probe->gap.gap - 0.0005), 1e-7);
  probe_destroy(probe);
}

// Two sheets sewn along the rim with nothing between them yet: from above and from below, in the
// middle and near the rim.
static void test_flat_pillow(void **state) {
  (void)state;
  const ShapeSetting flat = {"relative_gap", 0};
  Probe *probe = open_probe(probe_shape("pillow", &flat, 1), 0.01, true);
  uint64_t random = 5;
  double low[3] = {0}, high[3] = {0};
  for (int i = 0; i < 3 * probe->mesh->vertex_count; i++) {
    low[i % 3] = fmin(low[i % 3], probe->position[i]);
    high[i % 3] = fmax(high[i % 3], probe->position[i]);
  }
  for (int i = 0; i < 2000; i++) {
    double z = random_between(&random, -0.009, 0.009);
    double x[3] = {random_between(&random, 0.98 * low[0], 0.98 * high[0]),
                   random_between(&random, 0.98 * low[1], 0.98 * high[1]), z};
    if (fabs(z) < 1e-3)
      continue;
    assert_true(gap_here(probe, x));
    assert_below(fabs(probe->gap.gap - fabs(z)), 1e-5);
    int side = side_here(probe, x), triangle = 3 * (abs(side) - 1);
    double e1[3], e2[3], normal[3];
    const double *a = probe->position + 3 * probe->mesh->triangle[triangle];
    vec3_sub(probe->position + 3 * probe->mesh->triangle[triangle + 1], a, e1);
    vec3_sub(probe->position + 3 * probe->mesh->triangle[triangle + 2], a, e2);
    vec3_cross(e1, e2, normal);
    assert_true(side > 0 && normal[2] * z > 0); // the layer on the point's side, from its outside
  }
  probe_destroy(probe);
}

// A closed shell is touched from inside as from outside; a contact by its own middle holds it.
static void test_closed_shell(void **state) {
  (void)state;
  Probe *probe = open_probe(probe_shape("sphere", (ShapeSetting[]){{"cells", 12}}, 1), 0.01, true);
  uint64_t random = 3;
  for (int i = 0; i < 3000; i++) {
    double way[3], x[3], length, distance = random_between(&random, -0.008, 0.008);
    random_fill(&random, -1, 1, 3, way);
    if (!((length = vec3_length(way)) > 0.2) || fabs(distance) < 2e-3)
      continue;
    for (int j = 0; j < 3; j++)
      x[j] = way[j] / length * (0.5 + distance);
    assert_true(gap_here(probe, x));
    assert_below(fabs(probe->gap.gap - fabs(distance)), 1e-3);
    assert_true(vec3_dot(probe->gap.gradient, x) * distance > 0);
    const double middle[3] = {0, 0, 0};
    assert_true(gap_from(probe, x, middle, 0));
    assert_below(fabs(probe->gap.gap + distance), 1e-3);
  }
  probe_destroy(probe);
}

// Past a border the push fades out from both sides alike; round it a point changes sides freely.
static void test_border(void **state) {
  (void)state;
  Probe *probe = open_probe(sheet(0.1), 0.02, true);
  double R = st_surface_radius(probe->surface);
  for (int i = 0; i <= 60; i++) {
    double past = R * (i - 20) / 60, up[3] = {0.5 + past, 0.1, 0.01},
           down[3] = {0.5 + past, 0.1, -0.01};
    assert_true(gap_here(probe, up));
    double mollifier = probe->gap.mollifier;
    assert_below(fabs(probe->gap.gap - 0.01), 1e-14);
    assert_true(gap_here(probe, down));
    assert_below(fabs(probe->gap.gap - 0.01), 1e-14);
    assert_below(fabs(probe->gap.mollifier - mollifier), 1e-13);
    if (past > 0.5 * R)
      assert_true(mollifier == 0);
  }
  const double over[3] = {0.45, 0, 0.01}, beside[3] = {0.5 + R, 0, 0}, under[3] = {0.45, 0, -0.01};
  assert_false(crosses(probe, over, beside));
  assert_false(crosses(probe, beside, under));
  assert_true(crosses(probe, over, under));
  probe_destroy(probe);
}

// Fast points are caught from both sides; those that only slip between the triangles and the smooth
// surface are not.
static void test_crossing(void **state) {
  (void)state;
  Probe *probe = open_probe(waves(), 0.002, true);
  assert_int_equal(st_surface_sweep(probe->surface, probe->position, probe->position, NULL), ST_OK);
  uint64_t random = 23;
  for (int i = 0; i < 2000; i++) {
    double from[3], to[3], way = i % 2 ? 1 : -1;
    for (int j = 0; j < 2; j++) {
      from[j] = random_between(&random, -0.4, 0.4);
      to[j] = random_between(&random, -0.4, 0.4);
    }
    from[2] = way * random_between(&random, 0.08, 2);
    to[2] = way * random_between(&random, -2, -0.08);
    assert_true(crosses(probe, from, to));
    to[2] = way * random_between(&random, 0.08, 2);
    assert_false(crosses(probe, from, to));
  }
  int slipped = 0;
  for (int i = 0; i < 20000; i++) {
    double a[3] = {random_between(&random, -0.4, 0.4), random_between(&random, -0.4, 0.4), 0}, b[3];
    a[2] = 0.05 * sin(8 * a[0]) * cos(6 * a[1]) + random_between(&random, -0.001, 0.001);
    for (int j = 0; j < 3; j++)
      b[j] = a[j] + random_between(&random, -1e-3, 1e-3);
    if (!gap_here(probe, a))
      continue;
    int side = side_here(probe, a);
    bool stays = gap_from(probe, b, a, side) && probe->gap.gap >= 0;
    StSurfacePast before = {a, probe->position, side}, after = {b, probe->position, 0};
    int triangle;
    bool crossed =
        st_surface_crossed_sides(probe->surface, probe->scratch, &before, &after, &triangle);
    assert_false(stays && crossed);
    slipped += stays && !crossed;
  }
  assert_true(slipped > 1000);
  probe_destroy(probe);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_turned_triangles),
      cmocka_unit_test(test_side_of_the_past),
      cmocka_unit_test(test_fold),
      cmocka_unit_test(test_roll),
      cmocka_unit_test(test_flat_pillow),
      cmocka_unit_test(test_closed_shell),
      cmocka_unit_test(test_border),
      cmocka_unit_test(test_crossing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
