// Edges through triangles in random heaps of triangles with common vertices, on integer
// coordinates, against all pairs in exact arithmetic by another formula: the point where an edge's
// line meets the triangle's plane, in the triangle's own coordinates.
#include "judge/crossing.h"

#include "support/whole_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct Heap {
  StMesh *mesh;
  StHull hull;
  int first; // number of its first vertex
} Heap;

enum { SEPARATE, THROUGH, ON_RIM };

static const double *place(const double *position, int vertex) {
  return position + 3 * (size_t)vertex;
}

// p + t (q - p) = a + u (b - a) + v (c - a) by Cramer's rule; *rim: the edge that is met exactly.
static int meet(const double *p, const double *q, const double *const at[3], int *rim) {
  Whole along[3], e[3], f[3], arm[3], back[3];
  whole_difference(q, p, along);
  whole_difference(at[1], at[0], e);
  whole_difference(at[2], at[0], f);
  whole_difference(p, at[0], arm);
  whole_difference(p, q, back);
  Whole d = whole_determinant(back, e, f);
  if (d == 0)
    return SEPARATE;
  Whole s = d > 0 ? 1 : -1;
  Whole t = s * whole_determinant(arm, e, f), u = s * whole_determinant(back, arm, f);
  Whole v = s * whole_determinant(back, e, arm), w = s * d - u - v;
  if (t <= 0 || t >= s * d || u < 0 || v < 0 || w < 0)
    return SEPARATE;
  int zeros = (u == 0) + (v == 0) + (w == 0);
  *rim = v == 0 ? 0 : w == 0 ? 1 : 2; // a b, b c, c a
  return zeros == 0 ? THROUGH : zeros == 1 ? ON_RIM : SEPARATE;
}

// Third corner of the only other triangle at an edge; -1: there is none, or there are several.
static int across(const StHull *hull, int triangle, int a, int b) {
  int found = 0, third = -1;
  for (int t = 0; t < hull->triangle_count; t++) {
    const int *corner = hull->triangle + 3 * t;
    int has = 0, other = -1;
    for (int i = 0; i < 3; i++) {
      if (corner[i] == a || corner[i] == b)
        has++;
      else
        other = corner[i];
    }
    if (t != triangle && has == 2) {
      found++;
      third = other;
    }
  }
  return found == 1 ? third : -1;
}

static bool through_rim(const double *p, const double *q, const StHull *hull,
                        const double *position, int triangle, int rim) {
  const int *corner = hull->triangle + 3 * triangle;
  int a = corner[rim], b = corner[(rim + 1) % 3], c = corner[(rim + 2) % 3];
  int d = across(hull, triangle, a, b);
  if (d < 0)
    return false;
  const double *A = place(position, a), *B = place(position, b);
  const double *C = place(position, c), *D = place(position, d);
  // Of the two triangles the one whose third corner has the lower number counts.
  return whole_orient(A, B, C, p) * whole_orient(B, A, D, p) > 0 &&
         whole_orient(A, B, C, q) * whole_orient(B, A, D, q) > 0 && c < d;
}

static long count_slowly(const StHull *edges, const StHull *hull, const double *position) {
  long count = 0;
  for (int e = 0; e < edges->edge_count; e++)
    for (int t = 0; t < hull->triangle_count; t++) {
      const int *edge = edges->edge + 2 * e, *corner = hull->triangle + 3 * t;
      bool shares = false;
      for (int i = 0; i < 3; i++)
        shares = shares || corner[i] == edge[0] || corner[i] == edge[1];
      if (shares)
        continue;
      const double *p = place(position, edge[0]), *q = place(position, edge[1]);
      const double *const at[3] = {place(position, corner[0]), place(position, corner[1]),
                                   place(position, corner[2])};
      int rim, how = meet(p, q, at, &rim);
      count += how == THROUGH || (how == ON_RIM && through_rim(p, q, hull, position, t, rim));
    }
  return count;
}

static bool same_triangle(const int *a, const int *b) {
  int common = 0;
  for (int i = 0; i < 3; i++)
    common += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
  return common == 3;
}

// No two triangles with the same corners, as in any mesh that was checked.
static void fill_triangles(StMesh *mesh, uint64_t *seed) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    int *corner = mesh->triangle + 3 * t;
    bool good;
    do {
      for (int i = 0; i < 3; i++)
        corner[i] = (int)random_between(seed, 0, mesh->vertex_count);
      good = corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
      for (int k = 0; k < t && good; k++)
        good = !same_triangle(corner, mesh->triangle + 3 * k);
    } while (!good);
  }
}

static Heap heap_create(int vertices, int triangles, double range, int first, double *position,
                        uint64_t *seed) {
  Heap heap = {.mesh = st_mesh_create(vertices, 0, triangles), .first = first};
  for (int v = 0; v < vertices; v++)
    whole_point(seed, range, heap.mesh->position + 3 * v);
  fill_triangles(heap.mesh, seed);
  assert_int_equal(st_hull_create(heap.mesh, first, &heap.hull, NULL), ST_OK);
  memcpy(position + 3 * first, heap.mesh->position, 3 * (size_t)vertices * sizeof(double));
  return heap;
}

static void heap_free(Heap *heap) {
  st_hull_free(&heap->hull);
  st_mesh_destroy(heap->mesh);
}

static void count_found(void *context, const int edge[2], const int triangle[3],
                        bool edge_is_of_second) {
  (void)edge, (void)triangle, (void)edge_is_of_second;
  ++*(long *)context;
}

// range 2: nearly everything lies in common planes and on common lines.
static void compare(double range, int vertices, int triangles, int trials, uint64_t seed) {
  double *position = calloc((size_t)(6 * vertices), sizeof(double));
  long met = 0;
  for (int k = 0; k < trials; k++) {
    Heap a = heap_create(vertices, triangles, range, 0, position, &seed);
    Heap b = heap_create(vertices, triangles, range, vertices, position, &seed);
    StSheet first = {&a.hull, position}, second = {&b.hull, position};
    long within = 0, between = 0;
    StCrossings tell = {count_found, &within};
    st_box_tree_fit(&a.hull.tree, position);
    st_box_tree_fit(&b.hull.tree, position);
    st_crossings_within(&first, &tell);
    tell.context = &between;
    st_crossings_between(&first, &second, &tell);
    assert_int_equal(within, count_slowly(&a.hull, &a.hull, position));
    assert_int_equal(between, count_slowly(&a.hull, &b.hull, position) +
                                  count_slowly(&b.hull, &a.hull, position));
    met += within + between;
    heap_free(&a);
    heap_free(&b);
  }
  assert_true(met > trials);
  free(position);
}

static void test_heaps(void **state) {
  (void)state;
  compare(1000, 30, 40, 60, 7);
  compare(0x1p30, 30, 40, 30, 8);
  compare(1e4, 150, 300, 3, 9);
}

static void test_degenerate_heaps(void **state) {
  (void)state;
  compare(1, 12, 20, 200, 17);
  compare(2, 20, 30, 200, 18);
  compare(4, 40, 60, 60, 19);
}

// A fit to other positions than those the tree was made from.
static void test_moved(void **state) {
  (void)state;
  enum { VERTICES = 60 };
  double position[3 * VERTICES];
  uint64_t seed = 5;
  Heap heap = heap_create(VERTICES, 80, 100, 0, position, &seed);
  for (int v = 0; v < VERTICES; v++)
    whole_point(&seed, 50, position + 3 * v);
  long count = 0;
  StSheet sheet = {&heap.hull, position};
  StCrossings tell = {count_found, &count};
  st_box_tree_fit(&heap.hull.tree, position);
  st_crossings_within(&sheet, &tell);
  assert_int_equal(count, count_slowly(&heap.hull, &heap.hull, position));
  assert_true(count > 0);
  heap_free(&heap);
}

static bool passes(const double p[3], const double q[3], int *rim) {
  static const double a[3] = {0, 0, 0}, b[3] = {4, 0, 0}, c[3] = {0, 4, 0};
  const double *const corner[3] = {a, b, c};
  return st_edge_passes(p, q, corner, rim);
}

static void test_touching(void **state) {
  (void)state;
  static const struct {
    double p[3], q[3];
    bool through;
    int rim;
  } expected[] = {
      {{1, 1, 1}, {1, 1, -1}, true, -1},  // through the middle
      {{1, 1, 1}, {1, 1, 0}, false, -1},  // ends on it
      {{1, 1, 0}, {2, 1, 0}, false, -1},  // lies in it
      {{-1, 1, 0}, {5, 1, 0}, false, -1}, // lies in its plane, across it
      {{0, 0, 1}, {0, 0, -1}, false, -1}, // through a corner
      {{2, 0, 1}, {2, 0, -1}, false, 0},  // through its rims
      {{2, 2, 1}, {2, 2, -1}, false, 1},  {{0, 2, 1}, {0, 2, -1}, false, 2},
      {{5, 0, 1}, {5, 0, -1}, false, -1}, // on the line of a rim, beside it
      {{3, 3, 1}, {3, 3, -1}, false, -1}, // beside it
      {{1, 1, 2}, {1, 1, 1}, false, -1},  // above it
      {{1, 1, 0}, {1, 1, 0}, false, -1},  // of no length
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    int rim;
    assert_int_equal(passes(expected[i].p, expected[i].q, &rim), expected[i].through);
    assert_int_equal(rim, expected[i].rim);
    assert_int_equal(passes(expected[i].q, expected[i].p, &rim), expected[i].through);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heaps),
      cmocka_unit_test(test_degenerate_heaps),
      cmocka_unit_test(test_moved),
      cmocka_unit_test(test_touching),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
