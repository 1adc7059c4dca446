// Arithmetic of 3-vectors.
#ifndef EXPERIMENTS_VEC3_H
#define EXPERIMENTS_VEC3_H

#include <math.h>

static inline void vec3_sub(const double a[3], const double b[3], double difference[3]) {
  for (int i = 0; i < 3; i++)
    difference[i] = a[i] - b[i];
}

static inline double vec3_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_length(const double a[3]) {
  return sqrt(vec3_dot(a, a));
}

static inline void vec3_cross(const double a[3], const double b[3], double product[3]) {
  product[0] = a[1] * b[2] - a[2] * b[1];
  product[1] = a[2] * b[0] - a[0] * b[2];
  product[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void vec3_add_scaled(double factor, const double a[3], double sum[3]) {
  for (int i = 0; i < 3; i++)
    sum[i] += factor * a[i];
}

#endif
