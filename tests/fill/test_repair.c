// Surfaces with every fault that files have: what is mended is exact, what is not is named.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fill/repair.h"
#include "support/surface_soup.h"

static StMesh *repair_well(const StMesh *surface, double width, StRepair *repair) {
  StError error = {0};
  StMesh *mesh = NULL;
  if (st_repair(surface, "s", width, NULL, &mesh, repair, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_int_equal(st_surface_check_closed(mesh->position, mesh->vertex_count, mesh->triangle,
                                           mesh->triangle_count, &error),
                   ST_OK);
  return mesh;
}

static void assert_refused(const StMesh *surface, const char *message) {
  StError error = {0};
  StRepair repair;
  StMesh *mesh = NULL;
  assert_int_equal(st_repair(surface, "s", 0.1, NULL, &mesh, &repair, &error), ST_BAD_INPUT);
  if (!strstr(error.text, message))
    fail_msg("said: %s", error.text);
}

static void test_apart_and_flipped(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.3), *soup = soup_apart(ball, 1e-8);
  int flipped = 0;
  for (int t = 0; t < soup->triangle_count; t += 5, flipped++)
    soup_flip(soup, t);
  StRepair repair;
  StMesh *mesh = repair_well(soup, 0, &repair);
  assert_int_equal(mesh->vertex_count, ball->vertex_count);
  assert_int_equal(repair.joined, soup->vertex_count - ball->vertex_count);
  assert_int_equal(repair.turned, flipped);
  assert_int_equal(repair.holes + repair.empty + repair.repeated + repair.crossings, 0);
  assert_true(fabs(soup_volume(mesh) - soup_volume(ball)) < 1e-6 * soup_volume(ball));
  st_mesh_destroy(ball);
  st_mesh_destroy(soup);
  st_mesh_destroy(mesh);
}

static void test_inside_out(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.3);
  for (int t = 0; t < ball->triangle_count; t++)
    soup_flip(ball, t);
  StRepair repair;
  StMesh *mesh = repair_well(ball, 0, &repair);
  assert_int_equal(repair.turned, ball->triangle_count);
  assert_true(soup_volume(mesh) > 0);
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

static void test_repeated_and_empty(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.3);
  int last = ball->triangle_count - 1;
  StMesh *more = st_mesh_create(ball->vertex_count, 0, ball->triangle_count + 2);
  memcpy(more->position, ball->position, 3 * (size_t)ball->vertex_count * sizeof(double));
  memcpy(more->triangle, ball->triangle, 3 * (size_t)ball->triangle_count * sizeof(int));
  const int extra[6] = {ball->triangle[3 * last + 1],
                        ball->triangle[3 * last + 2],
                        ball->triangle[3 * last],
                        0,
                        0,
                        1};
  memcpy(more->triangle + 3 * (size_t)ball->triangle_count, extra, sizeof extra);
  StRepair repair;
  StMesh *mesh = repair_well(more, 0, &repair);
  assert_int_equal(repair.repeated, 1);
  assert_int_equal(repair.empty, 1);
  assert_int_equal(mesh->triangle_count, ball->triangle_count);
  st_mesh_destroy(ball);
  st_mesh_destroy(more);
  st_mesh_destroy(mesh);
}

static void test_holes(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.2);
  double whole = soup_volume(ball);
  int all = ball->triangle_count;
  ball->triangle_count -= 1; // one triangle, then a part of the cap as well
  StRepair repair;
  StMesh *mesh = repair_well(ball, 0.5, &repair);
  assert_int_equal(repair.holes, 1);
  assert_int_equal(mesh->triangle_count, all);
  assert_true(fabs(soup_volume(mesh) - whole) < 1e-12 * whole);
  assert_refused(ball, "the surface has a hole");
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

static void test_nested(void **state) {
  (void)state;
  StMesh *big = soup_shape("sphere", 0.3), *small = soup_shape("sphere", 0.3);
  for (int i = 0; i < 3 * small->vertex_count; i++)
    small->position[i] *= 0.5;
  double shell = soup_volume(big) - soup_volume(small);
  StMesh *both = soup_join(big, small, (double[3]){0.01, 0, 0});
  StRepair repair;
  StMesh *mesh = repair_well(both, 0, &repair);
  assert_int_equal(repair.cavities, 1);
  assert_true(fabs(soup_volume(mesh) - shell) < 1e-9 * shell);
  st_mesh_destroy(big);
  st_mesh_destroy(small);
  st_mesh_destroy(both);
  st_mesh_destroy(mesh);
}

// Two parts through each other are no small fault.
static void test_crossing_parts(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.2);
  StMesh *both = soup_join(ball, ball, (double[3]){0.63, 0.02, 0.01});
  assert_refused(both, "the surface crosses itself");
  st_mesh_destroy(ball);
  st_mesh_destroy(both);
}

// A vertex pulled through the other side of a thin plate crosses there and nowhere else.
static void test_small_crossing(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.06);
  for (int v = 0; v < ball->vertex_count; v++)
    ball->position[3 * v + 2] *= 0.05;
  int top = 0;
  for (int v = 0; v < ball->vertex_count; v++)
    if (ball->position[3 * v + 2] > ball->position[3 * top + 2])
      top = v;
  double thick = ball->position[3 * top + 2];
  ball->position[3 * top + 2] = -1.2 * thick;
  ball->position[3 * top] += 0.011, ball->position[3 * top + 1] += 0.007;
  StRepair repair;
  StMesh *mesh = repair_well(ball, 0.3, &repair);
  assert_true(repair.crossings > 0);
  assert_true(fabs(repair.crossing_place[0][0]) < 0.2 && fabs(repair.crossing_place[0][1]) < 0.2);
  StError error;
  assert_int_equal(st_repair_crossings(mesh, 0, NULL, NULL, &error), ST_OK);
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

static void test_crowded(void **state) {
  (void)state;
  StMesh *mesh = st_mesh_create(5, 0, 3);
  const double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
  const int t[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
  memcpy(mesh->position, x, sizeof x);
  memcpy(mesh->triangle, t, sizeof t);
  assert_refused(mesh, "1 edge has more than two triangles");
  assert_refused(mesh, "3 at (0, 0, 0) – (1, 0, 0)");
  st_mesh_destroy(mesh);
}

static void test_one_side(void **state) {
  (void)state;
  enum { N = 12 };
  StMesh *mesh = st_mesh_create(2 * N, 0, 2 * N);
  for (int i = 0; i < N; i++) {
    double turn = 2 * M_PI * i / N, half = turn / 2;
    for (int s = 0; s < 2; s++) {
      double r = 1 + (s ? 0.3 : -0.3) * cos(half), *x = mesh->position + 3 * (2 * i + s);
      x[0] = r * cos(turn), x[1] = r * sin(turn), x[2] = (s ? 0.3 : -0.3) * sin(half);
    }
    int a = 2 * i, b = a + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? a + 3 : 0;
    const int t[6] = {a, c, b, b, c, d};
    memcpy(mesh->triangle + 6 * i, t, sizeof t);
  }
  assert_refused(mesh, "one side only");
  st_mesh_destroy(mesh);
}

// Two tets with one vertex in common are taken apart there, and stay where they are.
static void test_pinched(void **state) {
  (void)state;
  StMesh *mesh = st_mesh_create(7, 0, 8);
  const double x[21] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1};
  const int t[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 4, 5, 0, 6, 4, 0, 5, 6, 4, 6, 5};
  memcpy(mesh->position, x, sizeof x);
  memcpy(mesh->triangle, t, sizeof t);
  StRepair repair;
  StMesh *apart = repair_well(mesh, 0, &repair);
  assert_int_equal(repair.parted, 1);
  assert_int_equal(apart->vertex_count, 8);
  assert_true(fabs(soup_volume(apart) - 2.0 / 6) < 2e-3);
  st_mesh_destroy(mesh);
  st_mesh_destroy(apart);
}

// Two triangles with one corner in common are missing: the hole between them is made one.
static void test_holes_meet(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.2);
  int other = 1, corner = ball->triangle[0];
  for (int t = 1; t < ball->triangle_count; t++) {
    int common = 0, has = 0;
    for (int i = 0; i < 9; i++)
      common += ball->triangle[i / 3] == ball->triangle[3 * t + i % 3];
    for (int i = 0; i < 3; i++)
      has |= ball->triangle[3 * t + i] == corner;
    if (common == 1 && has)
      other = t;
  }
  double whole = soup_volume(ball);
  int last = 3 * (ball->triangle_count - 1);
  memcpy(ball->triangle + 3 * other, ball->triangle + last, 3 * sizeof(int));
  memcpy(ball->triangle, ball->triangle + last - 3, 3 * sizeof(int));
  ball->triangle_count -= 2;
  StRepair repair;
  StMesh *mesh = repair_well(ball, 0.6, &repair);
  assert_int_equal(repair.holes, 1);
  assert_true(repair.loose > 0);
  assert_true(fabs(soup_volume(mesh) - whole) < 0.02 * whole);
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_apart_and_flipped),
      cmocka_unit_test(test_inside_out),
      cmocka_unit_test(test_repeated_and_empty),
      cmocka_unit_test(test_holes),
      cmocka_unit_test(test_nested),
      cmocka_unit_test(test_crossing_parts),
      cmocka_unit_test(test_small_crossing),
      cmocka_unit_test(test_crowded),
      cmocka_unit_test(test_one_side),
      cmocka_unit_test(test_pinched),
      cmocka_unit_test(test_holes_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
