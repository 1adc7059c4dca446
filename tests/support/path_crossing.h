// Whether a point passes through a triangle, or an edge through an edge, while their corners move
// along straight lines: the instants at which all four are coplanar are roots of a cubic, found by
// bisecting its Bernstein form in 113-bit numbers. Shares nothing with the code it checks.
#ifndef TESTS_SUPPORT_PATH_CROSSING_H
#define TESTS_SUPPORT_PATH_CROSSING_H

#include <stdbool.h>

#if defined(__SIZEOF_FLOAT128__)
typedef __float128 PathNumber;
#else
typedef long double PathNumber;
#endif

enum { PATH_DEPTH = 90 };

typedef struct PathQuery {
  double from[4][3], to[4][3];
  bool edges; // corners 0 1 and 2 3; else point 0 and triangle 1 2 3
} PathQuery;

static inline void path_at(const PathQuery *query, PathNumber t, PathNumber x[4][3]) {
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 3; c++) {
      PathNumber a = query->from[i][c], b = query->to[i][c];
      x[i][c] = a + t * (b - a);
    }
}

static inline PathNumber path_dot(const PathNumber a[3], const PathNumber b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void path_cross(const PathNumber a[3], const PathNumber b[3], PathNumber out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static inline void path_sub(const PathNumber a[3], const PathNumber b[3], PathNumber out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = a[c] - b[c];
}

// The polar form of (x1 - x0) · ((x2 - x0) × (x3 - x0)): each factor at an instant of its own.
static inline PathNumber path_blossom(const PathQuery *query, const PathNumber t[3]) {
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  PathNumber sum = 0;
  for (int o = 0; o < 6; o++) {
    PathNumber x[4][3], arm[3][3], cross[3];
    for (int k = 0; k < 3; k++) {
      path_at(query, t[order[o][k]], x);
      path_sub(x[k + 1], x[0], arm[k]);
    }
    path_cross(arm[1], arm[2], cross);
    sum += path_dot(arm[0], cross);
  }
  return sum / 6;
}

// All four lie in one plane: inside, with the plane's normal n?
static inline bool path_inside_triangle(PathNumber x[4][3]) {
  PathNumber e[3], f[3], n[3], side[3], to[3], cross[3];
  path_sub(x[2], x[1], e);
  path_sub(x[3], x[1], f);
  path_cross(e, f, n);
  for (int k = 0; k < 3; k++) {
    path_sub(x[1 + (k + 1) % 3], x[1 + k], side);
    path_sub(x[0], x[1 + k], to);
    path_cross(side, to, cross);
    if (path_dot(cross, n) < 0)
      return false;
  }
  return true;
}

static inline bool path_inside_edges(PathNumber x[4][3]) {
  PathNumber a[3], b[3], between[3], n[3], first[3], second[3];
  path_sub(x[1], x[0], a);
  path_sub(x[3], x[2], b);
  path_sub(x[2], x[0], between);
  path_cross(a, b, n);
  path_cross(between, b, first);
  path_cross(between, a, second);
  PathNumber area = path_dot(n, n), s = path_dot(first, n), t = path_dot(second, n);
  return area > 0 && s >= 0 && s <= area && t >= 0 && t <= area;
}

static inline bool path_halve(const PathQuery *query, const PathNumber b[4], PathNumber low,
                              PathNumber high, int depth) {
  bool up = true, down = true;
  for (int i = 0; i < 4; i++) {
    up = up && b[i] > 0;
    down = down && b[i] < 0;
  }
  if (up || down)
    return false;
  PathNumber middle = (low + high) / 2;
  if (depth == 0) {
    PathNumber x[4][3];
    path_at(query, middle, x);
    return query->edges ? path_inside_edges(x) : path_inside_triangle(x);
  }
  PathNumber c[3], d[2], e;
  for (int i = 0; i < 3; i++)
    c[i] = (b[i] + b[i + 1]) / 2;
  for (int i = 0; i < 2; i++)
    d[i] = (c[i] + c[i + 1]) / 2;
  e = (d[0] + d[1]) / 2;
  PathNumber first[4] = {b[0], c[0], d[0], e}, second[4] = {e, d[1], c[2], b[3]};
  return path_halve(query, first, low, middle, depth - 1) ||
         path_halve(query, second, middle, high, depth - 1);
}

// Up to the given fraction of the path. Corners that stay coplanar all the time are not handled.
static inline bool path_crosses(const PathQuery *query, double share) {
  PathNumber bernstein[4];
  for (int i = 0; i < 4; i++) {
    PathNumber t[3];
    for (int k = 0; k < 3; k++)
      t[k] = k < i ? share : 0;
    bernstein[i] = path_blossom(query, t);
  }
  return path_halve(query, bernstein, 0, share, PATH_DEPTH);
}

#endif
