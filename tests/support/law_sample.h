// Valid parameters for any law or force, from its own description of them, and random deformations.
#ifndef TESTS_SUPPORT_LAW_SAMPLE_H
#define TESTS_SUPPORT_LAW_SAMPLE_H

#include "force/material.h"
#include "math/vec3.h"
#include "support/random.h"

#include <string.h>

// fraction in (0, 1): where in the allowed range, or around 1 MPa for what has no upper end.
static inline double param_sample(const StParam *param, double fraction) {
  if (isfinite(param->min) && isfinite(param->max))
    return param->min + fraction * (param->max - param->min);
  double scale = st_param_required(param) || param->fallback == 0 ? 1e6 : param->fallback;
  return (isfinite(param->min) ? param->min : 0) + scale * (0.3 + fraction);
}

static inline void law_sample(const StMaterialLaw *law, double fraction, double *value) {
  for (int i = 0; i < law->param_count; i++)
    value[i] = param_sample(&law->param[i], fraction);
}

static inline void random_rotation(uint64_t *state, double R[9]) {
  double axis[3];
  random_fill(state, -1, 1, 3, axis);
  double length = vec3_length(axis);
  for (int i = 0; i < 3; i++)
    axis[i] /= length;
  mat3_rotation(axis, random_between(state, -3, 3), R);
}

static inline void mat3_product(const double A[9], const double B[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

// Rotation · stretches from 0.4 to 2.2 · rotation; a mirror turns it inside out.
static inline void random_deformation(uint64_t *state, bool mirror, double F[9]) {
  double R[9], Q[9], RS[9];
  random_rotation(state, R);
  random_rotation(state, Q);
  for (int j = 0; j < 3; j++) {
    double stretch = random_between(state, 0.4, 2.2);
    for (int i = 0; i < 3; i++)
      RS[3 * i + j] = R[3 * i + j] * (mirror && j == 0 ? -stretch : stretch);
  }
  mat3_product(RS, Q, F);
}

#endif
