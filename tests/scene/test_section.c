// Sections near an end of a body: a tip is narrow, a face is not.
#include "scene/section.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// A pyramid of height 1 on a rectangle of 2b × 2c.
enum { BASE = 4, TRIANGLES = 6 };
static const int PYRAMID[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2};
static const double B = 0.5, C = 0.25;

static StMesh *pyramid(double side) {
  StMesh *mesh = st_mesh_create(BASE + 1, 0, 0);
  for (int i = 0; i < BASE; i++) {
    mesh->position[3 * i] = (i == 0 || i == 3 ? -1 : 1) * B;
    mesh->position[3 * i + 1] = (i < 2 ? -1 : 1) * side;
    mesh->position[3 * i + 2] = 0;
  }
  memcpy(mesh->position + 3 * BASE, (const double[]){0, 0, 1}, 3 * sizeof(double));
  return mesh;
}

static double narrowing_from(StMesh *mesh, double x, double up, double depth) {
  const double from[3] = {x, 0, 0.1}, way[3] = {0, 0, up};
  double result = st_section_narrowing(mesh, PYRAMID, TRIANGLES, from, way, depth);
  st_mesh_destroy(mesh);
  return result;
}

static double narrowing(StMesh *mesh, double up, double depth) {
  return narrowing_from(mesh, 0, up, depth);
}

// At the depth 0.1 the half-width is 0.1 of that of the base, and its smaller one counts.
static void test_tip(void **state) {
  (void)state;
  assert_true(fabs(narrowing(pyramid(C), 1, 0.1) - (10 - 2) / C) < 1e-9);
  assert_true(fabs(narrowing(pyramid(B / 8), 1, 0.1) - 8 * (10 - 2) / B) < 1e-9);
}

// A point beside the tip does not see it.
static void test_beside(void **state) {
  (void)state;
  assert_true(narrowing_from(pyramid(C), 0.09 * B, 1, 0.1) > 0);
  assert_true(narrowing_from(pyramid(C), 0.11 * B, 1, 0.1) == 0);
}

// From below, the section is 0.9 as wide as the body. Nothing is beyond its end.
static void test_face(void **state) {
  (void)state;
  assert_true(narrowing(pyramid(C), -1, 0.1) == 0);
  assert_true(narrowing(pyramid(C), 1, 2) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tip), cmocka_unit_test(test_beside),
                                     cmocka_unit_test(test_face)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
