// 3-vectors as double[3] and 3×3 matrices as double[9], row-major. Results never alias inputs.
#pragma once

#include <math.h>

static inline void vec3_set(double x, double y, double z, double out[3]) {
  out[0] = x, out[1] = y, out[2] = z;
}

static inline void vec3_copy(const double a[3], double out[3]) {
  out[0] = a[0], out[1] = a[1], out[2] = a[2];
}

static inline void vec3_sub(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i] - b[i];
}

// out += s·a
static inline void vec3_add_scaled(double s, const double a[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] += s * a[i];
}

static inline double vec3_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_length(const double a[3]) {
  return sqrt(vec3_dot(a, a));
}

static inline void vec3_cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double vec3_triple(const double a[3], const double b[3], const double c[3]) {
  double bc[3];
  vec3_cross(b, c, bc);
  return vec3_dot(a, bc);
}

// The box around points, [count][3]; of none: low is above high.
static inline void vec3_bounds(const double *x, int count, double low[3], double high[3]) {
  vec3_set(INFINITY, INFINITY, INFINITY, low);
  vec3_set(-INFINITY, -INFINITY, -INFINITY, high);
  for (int i = 0; i < 3 * count; i++) {
    low[i % 3] = fmin(low[i % 3], x[i]);
    high[i % 3] = fmax(high[i % 3], x[i]);
  }
}

// Its diagonal.
static inline double vec3_extent(const double *x, int count) {
  double low[3], high[3], diagonal[3];
  vec3_bounds(x, count, low, high);
  vec3_sub(high, low, diagonal);
  return vec3_length(diagonal);
}

static inline void mat3_apply(const double m[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
}

static inline double mat3_determinant(const double m[9]) {
  return vec3_triple(m, m + 3, m + 6);
}

// Returns the determinant; out is untouched when it is zero.
static inline double mat3_inverse(const double m[9], double out[9]) {
  double det = mat3_determinant(m);
  if (det == 0)
    return 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[3 * i + j] = (m[3 * a + c] * m[3 * b + d] - m[3 * a + d] * m[3 * b + c]) / det;
    }
  return det;
}

// Rotation by angle (radians) about the unit axis.
static inline void mat3_rotation(const double axis[3], double angle, double out[9]) {
  double c = cos(angle), s = sin(angle), x = axis[0], y = axis[1], z = axis[2];
  double t = 1 - c;
  out[0] = t * x * x + c, out[1] = t * x * y - s * z, out[2] = t * x * z + s * y;
  out[3] = t * x * y + s * z, out[4] = t * y * y + c, out[5] = t * y * z - s * x;
  out[6] = t * x * z - s * y, out[7] = t * y * z + s * x, out[8] = t * z * z + c;
}
