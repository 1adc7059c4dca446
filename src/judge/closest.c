// The nearest points of two triangles that do not cross are a corner and a point of the other
// triangle, or points of two edges.
#include "judge/closest.h"

#include "math/vec3.h"

static double clamp(double value) {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void along(const double a[3], const double b[3], double s, double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = a[c] + s * (b[c] - a[c]);
}

static void take(const double p[3], const double q[3], double *least, double apart[3]) {
  double between[3];
  vec3_sub(p, q, between);
  double length = vec3_length(between);
  if (!(length < *least))
    return;
  *least = length;
  vec3_copy(between, apart);
}

// Minimises |a + s u - b - t w| over the unit square: first without bounds, then t for the bounded
// s, then s for the bounded t.
static void edges_apart(const double *const a[2], const double *const b[2], double *least,
                        double apart[3]) {
  double u[3], w[3], r[3], p[3], q[3];
  vec3_sub(a[1], a[0], u);
  vec3_sub(b[1], b[0], w);
  vec3_sub(a[0], b[0], r);
  double uu = vec3_dot(u, u), ww = vec3_dot(w, w), uw = vec3_dot(u, w);
  double ur = vec3_dot(u, r), wr = vec3_dot(w, r), area = uu * ww - uw * uw;
  double s = area > 0 ? clamp((uw * wr - ww * ur) / area) : 0;
  double t = ww > 0 ? clamp((uw * s + wr) / ww) : 0;
  s = uu > 0 ? clamp((uw * t - ur) / uu) : 0;
  along(a[0], a[1], s, p);
  along(b[0], b[1], t, q);
  take(p, q, least, apart);
}

// Over the inside of the triangle; its edges are looked at with the others.
static void corner_apart(const double x[3], const double *const b[3], double sign, double *least,
                         double apart[3]) {
  double u[3], w[3], r[3], normal[3], foot[3], between[3];
  vec3_sub(b[1], b[0], u);
  vec3_sub(b[2], b[0], w);
  vec3_sub(x, b[0], r);
  vec3_cross(u, w, normal);
  double square = vec3_dot(normal, normal), height = vec3_dot(normal, r);
  if (!(square > 0))
    return;
  for (int c = 0; c < 3; c++)
    foot[c] = r[c] - height / square * normal[c];
  double s, t, across[3];
  vec3_cross(foot, w, across);
  s = vec3_dot(across, normal) / square;
  vec3_cross(u, foot, across);
  t = vec3_dot(across, normal) / square;
  if (s < 0 || t < 0 || s + t > 1)
    return;
  for (int c = 0; c < 3; c++)
    between[c] = sign * height / square * normal[c];
  take(between, (double[]){0, 0, 0}, least, apart);
}

double st_triangles_apart(const double *const a[3], const double *const b[3], double apart[3]) {
  double least = INFINITY;
  vec3_set(0, 0, 0, apart);
  for (int i = 0; i < 3; i++) {
    corner_apart(a[i], b, 1, &least, apart);
    corner_apart(b[i], a, -1, &least, apart);
    for (int k = 0; k < 3; k++)
      edges_apart((const double *[]){a[i], a[(i + 1) % 3]},
                  (const double *[]){b[k], b[(k + 1) % 3]}, &least, apart);
  }
  return least;
}
