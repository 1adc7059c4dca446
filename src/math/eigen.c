// Jacobi's method.
#include "math/eigen.h"

#include <math.h>
#include <string.h>

// Rotates rows p and q of a symmetric matrix so that the entry between them becomes zero.
static void rotate(double a[9], double v[9], int p, int q) {
  if (a[3 * p + q] == 0)
    return;
  double angle = 0.5 * atan2(2 * a[3 * p + q], a[3 * q + q] - a[3 * p + p]);
  double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    double x = a[3 * k + p], y = a[3 * k + q];
    a[3 * k + p] = c * x - s * y;
    a[3 * k + q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[3 * p + k], y = a[3 * q + k];
    a[3 * p + k] = c * x - s * y;
    a[3 * q + k] = s * x + c * y;
    x = v[3 * k + p], y = v[3 * k + q];
    v[3 * k + p] = c * x - s * y;
    v[3 * k + q] = s * x + c * y;
  }
}

void mat3_eigen(const double matrix[9], double value[3], double vector[9]) {
  double a[9];
  memcpy(a, matrix, sizeof a);
  for (int k = 0; k < 9; k++)
    vector[k] = k % 4 == 0;
  for (int sweep = 0; sweep < 12; sweep++) {
    rotate(a, vector, 0, 1);
    rotate(a, vector, 0, 2);
    rotate(a, vector, 1, 2);
  }
  for (int k = 0; k < 3; k++)
    value[k] = a[4 * k];
}
