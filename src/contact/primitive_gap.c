// Gaps of primitive pairs and their second derivatives, in the symbols of primitive_gap_kernel.h.
#include "contact/primitive_gap.h"

#include "math/vec3.h"

#include <string.h>

#define ST_EDGE_FADE 0.1      // part of an edge over which its contacts fade towards each end
#define ST_PARALLEL_FADE 1e-3 // squared sine at which nearly parallel edges begin to fade

int st_primitive_count(StPrimitiveKind kind) {
  return kind == ST_POINT_POINT ? 2 : kind == ST_POINT_EDGE ? 3 : 4;
}

#include "contact/primitive_gap_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/primitive_gap_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

bool st_primitive_gap(const StPrimitive *primitive, const double *x, StPrimitiveGap *gap) {
  return gap_real(primitive, x, gap);
}

bool st_primitive_gap_dual(const StPrimitive *primitive, const StDual *x, StPrimitiveGapDual *gap) {
  return gap_complex(primitive, x, gap);
}

// T/d: how the normal turns when the point moves along no feature.
static void free_turn(StPrimitiveKind kind, const StPrimitiveGap *gap, double turn[9]) {
  const double *n = gap->normal;
  double across[3];
  memset(turn, 0, 9 * sizeof(double));
  if (kind == ST_POINT_POINT)
    for (int e = 0; e < 9; e++)
      turn[e] = ((e / 3 == e % 3) - n[e / 3] * n[e % 3]) / gap->distance;
  if (kind == ST_POINT_EDGE) {
    vec3_cross(gap->tilt[2], n, across);
    double by = 1 / (gap->distance * vec3_dot(across, across));
    for (int e = 0; e < 9; e++)
      turn[e] = by * across[e / 3] * across[e % 3];
  }
}

// Rows of ∂w_k/∂x and ∂n/∂x.
static void fill_slopes(const StPrimitiveGap *gap, const double turn[9],
                        StPrimitiveSlopes *slopes) {
  int width = 3 * gap->count;
  const double *n = gap->normal, *w = gap->share;
  for (int l = 0; l < gap->count; l++) {
    for (int k = 0; k < gap->count; k++)
      share_slope_real(gap, k, l, slopes->share_slope + k * width + 3 * l);
    for (int e = 0; e < 9; e++)
      slopes->normal_slope[e / 3 * width + 3 * l + e % 3] =
          w[l] * turn[e] - gap->tilt[l][e / 3] * n[e % 3];
  }
}

// ∂²d/∂x_k∂x_l = ∂(w_k n)/∂x_l
static void fill_hessian(const StPrimitiveGap *gap, StPrimitiveSlopes *slopes) {
  int width = 3 * gap->count;
  for (int r = 0; r < width; r++) {
    const double *share = slopes->share_slope + r / 3 * width;
    const double *turn = slopes->normal_slope + r % 3 * width;
    double n = gap->normal[r % 3], w = gap->share[r / 3], *row = slopes->hessian + r * width;
    for (int c = 0; c < width; c++)
      row[c] = n * share[c] + w * turn[c];
  }
}

// by ∂²c/∂x_l∂x_m, c = |e_a × e_b|²
static void add_cross_curvature(const StPrimitiveGap *gap, double by, double *hessian) {
  const double *n = gap->normal;
  for (int l = 0; l < 4; l++)
    for (int m = 0; m < 4; m++) {
      const double *ql = gap->tilt[l], *qm = gap->tilt[m];
      double both = vec3_dot(ql, qm), scale = 2 * by * gap->cross_square;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          hessian[(3 * l + i) * 12 + 3 * m + j] +=
              scale * (2 * ql[i] * qm[j] - qm[i] * ql[j] + both * n[i] * n[j]);
    }
}

// by ∂²w_k/∂x_l∂x_m, from ∂Q_k/∂x_m = −Q_m Q_kᵀ + (Q_k·Q_m) n nᵀ.
static void add_share_curvature(const StPrimitiveGap *gap, int k, double by, double *hessian) {
  const double *n = gap->normal, *w = gap->share, *qk = gap->tilt[k];
  double d = gap->distance;
  for (int l = 0; l < 4; l++)
    for (int m = 0; m < 4; m++) {
      const double *ql = gap->tilt[l], *qm = gap->tilt[m];
      double kl = vec3_dot(qk, ql), km = vec3_dot(qk, qm), lm = vec3_dot(ql, qm);
      double up = -w[l] * km - w[m] * kl;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          hessian[(3 * l + i) * 12 + 3 * m + j] +=
              by *
              (w[m] * qk[i] * ql[j] + w[l] * qm[i] * qk[j] + up * n[i] * n[j] +
               d * (lm * (qk[i] * n[j] + n[i] * qk[j]) + km * n[i] * ql[j] + kl * qm[i] * n[j]));
    }
}

static void add_product(double by, const double a[12], const double b[12], double *hessian) {
  for (int r = 0; r < 12; r++)
    for (int c = 0; c < 12; c++)
      hessian[r * 12 + c] += by * a[r] * b[c];
}

// The product rule over the three factors of the fade.
static void fill_fade_hessian(const StPrimitive *primitive, const StPrimitiveGap *gap,
                              double *hessian) {
  Factor_real f[3];
  double slope[3][12], part[3][3];
  factors_real(primitive, gap, f);
  for (int l = 0; l < 4; l++) {
    factor_slopes_real(gap, l, part);
    for (int a = 0; a < 3; a++)
      vec3_copy(part[a], slope[a] + 3 * l);
  }
  memset(hessian, 0, 144 * sizeof(double));
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    double first = f[a].slope * f[b].value * f[c].value;
    double mixed = f[a].slope * f[b].slope * f[c].value;
    add_product(f[a].curvature * f[b].value * f[c].value, slope[a], slope[a], hessian);
    add_product(mixed, slope[a], slope[b], hessian);
    add_product(mixed, slope[b], slope[a], hessian);
    if (a == 0)
      add_cross_curvature(gap, first, hessian);
    else
      add_share_curvature(gap, 2 * a - 1, a == 1 ? first : -first, hessian);
  }
}

void st_primitive_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                         StPrimitiveSlopes *slopes) {
  double turn[9];
  free_turn(primitive->kind, gap, turn);
  fill_slopes(gap, turn, slopes);
  fill_hessian(gap, slopes);
  if (gap->fading)
    fill_fade_hessian(primitive, gap, slopes->fade_hessian);
}
