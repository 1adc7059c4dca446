// Magnitudes.
#include "solve/problem.h"

#include "math/vec3.h"

#include <math.h>

double st_problem_square(const StProblem *problem, const double *x, int row) {
  double v[3];
  for (int c = 0; c < 3; c++)
    v[c] = problem->scale[3 * row + c] * x[3 * row + c];
  return vec3_dot(v, v);
}

double st_problem_magnitude(const StProblem *problem, const double *x) {
  double largest = 0;
  for (int row = 0; row < problem->size / 3; row++) {
    double magnitude = sqrt(st_problem_square(problem, x, row));
    if (isnan(magnitude))
      return magnitude;
    largest = fmax(largest, magnitude);
  }
  return largest;
}
