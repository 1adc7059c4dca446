// Paths through triangles: found front to back, fast or slow, at edges and corners of the mesh,
// with either or both moving; not found when they slide, rest, touch or return.
#include "support/surface_probe.h"
#include "support/random.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

typedef struct Motion {
  Probe *probe;
  double *before, *after;
} Motion;

static Motion motion_of(const char *shape, const ShapeSetting *setting, int count) {
  StSurfaceOptions options = st_surface_defaults(0.001);
  Motion m = {.probe = probe_create(probe_shape(shape, setting, count), &options)};
  size_t numbers = 3 * (size_t)m.probe->mesh->vertex_count;
  m.before = ST_NEW(double, numbers);
  m.after = ST_NEW(double, numbers);
  memcpy(m.before, m.probe->mesh->position, numbers * sizeof(double));
  memcpy(m.after, m.probe->mesh->position, numbers * sizeof(double));
  return m;
}

static void motion_free(Motion *m) {
  free(m->before);
  free(m->after);
  probe_destroy(m->probe);
}

static void motion_sweep(Motion *m) {
  assert_int_equal(st_surface_sweep(m->probe->surface, m->before, m->after, NULL), ST_OK);
}

static bool crossed(const Motion *m, const double start[3], const double end[3]) {
  int triangle = -1;
  bool yes = st_surface_crossed(m->probe->surface, start, end, m->before, m->after, &triangle);
  assert_int_equal(yes, triangle >= 0);
  return yes;
}

static bool crossed_down(const Motion *m, double x, double y, double from, double to) {
  return crossed(m, (double[3]){x, y, from}, (double[3]){x, y, to});
}

static void test_fast_point_through_sheet(void **state) {
  (void)state;
  Motion m = motion_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1);
  for (int swept = 0; swept < 2; swept++) {
    uint64_t random = 3;
    for (int i = 0; i < 500; i++) {
      double x = random_between(&random, -0.49, 0.49), y = random_between(&random, -0.49, 0.49);
      assert_true(crossed_down(&m, x, y, 10, -10));
      assert_true(crossed_down(&m, x, y, 1e-6, -1e-6));
      assert_false(crossed_down(&m, x, y, -1, 1)); // back to front
      assert_false(crossed_down(&m, x, y, 1, 1e-9));
      assert_false(crossed_down(&m, x, y, -1e-9, -1));
      assert_false(crossed_down(&m, x + 1, y, 1, -1));
    }
    motion_sweep(&m);
  }
  motion_free(&m);
}

// Through vertices and edges, and along slanted paths that meet the mesh exactly there.
static void test_edges_and_corners(void **state) {
  (void)state;
  Motion m = motion_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1);
  motion_sweep(&m);
  uint64_t random = 3;
  const StMesh *mesh = m.probe->mesh;
  for (int t = 0; t < mesh->triangle_count; t++)
    for (int v = 0; v < 3; v++) {
      const double *a = mesh->position + 3 * mesh->triangle[3 * t + v];
      const double *b = mesh->position + 3 * mesh->triangle[3 * t + (v + 1) % 3];
      for (int i = 0; i < 5; i++) {
        double s = i ? random_between(&random, 0, 1) : 0, start[3], end[3];
        double split = random_between(&random, 0.01, 0.99), way[3];
        random_fill(&random, -1, 1, 3, way);
        way[2] = -0.1 - fabs(way[2]);
        for (int j = 0; j < 3; j++) {
          double at = a[j] + s * (b[j] - a[j]);
          start[j] = at - split * way[j];
          end[j] = at + (1 - split) * way[j];
        }
        assert_true(crossed(&m, start, end));
      }
    }
  motion_free(&m);
}

static void test_sliding_and_resting(void **state) {
  (void)state;
  Motion m = motion_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1);
  motion_sweep(&m);
  for (int i = 0; i < 12; i++) {
    double height = pow(10, -i);
    double a[3] = {-0.4, -0.31, height}, b[3] = {0.4, 0.33, height};
    assert_false(crossed(&m, a, b));
    assert_false(crossed(&m, a, a));
  }
  // On the surface itself: along it and away is no crossing, into it is.
  double a[3] = {-0.4, -0.31, 0}, b[3] = {0.4, 0.33, 0}, up[3] = {0.4, 0.33, 0.1};
  double down[3] = {0.4, 0.33, -0.1};
  assert_false(crossed(&m, a, b));
  assert_false(crossed(&m, a, a));
  assert_false(crossed(&m, a, up));
  assert_true(crossed(&m, a, down));
  motion_free(&m);
}

// The mesh rises over a resting point; then both move together, however far.
static void test_moving_triangles(void **state) {
  (void)state;
  Motion m = motion_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1);
  int count = m.probe->mesh->vertex_count;
  for (int v = 0; v < count; v++)
    m.after[3 * v + 2] += 0.2;
  motion_sweep(&m);
  assert_true(crossed_down(&m, 0.123, 0.234, 0.1, 0.1));
  assert_false(crossed_down(&m, 0.123, 0.234, 0.3, 0.3));
  assert_false(crossed_down(&m, 0.123, 0.234, 0.1, 0.3001));
  for (int v = 0; v < count; v++)
    m.after[3 * v] += 1000;
  motion_sweep(&m);
  assert_false(crossed(&m, (double[3]){0.1, 0.2, 0.01}, (double[3]){1000.1, 0.2, 0.21}));
  assert_true(crossed(&m, (double[3]){0.1, 0.2, 0.01}, (double[3]){1000.1, 0.2, 0.19}));
  motion_free(&m);
}

// A turning triangle sweeps a point that ends on the side where it began with respect to the plane
// at neither end: the cubic has a root in the middle.
static void test_turning(void **state) {
  (void)state;
  Motion m = motion_of("sheet", (ShapeSetting[]){{"edge", 0.5}}, 1);
  double turn[9];
  mat3_rotation((double[3]){0, 1, 0}, 0.9, turn);
  for (int v = 0; v < m.probe->mesh->vertex_count; v++)
    mat3_apply(turn, m.before + 3 * v, m.after + 3 * v);
  motion_sweep(&m);
  double ahead[3] = {-0.3, 0.05, 0.2}, behind[3] = {0.3, 0.05, 0.2};
  assert_true(crossed(&m, ahead, ahead)); // −x rises
  assert_false(crossed(&m, behind, behind));
  motion_free(&m);
}

// Thin wall: passing clean through is one entry, whatever the speed.
static void test_through_thin_wall(void **state) {
  (void)state;
  const ShapeSetting wall[] = {{"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", 0.01}};
  Motion m = motion_of("box", wall, 4);
  motion_sweep(&m);
  uint64_t random = 3;
  for (int i = 0; i < 300; i++) {
    double x = random_between(&random, -0.049, 0.049), y = random_between(&random, -0.049, 0.049);
    assert_true(crossed_down(&m, x, y, 0.0011, -0.0011));
    assert_true(crossed_down(&m, x, y, -5, 5));
    assert_false(crossed_down(&m, x, y, 0.0011, 5));
  }
  motion_free(&m);
}

// A point that ends a little behind a triangle, on the side that faces along its ∇ψ, has not
// passed; one that ends behind the wall has, though the side it left through agrees with its ∇ψ.
static void test_crossed_against(void **state) {
  (void)state;
  const ShapeSetting wall[] = {{"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", 0.01}};
  Motion m = motion_of("box", wall, 4);
  const double start[3] = {0.011, 0.012, 0.002}, within[3] = {0.011, 0.012, 0.0009};
  const double behind[3] = {0.011, 0.012, -0.002}, up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
  for (int swept = 0; swept < 2; swept++) {
    const StSurface *surface = m.probe->surface;
    int triangle;
    assert_true(crossed(&m, start, within));
    assert_false(
        st_surface_crossed_against(surface, start, within, m.before, m.after, up, &triangle));
    assert_true(crossed(&m, start, behind));
    assert_true(
        st_surface_crossed_against(surface, start, behind, m.before, m.after, down, &triangle));
    motion_sweep(&m);
  }
  motion_free(&m);
}

// Random motions of all: with and without cells the answers agree, and a closed body is entered by
// every path that ends inside it.
static void test_random_motions(void **state) {
  (void)state;
  Motion m = motion_of("sphere", (ShapeSetting[]){{"cells", 8}}, 1);
  Motion all = motion_of("sphere", (ShapeSetting[]){{"cells", 8}}, 1);
  uint64_t random = 21;
  int count = 0;
  for (int v = 0; v < m.probe->mesh->vertex_count; v++) {
    double stretch = random_between(&random, 0.97, 1.03);
    for (int j = 0; j < 3; j++)
      all.after[3 * v + j] = m.after[3 * v + j] = stretch * m.before[3 * v + j] + (j == 0) * 0.3;
  }
  motion_sweep(&m);
  for (int i = 0; i < 1500; i++) {
    double start[3], end[3], centre[3];
    random_fill(&random, -1, 1, 3, start);
    random_fill(&random, -1, 1, 3, end);
    bool yes = crossed(&m, start, end);
    assert_int_equal(yes, crossed(&all, start, end));
    vec3_set(end[0] - 0.3, end[1], end[2], centre);
    if (vec3_length(start) > 0.52 && vec3_length(centre) < 0.45) {
      assert_true(yes);
      count++;
    }
  }
  assert_true(count > 30);
  motion_free(&m);
  motion_free(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fast_point_through_sheet),
      cmocka_unit_test(test_edges_and_corners),
      cmocka_unit_test(test_sliding_and_resting),
      cmocka_unit_test(test_moving_triangles),
      cmocka_unit_test(test_turning),
      cmocka_unit_test(test_through_thin_wall),
      cmocka_unit_test(test_crossed_against),
      cmocka_unit_test(test_random_motions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
