// Comparing computed numbers: largest difference relative to the largest reference, and difference
// quotients good to about eleven digits.
#ifndef TESTS_SUPPORT_COMPARE_H
#define TESTS_SUPPORT_COMPARE_H

#include <math.h>

static inline double largest(int count, const double *a) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fabs(a[i]) > most || isnan(a[i]) ? fabs(a[i]) : most;
  return most;
}

// max |a − b| / max |b|; a NAN anywhere gives NAN, which no assertion lets pass.
static inline double relative_error(int count, const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    double difference = fabs(a[i] - b[i]);
    if (isnan(difference))
      return NAN;
    most = difference > most ? difference : most;
  }
  double scale = largest(count, b);
  return scale > 0 ? most / scale : most;
}

// Where to sample for a derivative at 0 and with which weights: error O(h⁶).
enum { DIFFERENCE_POINTS = 6 };
static const double difference_at[DIFFERENCE_POINTS] = {-3, -2, -1, 1, 2, 3};
static const double difference_weight[DIFFERENCE_POINTS] = {-1.0 / 60, 3.0 / 20,  -3.0 / 4,
                                                            3.0 / 4,   -3.0 / 20, 1.0 / 60};

#endif
