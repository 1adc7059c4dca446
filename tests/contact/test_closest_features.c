// Closest features: against a search by brute force and against numbers of twice the digits, for
// slivers, parallel edges and collapsed features; the distance is continuous wherever the closest
// feature changes.
#include "contact/core/closest_features.h"
#include "math/vec3.h"
#include "support/random.h"
#include "support/spared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

typedef _Float128 Quad;
static const double ROUND = 0x1p-53;

// Squared distance between a mix of the vertices of side A and one of side B; weights are signed.
static double mixed_square(const double x[4][3], const double weight[4]) {
  double way[3] = {0};
  for (int k = 0; k < 4; k++)
    vec3_add_scaled(weight[k], x[k], way);
  return vec3_dot(way, way);
}

typedef void (*Weights)(const double at[2], double weight[4]);

// Parameters of a triangle fill a square: v, then how far along the line from the first corner.
static void triangle_weights(const double at[2], double weight[4]) {
  weight[0] = 1, weight[1] = at[0] + at[1] - 1, weight[2] = -at[0], weight[3] = -at[1];
}

static void edge_weights(const double at[2], double weight[4]) {
  weight[0] = 1 - at[0], weight[1] = at[0], weight[2] = at[1] - 1, weight[3] = -at[1];
}

// A point of the triangle 0 ≤ a, b, a + b ≤ 1, or of the unit square.
static void confine(bool triangle, double at[2]) {
  for (int i = 0; i < 2; i++)
    at[i] = fmin(fmax(at[i], 0), 1);
  if (triangle && at[0] + at[1] > 1) {
    double over = 0.5 * (at[0] + at[1] - 1);
    at[0] = fmin(fmax(at[0] - over, 0), 1);
    at[1] = 1 - at[0];
  }
}

// A grid around the best point so far, ever finer: the square is convex, so that the best point of
// a grid is never more than a few cells from the best of all.
static double brute_force(const double x[4][3], bool triangle, double best[2]) {
  Weights weights = triangle ? triangle_weights : edge_weights;
  double least = INFINITY, size = 0.5;
  best[0] = best[1] = 0.5;
  for (int level = 0; level < 60; level++, size *= 0.6) {
    const double centre[2] = {best[0], best[1]};
    for (int i = -6; i <= 6; i++)
      for (int j = -6; j <= 6; j++) {
        double at[2] = {centre[0] + size * i / 6, centre[1] + size * j / 6}, weight[4];
        confine(triangle, at);
        weights(at, weight);
        double square = mixed_square(x, weight);
        if (square < least)
          least = square, memcpy(best, at, sizeof at);
      }
  }
  return least;
}

// Which feature weights of corners mean, or −1 where one is too small to tell from zero.
static int feature_of(const double share[3]) {
  bool in[3];
  for (int k = 0; k < 3; k++) {
    if (share[k] > 1e-9 && share[k] < 1e-4)
      return -1;
    in[k] = share[k] >= 1e-4;
  }
  for (int k = 0; k < 3; k++) {
    if (in[k] && !in[(k + 1) % 3] && !in[(k + 2) % 3])
      return ST_CORNER_0 + k;
    if (in[k] && in[(k + 1) % 3] && !in[(k + 2) % 3])
      return ST_EDGE_0 + k;
  }
  return ST_FACE;
}

static void triangles_against_brute_force(void **state) {
  (void)state;
  uint64_t seed = 7;
  int seen[ST_FACE + 1] = {0}, told = 0;
  for (int i = 0; i < 10000; i += SPARED) {
    double x[4][3], at[2];
    random_fill(&seed, -1, 1, 12, x[0]);
    StClosest closest;
    st_primitive_point_triangle(x, &closest);
    double square = brute_force(x, true, at);
    assert_true(fabs(sqrt(closest.square) - sqrt(square)) < 1e-9);
    assert_true(sqrt(closest.square) <= sqrt(square) + 1e-14);
    double weight[4] = {1, -closest.share[0], -closest.share[1], -closest.share[2]};
    assert_true(fabs(mixed_square(x, weight) - closest.square) < 1e-14);
    assert_true(sqrt(closest.square) ==
                st_primitive_point_triangle_distance(x[0], x[1], x[2], x[3]));
    double share[3] = {1 - at[0] - at[1], at[0], at[1]};
    int feature = feature_of(share);
    seen[closest.feature]++;
    told += feature >= 0;
    if (feature >= 0 && feature_of(closest.share) >= 0)
      assert_int_equal(closest.feature, feature);
  }
  assert_true(told > 9900 / SPARED);
  for (int k = 0; k <= ST_FACE; k++)
    assert_true(seen[k] > 100 / SPARED);
}

static void edges_against_brute_force(void **state) {
  (void)state;
  uint64_t seed = 8;
  int inside = 0;
  for (int i = 0; i < 10000; i += SPARED) {
    double x[4][3], at[2], param[2], square;
    random_fill(&seed, -1, 1, 12, x[0]);
    bool strict = st_primitive_edge_edge(x, param, &square);
    double best = brute_force(x, false, at);
    assert_true(fabs(sqrt(square) - sqrt(best)) < 1e-9);
    assert_true(sqrt(square) <= sqrt(best) + 1e-14);
    double weight[4];
    edge_weights(param, weight);
    assert_true(fabs(mixed_square(x, weight) - square) < 1e-13);
    assert_true(strict == (param[0] > 0 && param[0] < 1 && param[1] > 0 && param[1] < 1));
    assert_true(sqrt(square) == st_primitive_edge_edge_distance(x[0], x[1], x[2], x[3]));
    inside += strict;
  }
  assert_true(inside > 1000 / SPARED && inside < 9000 / SPARED);
}

static Quad quad_dot(const Quad a[3], const Quad b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void quad_cross(const Quad a[3], const Quad b[3], Quad out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void quad_sub(const double *a, const double *b, Quad out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (Quad)a[i] - b[i];
}

static Quad quad_segment(const double *point, const double *a, const double *b, Quad *along) {
  Quad way[3], edge[3];
  quad_sub(point, a, way);
  quad_sub(b, a, edge);
  Quad square = quad_dot(edge, edge), t = square > 0 ? quad_dot(way, edge) / square : 0;
  *along = t = t < 0 ? 0 : t > 1 ? 1 : t;
  for (int i = 0; i < 3; i++)
    way[i] -= t * edge[i];
  return quad_dot(way, way);
}

// Squared distance of a point and a triangle, and the shares of the corners at the nearest point.
static Quad quad_nearest(const double x[4][3], Quad share[3]) {
  Quad u[3], v[3], n[3], way[3], inner[3], least = -1, t;
  quad_sub(x[2], x[1], u);
  quad_sub(x[3], x[1], v);
  quad_sub(x[0], x[1], way);
  quad_cross(u, v, n);
  Quad area = quad_dot(n, n), height = quad_dot(way, n);
  bool inside = area > 0;
  for (int k = 0; k < 3; k++) {
    const double *a = x[1 + k], *b = x[1 + (k + 1) % 3];
    Quad edge[3], to[3], side[3], square = quad_segment(x[0], a, b, &t);
    quad_sub(b, a, edge);
    quad_sub(x[0], a, to);
    quad_cross(edge, to, side);
    inner[(k + 2) % 3] = quad_dot(side, n) / (area > 0 ? area : 1);
    inside = inside && inner[(k + 2) % 3] > 0;
    if (k == 0 || square < least) {
      least = square;
      share[k] = 1 - t, share[(k + 1) % 3] = t, share[(k + 2) % 3] = 0;
    }
  }
  if (!inside)
    return least;
  memcpy(share, inner, sizeof inner);
  return height * height / area;
}

static Quad quad_edges(const double x[4][3]) {
  Quad u[3], v[3], n[3], r[3], across[3], least = 0, along;
  quad_sub(x[1], x[0], u);
  quad_sub(x[3], x[2], v);
  quad_sub(x[2], x[0], r);
  quad_cross(u, v, n);
  Quad area = quad_dot(n, n);
  quad_cross(r, v, across);
  Quad s = quad_dot(across, n);
  quad_cross(r, u, across);
  Quad t = quad_dot(across, n), height = quad_dot(r, n);
  if (area > 0 && s >= 0 && s <= area && t >= 0 && t <= area)
    return height * height / area;
  for (int end = 0; end < 4; end++) {
    int other = end < 2 ? 2 : 0;
    Quad square = quad_segment(x[end], x[other], x[other + 1], &along);
    least = end == 0 || square < least ? square : least;
  }
  return least;
}

static double power_of_ten(uint64_t *seed, double low, double high) {
  return pow(10, random_between(seed, low, high));
}

// Triangles of heights down to nothing, caps as well as needles, with points from far to very near.
// The error is round-off over the sliver's angle, or its height where it counts as its edges.
static void slivers_against_more_digits(void **state) {
  (void)state;
  uint64_t seed = 9;
  double worst = 0;
  for (int i = 0; i < 20000; i += SPARED) {
    double x[4][3], height = power_of_ten(&seed, -14, 0), gap = power_of_ten(&seed, -9, 0);
    double turn = random_between(&seed, 0, 1), foot = i % 2 ? random_between(&seed, 0, 1) : 0;
    double share = random_between(&seed, -0.2, 1.2), other = random_between(&seed, -0.2, 1.2);
    random_fill(&seed, -1, 1, 12, x[0]);
    for (int k = 0; k < 3; k++) {
      x[3][k] = x[1][k] + foot * (x[2][k] - x[1][k]) + height * (x[3][k] - turn);
      x[0][k] = x[1][k] + share * (x[2][k] - x[1][k]) + other * (x[3][k] - x[1][k]) + gap * x[0][k];
    }
    StClosest closest;
    st_primitive_point_triangle(x, &closest);
    Quad nearest[3];
    double exact = sqrt((double)quad_nearest(x, nearest));
    double bound = 16 * ROUND + fmin(2 * height, 8 * ROUND / height);
    worst = fmax(worst, fabs(sqrt(closest.square) - exact) / bound);
  }
  print_message("largest error %.2g of its bound\n", worst);
  assert_true(worst < 1);
}

// Edges from crossing to parallel.
static void parallel_edges_against_more_digits(void **state) {
  (void)state;
  uint64_t seed = 10;
  double worst = 0;
  for (int i = 0; i < 20000; i += SPARED) {
    double x[4][3], sine = i % 10 ? power_of_ten(&seed, -14, 0) : 0,
                    gap = power_of_ten(&seed, -9, 0);
    double length = random_between(&seed, -2, 2), shift = random_between(&seed, -2, 2), param[2];
    random_fill(&seed, -1, 1, 12, x[0]);
    for (int k = 0; k < 3; k++) {
      double along = x[1][k] - x[0][k];
      x[2][k] = x[0][k] + shift * along + gap * x[2][k];
      x[3][k] = x[2][k] + length * along + sine * x[3][k];
    }
    double square;
    st_primitive_edge_edge(x, param, &square);
    double exact = sqrt((double)quad_edges(x));
    // Lengths reach 8 here, and a short edge adds to the angle.
    double angle = sine / fmax(fabs(length), 1e-3);
    double bound = 32 * ROUND + 4 * fmin(angle, 8 * ROUND / sine);
    worst = fmax(worst, fabs(sqrt(square) - exact) / bound);
  }
  print_message("largest error %.2g of its bound\n", worst);
  assert_true(worst < 1);
}

// Points high above the surroundings of a corner, where all distances agree to round-off while the
// nearest points differ: the one that is reported is right all the same.
static void nearest_points_at_corners(void **state) {
  (void)state;
  uint64_t seed = 13;
  double worst = 0;
  for (int i = 0; i < 20000; i += SPARED) {
    double x[4][3], u[3], v[3], n[3], a = 1e-9 * random_between(&seed, -1, 1);
    double b = 1e-9 * random_between(&seed, -1, 1), height = random_between(&seed, 0.1, 1);
    int corner = 1 + i % 3;
    random_fill(&seed, -1, 1, 12, x[0]);
    vec3_sub(x[1 + corner % 3], x[corner], u);
    vec3_sub(x[1 + (corner + 1) % 3], x[corner], v);
    vec3_cross(u, v, n);
    double area = vec3_length(n), square = fmax(vec3_dot(u, u), vec3_dot(v, v));
    if (area < 0.1 * square || area < 0.1)
      continue;
    for (int k = 0; k < 3; k++)
      x[0][k] = x[corner][k] + a * u[k] + b * v[k] + height * n[k] / area;
    StClosest closest;
    st_primitive_point_triangle(x, &closest);
    Quad exact[3], least = quad_nearest(x, exact);
    assert_true(fabs((double)(closest.square - least)) < 1e-15);
    for (int k = 0; k < 3; k++)
      worst = fmax(worst, fabs((double)(closest.share[k] - exact[k])));
  }
  print_message("largest error of a share %.1e\n", worst);
  assert_true(worst < 1e-14);
}

static void known_edges(void **state) {
  (void)state;
  static const struct {
    double x[4][3], square;
    bool inside;
  } known[] = {
      {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}}, 4, true},   // crossing
      {{{0, 0, 0}, {1, 0, 0}, {0.25, 0, 3}, {2, 0, 3}}, 9, false}, // parallel, side by side
      {{{0, 0, 0}, {1, 0, 0}, {2, 0, 3}, {5, 0, 3}}, 10, false},   // parallel, one after the other
      {{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}}, 1, false},    // in line
      {{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {2, 0, 0}}, 0, false},  // overlapping
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 1, false},    // lines meet at an end
      {{{0, 0, 0}, {0, 0, 0}, {-1, 2, 0}, {1, 2, 0}}, 4, false},   // one has no length
      {{{0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}}, 25, false},   // both have none
  };
  for (int i = 0; i < 8; i++) {
    double param[2], square;
    assert_int_equal(st_primitive_edge_edge(known[i].x, param, &square), known[i].inside);
    assert_true(square == known[i].square);
  }
}

static void known_triangles(void **state) {
  (void)state;
  static const struct {
    double x[4][3], square;
    StFeature feature;
  } known[] = {
      {{{0.25, 0.25, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 4, ST_FACE},
      {{{0.5, -1, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 5, ST_EDGE_0},
      {{{1, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.5, ST_EDGE_1},
      {{{-3, 0.5, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 9, ST_EDGE_2},
      {{{-1, -1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 3, ST_CORNER_0},
      {{{3, -1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 5, ST_CORNER_1},
      {{{-1, 3, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 5, ST_CORNER_2},
      {{{1, 2, 0}, {0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, 4, ST_EDGE_0},    // corners in line
      {{{0.5, 3, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 9, ST_EDGE_1},  // two corners are one
      {{{3, 4, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 25, ST_CORNER_0}, // all are
  };
  for (int i = 0; i < 10; i++) {
    StClosest closest;
    st_primitive_point_triangle(known[i].x, &closest);
    assert_int_equal(closest.feature, known[i].feature);
    assert_true(fabs(closest.square - known[i].square) < 4 * ROUND * known[i].square);
  }
}

// The two triangles at an edge, and the edge by itself from either end, say the same of it.
static void shared_edges_agree(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int i = 0; i < 10000; i += SPARED) {
    double p[5][3]; // the point, the edge's ends, a corner on each side
    random_fill(&seed, -1, 1, 15, p[0]);
    double left[4][3], right[4][3], edge[3][3], back[3][3];
    for (int k = 0; k < 3; k++) {
      for (int v = 0; v < 4; v++)
        left[v][k] = p[v][k];
      right[0][k] = p[0][k], right[1][k] = p[2][k], right[2][k] = p[1][k], right[3][k] = p[4][k];
      edge[0][k] = back[0][k] = p[0][k];
      edge[1][k] = back[2][k] = p[1][k], edge[2][k] = back[1][k] = p[2][k];
    }
    StClosest one, two, alone, turned;
    st_primitive_point_triangle(left, &one);
    st_primitive_point_triangle(right, &two);
    st_primitive_point_edge(edge, &alone);
    st_primitive_point_edge(back, &turned);
    assert_true(alone.square == turned.square && alone.share[0] == turned.share[1]);
    assert_true((alone.feature == ST_EDGE_0) == (turned.feature == ST_EDGE_0));
    assert_true(one.feature != ST_EDGE_0 || one.square == alone.square);
    assert_true(two.feature != ST_EDGE_0 || two.square == alone.square);
    assert_true(one.feature != ST_EDGE_0 || one.share[0] == alone.share[0]);
  }
}

static void interpolate(const double a[4][3], const double b[4][3], double t, double x[4][3]) {
  for (int i = 0; i < 12; i++)
    x[i / 3][i % 3] = (1 - t) * a[i / 3][i % 3] + t * b[i / 3][i % 3];
}

static int triangle_feature(const double x[4][3], double *distance) {
  StClosest closest;
  st_primitive_point_triangle(x, &closest);
  *distance = sqrt(closest.square);
  return (int)closest.feature;
}

static int edges_feature(const double x[4][3], double *distance) {
  double param[2], square;
  int inside = st_primitive_edge_edge(x, param, &square);
  *distance = sqrt(square);
  return inside;
}

// Height over length of a triangle, or sine of the angle between two edges.
static double sharpness(const double x[4][3], bool triangle) {
  double u[3], v[3], w[3], n[3];
  vec3_sub(triangle ? x[2] : x[1], triangle ? x[1] : x[0], u);
  vec3_sub(x[3], triangle ? x[1] : x[2], v);
  vec3_sub(x[3], x[2], w);
  vec3_cross(u, v, n);
  double square = fmax(vec3_dot(u, u), vec3_dot(v, v));
  if (triangle)
    return vec3_length(n) / fmax(square, vec3_dot(w, w));
  return vec3_length(n) / (vec3_length(u) * vec3_length(v));
}

// Halves the way between two places with different features down to neighbouring numbers: there the
// distances on both sides are the same to round-off.
static void distance_is_continuous(void **state) {
  (void)state;
  uint64_t seed = 12;
  int changes = 0;
  double jump = 0;
  for (int i = 0; i < 20000; i += SPARED) {
    int (*feature)(const double[4][3], double *) = i % 2 ? triangle_feature : edges_feature;
    double a[4][3], b[4][3], x[4][3], at_low, at_high, middle, low = 0, high = 1;
    random_fill(&seed, -1, 1, 12, a[0]);
    random_fill(&seed, -1, 1, 12, b[0]);
    int first = feature(a, &at_low), last = feature(b, &at_high);
    if (first == last)
      continue;
    for (int step = 0; step < 52; step++) {
      double half = 0.5 * (low + high);
      interpolate(a, b, half, x);
      bool same = feature(x, &middle) == first;
      *(same ? &low : &high) = half;
      *(same ? &at_low : &at_high) = middle;
    }
    changes++;
    jump = fmax(jump, fabs(at_low - at_high) * sharpness(x, i % 2));
  }
  print_message("largest jump %.1e at %d changes, times the angle\n", jump, changes);
  assert_true(jump < 16 * ROUND);
  assert_true(changes > 5000 / SPARED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_triangles),
      cmocka_unit_test(known_edges),
      cmocka_unit_test(triangles_against_brute_force),
      cmocka_unit_test(edges_against_brute_force),
      cmocka_unit_test(slivers_against_more_digits),
      cmocka_unit_test(parallel_edges_against_more_digits),
      cmocka_unit_test(nearest_points_at_corners),
      cmocka_unit_test(shared_edges_agree),
      cmocka_unit_test(distance_is_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
