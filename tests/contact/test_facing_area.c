// Areas of vertices: what faces one way, and of several ways the one that fits the face's inside.
#include "contact/barrier/facing_area.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

// A unit square of n × n cells that faces up, a wall below its side y = 0, one cell high, that
// faces -y, and behind the foot of the wall a row of cells that face down. Vertices of the square
// come first, row by row; then the foot of the wall, and what is behind it.
typedef struct Step {
  int n, vertex_count, triangle_count;
  double *position, *area;
  int *triangle;
} Step;

static int add_cell(Step *step, int a, int b, int c, int d) {
  const int corner[] = {a, b, c, a, c, d};
  for (int i = 0; i < 6; i++)
    step->triangle[3 * step->triangle_count + i] = corner[i];
  return step->triangle_count += 2;
}

static Step make_step(int n, double height) {
  int across = n + 1;
  Step s = {.n = n, .vertex_count = across * (across + 2)};
  s.position = calloc(3 * (size_t)s.vertex_count, sizeof(double));
  s.area = calloc((size_t)s.vertex_count, sizeof(double));
  s.triangle = calloc(6 * (size_t)(n * n + 2 * n), sizeof(int));
  for (int v = 0; v < s.vertex_count; v++) {
    bool below = v >= across * across;
    s.position[3 * v] = (double)(v % across) / n;
    s.position[3 * v + 1] = below ? v / across - across : (double)(v / across) / n;
    s.position[3 * v + 2] = below ? -height : 0;
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int v = j * across + i;
      add_cell(&s, v, v + 1, v + across + 1, v + across);
    }
  for (int i = 0; i < n; i++) {
    int foot = across * across + i;
    add_cell(&s, foot, foot + 1, i + 1, i);
    add_cell(&s, foot, foot + across, foot + across + 1, foot + 1);
  }
  assert_int_equal(
      st_facing_areas(s.position, s.triangle, s.triangle_count, s.vertex_count, s.area, NULL),
      ST_OK);
  return s;
}

static void free_step(Step *s) {
  free(s->position);
  free(s->area);
  free(s->triangle);
}

// Along the edge between square and wall a vertex has half of a cell of the square, whatever the
// height of the wall. (Cells are cut the same way, so that each vertex inside the edge has three
// triangles of the square.)
static void rims_fit_the_face_they_bound(void **state) {
  (void)state;
  for (double height = 0.01; height < 20; height *= 10) {
    Step s = make_step(4, height);
    for (int i = 1; i < s.n; i++)
      assert_true(fabs(s.area[i] - 0.5 / (s.n * s.n)) < 1e-14);
    for (int i = 1; i < s.n; i++) // amid the square
      assert_true(fabs(s.area[2 * (s.n + 1) + i] - 1.0 / (s.n * s.n)) < 1e-14);
    free_step(&s);
  }
}

// A box of twelve triangles: no face has an inside, and the largest one counts. Each of its corners
// has one or two of the triangles of a face.
static void without_an_inside_the_largest_face_counts(void **state) {
  (void)state;
  const int triangle[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                          2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  for (double height = 0.1; height < 20; height *= 100) {
    double position[24], area[8], largest = fmax(height, 1);
    for (int v = 0; v < 8; v++) {
      position[3 * v] = v & 1;
      position[3 * v + 1] = v >> 1 & 1;
      position[3 * v + 2] = height * (v >> 2);
    }
    assert_int_equal(st_facing_areas(position, triangle, 12, 8, area, NULL), ST_OK);
    for (int v = 0; v < 8; v++)
      assert_true(fabs(area[v] - largest / 6) < 1e-14 || fabs(area[v] - largest / 3) < 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rims_fit_the_face_they_bound),
      cmocka_unit_test(without_an_inside_the_largest_face_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
