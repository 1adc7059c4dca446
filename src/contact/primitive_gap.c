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

// Below, blocks with l ≥ m alone; the rest is mirrored at the end.

// by ∂²c/∂x_l∂x_m, c = |e_a × e_b|²
static void add_cross_curvature(const StPrimitiveGap *gap, double by, double *hessian) {
  const double *n = gap->normal;
  double scale = 2 * by * gap->cross_square;
  for (int l = 0; l < 4; l++)
    for (int m = 0; m <= l; m++) {
      const double *ql = gap->tilt[l], *qm = gap->tilt[m];
      double both = vec3_dot(ql, qm);
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
    for (int m = 0; m <= l; m++) {
      const double *ql = gap->tilt[l], *qm = gap->tilt[m];
      double kl = vec3_dot(qk, ql), km = vec3_dot(qk, qm), lm = vec3_dot(ql, qm), right[3], left[3];
      for (int i = 0; i < 3; i++) {
        right[i] = by * (d * (lm * qk[i] + km * ql[i]) - (w[l] * km + w[m] * kl) * n[i]);
        left[i] = by * d * (lm * qk[i] + kl * qm[i]);
      }
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          hessian[(3 * l + i) * 12 + 3 * m + j] +=
              by * (w[m] * qk[i] * ql[j] + w[l] * qm[i] * qk[j]) + n[i] * right[j] + left[i] * n[j];
    }
}

// Σ by_ab ∇a ∇bᵀ over what the factors depend on.
static void fill_products(const double by[3][3], const double slope[3][12], double *hessian) {
  for (int r = 0; r < 12; r++) {
    double part[3];
    for (int b = 0; b < 3; b++)
      part[b] = slope[0][r] * by[0][b] + slope[1][r] * by[1][b] + slope[2][r] * by[2][b];
    for (int c = 0; c < 12; c++)
      hessian[r * 12 + c] = part[0] * slope[0][c] + part[1] * slope[1][c] + part[2] * slope[2][c];
  }
}

static void mirror(double *hessian) {
  for (int r = 0; r < 12; r++)
    for (int c = r + 1; c < 12; c++)
      hessian[r * 12 + c] = hessian[c * 12 + r];
}

// The product rule over the three factors of the fade, of which most are at rest.
static void fill_fade_hessian(const StPrimitive *primitive, const StPrimitiveGap *gap,
                              double *hessian) {
  Factor_real f[3];
  double slope[3][12], part[3][3], by[3][3], first[3];
  factors_real(primitive, gap, f);
  for (int l = 0; l < 4; l++) {
    factor_slopes_real(gap, l, part);
    for (int a = 0; a < 3; a++)
      vec3_copy(part[a], slope[a] + 3 * l);
  }
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    first[a] = f[a].slope * f[b].value * f[c].value;
    by[a][a] = f[a].curvature * f[b].value * f[c].value;
    by[a][b] = by[b][a] = f[a].slope * f[b].slope * f[c].value;
  }
  fill_products(by, slope, hessian);
  if (first[0] != 0)
    add_cross_curvature(gap, first[0], hessian);
  if (first[1] != 0)
    add_share_curvature(gap, 1, first[1], hessian);
  if (first[2] != 0)
    add_share_curvature(gap, 3, -first[2], hessian);
  mirror(hessian);
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
