// Small dense matrices, solved directly: the reference for the real solvers.
#ifndef TESTS_SUPPORT_DENSE_H
#define TESTS_SUPPORT_DENSE_H

#include "math/block_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline void dense_multiply(int n, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += a[(size_t)i * (size_t)n + (size_t)j] * x[j];
  }
}

static inline void dense_swap(double *a, double *b, int n) {
  for (int j = 0; j < n; j++) {
    double kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

// Gauss with row pivots on a copy. False when singular.
static inline bool dense_solve(int n, const double *matrix, const double *b, double *x) {
  size_t size = (size_t)n;
  double *a = malloc(size * size * sizeof(double));
  memcpy(a, matrix, size * size * sizeof(double));
  memcpy(x, b, size * sizeof(double));
  bool good = true;
  for (int k = 0; k < n && good; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    dense_swap(a + k * n, a + pivot * n, n);
    dense_swap(x + k, x + pivot, 1);
    good = fabs(a[k * n + k]) > 0;
    for (int i = k + 1; i < n && good; i++) {
      double factor = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0 && good; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  free(a);
  return good;
}

// The square part of a block matrix; free it.
static inline double *dense_of(const StBlockMatrix *matrix) {
  int n = 3 * matrix->row_count;
  double *a = calloc((size_t)n * (size_t)n, sizeof(double));
  for (int row = 0; row < matrix->row_count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9 && matrix->column[k] < matrix->row_count; e++)
        a[(3 * row + e / 3) * n + 3 * matrix->column[k] + e % 3] = matrix->value[9 * k + e];
  return a;
}

static inline double dense_distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static inline double dense_norm(int n, const double *a) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sqrt(sum);
}

#endif
