// Weights w_i = (1 + (X_i − c)·S⁺(P − c))/n with the mean c and S = Σ (X − c)(X − c)ᵀ/n: the
// least-squares solution; S⁺ leaves out directions without extent.
#include "model/attachment.h"

#include "math/eigen.h"
#include "math/vec3.h"

#include <string.h>

static void find_mean(int count, const double *rest, double mean[3]) {
  vec3_set(0, 0, 0, mean);
  for (int i = 0; i < count; i++)
    vec3_add_scaled(1.0 / count, rest + 3 * i, mean);
}

// S⁺: directions with less than a millionth of the largest extent are left out.
static void find_inverse(int count, const double *rest, const double mean[3], double inverse[9]) {
  double spread[9] = {0}, value[3], vector[9], arm[3];
  for (int i = 0; i < count; i++) {
    vec3_sub(rest + 3 * i, mean, arm);
    for (int k = 0; k < 9; k++)
      spread[k] += arm[k / 3] * arm[k % 3] / count;
  }
  mat3_eigen(spread, value, vector);
  double largest = fmax(value[0], fmax(value[1], value[2]));
  memset(inverse, 0, 9 * sizeof(double));
  for (int e = 0; e < 3; e++)
    for (int k = 0; k < 9 && value[e] > 1e-12 * largest; k++)
      inverse[k] += vector[3 * (k / 3) + e] * vector[3 * (k % 3) + e] / value[e];
}

double st_attach(int count, const double *rest, int points, const double place[][3],
                 double *weight) {
  double mean[3], inverse[9], worst = 0;
  find_mean(count, rest, mean);
  find_inverse(count, rest, mean, inverse);
  for (int p = 0; p < points; p++) {
    double arm[3], slope[3], misfit[3];
    vec3_sub(place[p], mean, arm);
    mat3_apply(inverse, arm, slope);
    for (int k = 0; k < 3; k++)
      misfit[k] = -place[p][k];
    for (int i = 0; i < count; i++) {
      vec3_sub(rest + 3 * i, mean, arm);
      weight[ST_JOINT_POINTS * i + p] = (1 + vec3_dot(arm, slope)) / count;
      vec3_add_scaled(weight[ST_JOINT_POINTS * i + p], rest + 3 * i, misfit);
    }
    worst = fmax(worst, vec3_length(misfit));
  }
  return worst;
}

double st_attachment_radius(int count, const double *rest) {
  double mean[3], arm[3], sum = 0;
  find_mean(count, rest, mean);
  for (int i = 0; i < count; i++) {
    vec3_sub(rest + 3 * i, mean, arm);
    sum += vec3_dot(arm, arm) / count;
  }
  return sqrt(sum);
}
