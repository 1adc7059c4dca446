// The volume of four points that move straight is a cubic of time. It changes sign where a point
// passes through the plane of a triangle, or the lines of two edges through each other; there the
// features themselves may be next to each other.
#include "judge/meeting.h"

#include "math/vec3.h"

// Distance in which features are in one place, of their size. Edges along each other change sides
// by rounding alone.
static const double CLOSE = 1e-9;

enum { HALVINGS = 60 };

// A direction that separates both triangles at both ends, on the same side, does so in between.
static bool separates(const double axis[3], const StCornerPaths *a, const StCornerPaths *b) {
  bool above = true, below = true;
  for (int end = 0; end < 2; end++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
      double x = vec3_dot(axis, (end ? a->to : a->from)[i]);
      double y = vec3_dot(axis, (end ? b->to : b->from)[i]);
      low[0] = x < low[0] ? x : low[0];
      high[0] = x > high[0] ? x : high[0];
      low[1] = y < low[1] ? y : low[1];
      high[1] = y > high[1] ? y : high[1];
    }
    above = above && low[0] > high[1];
    below = below && low[1] > high[0];
  }
  return above || below;
}

// Normals of the planes, and of the edges within them.
static bool is_separated(const StCornerPaths *a, const StCornerPaths *b) {
  const StCornerPaths *path[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    const double *const *x = path[k]->from;
    double edge[3][3], normal[3], across[3];
    for (int i = 0; i < 3; i++)
      vec3_sub(x[(i + 1) % 3], x[i], edge[i]);
    vec3_cross(edge[0], edge[1], normal);
    if (separates(normal, a, b))
      return true;
    for (int i = 0; i < 3; i++) {
      vec3_cross(normal, edge[i], across);
      if (separates(across, a, b))
        return true;
    }
  }
  return false;
}

// Four points on their paths, relative to the first one's.
typedef struct Four {
  double from[3][3], motion[3][3];
} Four;

static void cubic_of(const Four *four, double c[4]) {
  const double(*x)[3] = four->from, (*u)[3] = four->motion;
  c[0] = vec3_triple(x[0], x[1], x[2]);
  c[1] =
      vec3_triple(u[0], x[1], x[2]) + vec3_triple(x[0], u[1], x[2]) + vec3_triple(x[0], x[1], u[2]);
  c[2] =
      vec3_triple(u[0], u[1], x[2]) + vec3_triple(u[0], x[1], u[2]) + vec3_triple(x[0], u[1], u[2]);
  c[3] = vec3_triple(u[0], u[1], u[2]);
}

static double value_of(const double c[4], double s) {
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

// Ends of the intervals in which the cubic is monotone, from 0 to 1; how many there are.
static int find_turns(const double c[4], double at[4]) {
  int count = 0;
  double a = 3 * c[3], b = c[2], square = b * b - a * c[1]; // a s² + 2 b s + c₁ = 0
  at[count++] = 0;
  if (square > 0) {
    double q = -(b + (b < 0 ? -1 : 1) * sqrt(square));
    double root[2] = {a != 0 ? q / a : -1, q != 0 ? c[1] / q : -1};
    double low = fmin(root[0], root[1]), high = fmax(root[0], root[1]);
    if (low > 0 && low < 1)
      at[count++] = low;
    if (high > 0 && high < 1 && high > low)
      at[count++] = high;
  }
  at[count] = 1;
  return count;
}

// Whether edges 0–1 and 2–3 cut each other, of four points in one plane, the first at the origin.
static bool edges_cut(const double x[3][3]) {
  double e[3], normal[3], across[3], gap[3];
  vec3_sub(x[2], x[1], e);
  vec3_cross(x[0], e, normal);
  double square = vec3_dot(normal, normal);
  if (!(square > 0))
    return false;
  vec3_cross(x[1], e, across);
  double s = vec3_dot(across, normal) / square;
  vec3_cross(x[1], x[0], across);
  double t = vec3_dot(across, normal) / square;
  for (int c = 0; c < 3; c++)
    gap[c] = s * x[0][c] - x[1][c] - t * e[c];
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 &&
         vec3_length(gap) <= CLOSE * (vec3_length(x[0]) + vec3_length(e));
}

// Whether point 0, the origin, lies in the triangle of the others.
static bool is_within(const double x[3][3]) {
  double u[3], w[3], normal[3], inward[3];
  vec3_sub(x[1], x[0], u);
  vec3_sub(x[2], x[0], w);
  vec3_cross(u, w, normal);
  for (int i = 0; i < 3; i++) {
    vec3_cross(x[i], x[(i + 1) % 3], inward);
    if (!(vec3_dot(inward, normal) >= 0))
      return false;
  }
  return fabs(vec3_dot(x[0], normal)) <=
         CLOSE * vec3_length(normal) * (vec3_length(u) + vec3_length(w));
}

static bool is_there(const Four *four, bool edges, double s) {
  double x[3][3];
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      x[i][c] = four->from[i][c] + s * four->motion[i][c];
  return edges ? edges_cut(x) : is_within(x);
}

static bool meets(const Four *four, bool edges) {
  double c[4], at[4];
  cubic_of(four, c);
  int count = find_turns(c, at);
  for (int i = 0; i < count; i++) {
    double low = at[i], high = at[i + 1];
    bool side = value_of(c, low) > 0;
    if ((value_of(c, high) > 0) == side)
      continue;
    for (int k = 0; k < HALVINGS && high > low; k++) {
      double middle = (low + high) / 2;
      *((value_of(c, middle) > 0) == side ? &low : &high) = middle;
    }
    if (is_there(four, edges, (low + high) / 2))
      return true;
  }
  return false;
}

static void take(const double *from, const double *to, const double *first, const double *first_to,
                 double x[3], double u[3]) {
  for (int c = 0; c < 3; c++) {
    x[c] = from[c] - first[c];
    u[c] = to[c] - first_to[c] - x[c];
  }
}

static bool corner_passes(const StCornerPaths *a, int i, const StCornerPaths *b) {
  Four four;
  for (int k = 0; k < 3; k++)
    take(b->from[k], b->to[k], a->from[i], a->to[i], four.from[k], four.motion[k]);
  return meets(&four, false);
}

static bool edge_passes(const StCornerPaths *a, int i, const StCornerPaths *b, int k) {
  Four four;
  int j = (i + 1) % 3, m = (k + 1) % 3;
  take(a->from[j], a->to[j], a->from[i], a->to[i], four.from[0], four.motion[0]);
  take(b->from[k], b->to[k], a->from[i], a->to[i], four.from[1], four.motion[1]);
  take(b->from[m], b->to[m], a->from[i], a->to[i], four.from[2], four.motion[2]);
  return meets(&four, true);
}

bool st_triangles_meet(const StCornerPaths *a, const StCornerPaths *b) {
  if (is_separated(a, b))
    return false;
  for (int i = 0; i < 3; i++) {
    if (corner_passes(a, i, b) || corner_passes(b, i, a))
      return true;
    for (int k = 0; k < 3; k++)
      if (edge_passes(a, i, b, k))
        return true;
  }
  return false;
}
