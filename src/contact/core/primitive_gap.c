// Gaps of primitive pairs and their second derivatives, in the symbols of primitive_gap_kernel.h.
#include "contact/core/primitive_gap.h"

#include "math/hot.h"
#include "math/vec3.h"

#include <string.h>

// Squared sines of the angle of two edges: below the first the mollifier falls, and below the
// second it is zero.
#define ST_PARALLEL_MOLLIFIER 1e-3
#define ST_PARALLEL 1e-6

int st_primitive_count(StPrimitiveKind kind) {
  return kind == ST_POINT_POINT ? 2 : kind == ST_POINT_EDGE ? 3 : 4;
}

#include "contact/core/primitive_gap_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/core/primitive_gap_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

bool st_primitive_parallel(const double x[4][3], double rest_square) {
  double a[3], b[3], product[3];
  vec3_sub(x[1], x[0], a);
  vec3_sub(x[3], x[2], b);
  vec3_cross(a, b, product);
  return !(vec3_dot(product, product) > ST_PARALLEL * rest_square);
}

bool st_primitive_gap(const StPrimitive *primitive, const double *x, StPrimitiveGap *gap) {
  return gap_real(primitive, x, gap);
}

bool st_primitive_gap_dual(const StPrimitive *primitive, const StDual *x, StPrimitiveGapDual *gap) {
  return gap_complex(primitive, x, gap);
}

// A place whose tilt is along the edge that is the point's closest feature.
static int along_edge(const StPrimitiveGap *gap) {
  int k = 0;
  while (k < gap->count - 1 && vec3_dot(gap->tilt[k], gap->tilt[k]) == 0)
    k++;
  return k;
}

// T/d: how the normal rotates when the point moves in a direction along no feature.
static void free_turn(const StPrimitiveGap *gap, double turn[9]) {
  const double *n = gap->normal;
  double across[3];
  memset(turn, 0, 9 * sizeof(double));
  if (gap->form == ST_POINT_POINT)
    for (int e = 0; e < 9; e++)
      turn[e] = ((e / 3 == e % 3) - n[e / 3] * n[e % 3]) / gap->distance;
  if (gap->form == ST_POINT_EDGE) {
    vec3_cross(gap->tilt[along_edge(gap)], n, across);
    double by = 1 / (gap->distance * vec3_dot(across, across));
    for (int e = 0; e < 9; e++)
      turn[e] = by * across[e / 3] * across[e % 3];
  }
}

// Rows of ∂w_k/∂x and ∂n/∂x.
static inline void fill_slopes(const StPrimitiveGap *gap, int count, const double turn[9],
                               StPrimitiveSlopes *slopes) {
  int width = 3 * count;
  const double *n = gap->normal, *w = gap->share;
  for (int l = 0; l < count; l++) {
    for (int k = 0; k < count; k++)
      share_slope_real(gap, k, l, slopes->share_slope + k * width + 3 * l);
    for (int e = 0; e < 9; e++)
      slopes->normal_slope[e / 3 * width + 3 * l + e % 3] =
          w[l] * turn[e] - gap->tilt[l][e / 3] * n[e % 3];
  }
}

// ∂²d/∂x_k∂x_l = ∂(w_k n)/∂x_l
static inline void fill_hessian(const StPrimitiveGap *gap, int count, StPrimitiveSlopes *slopes) {
  int width = 3 * count;
  for (int r = 0; r < width; r++) {
    const double *share = slopes->share_slope + r / 3 * width;
    const double *turn = slopes->normal_slope + r % 3 * width;
    double n = gap->normal[r % 3], w = gap->share[r / 3], *row = slopes->hessian + r * width;
    for (int c = 0; c < width; c++)
      row[c] = n * share[c] + w * turn[c];
  }
}

// m(c), c = |e_a × e_b|²: m'' ∇c ∇cᵀ + m' ∇²c
static void fill_mollifier_hessian(const StPrimitive *primitive, const StPrimitiveGap *gap,
                                   double *hessian) {
  Factor_real factor = mollifier_factor_real(primitive, gap);
  const double *n = gap->cross_normal;
  double first = 2 * gap->cross_square * factor.slope;
  double second = 4 * gap->cross_square * gap->cross_square * factor.curvature;
  for (int l = 0; l < 4; l++)
    for (int m = 0; m < 4; m++) {
      const double *ql = gap->cross_tilt[l], *qm = gap->cross_tilt[m];
      double both = vec3_dot(ql, qm);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          hessian[(3 * l + i) * 12 + 3 * m + j] =
              second * (ql[i] * qm[j]) +
              first * (2 * (ql[i] * qm[j]) - qm[i] * ql[j] + both * (n[i] * n[j]));
    }
}

static ST_HOT void hot_turns(const StPrimitiveGap *gap, const double turn[9],
                             StPrimitiveSlopes *slopes) {
  switch (gap->count) {
  case 2: fill_slopes(gap, 2, turn, slopes); break;
  case 3: fill_slopes(gap, 3, turn, slopes); break;
  default: fill_slopes(gap, 4, turn, slopes);
  }
}

void st_primitive_turns(const StPrimitiveGap *gap, StPrimitiveSlopes *slopes) {
  double turn[9];
  free_turn(gap, turn);
  hot_turns(gap, turn, slopes);
}

void st_primitive_mollifier_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                                   StPrimitiveSlopes *slopes) {
  if (gap->mollified)
    fill_mollifier_hessian(primitive, gap, slopes->mollifier_hessian);
}

static inline void fill(const StPrimitiveGap *gap, int count, const double turn[9],
                        StPrimitiveSlopes *slopes) {
  fill_slopes(gap, count, turn, slopes);
  fill_hessian(gap, count, slopes);
}

// With constant counts the compiler unrolls these loops and fills vector registers.
static ST_HOT void hot_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                              const double turn[9], StPrimitiveSlopes *slopes) {
  switch (gap->count) {
  case 2: fill(gap, 2, turn, slopes); break;
  case 3: fill(gap, 3, turn, slopes); break;
  default: fill(gap, 4, turn, slopes);
  }
  if (gap->mollified)
    fill_mollifier_hessian(primitive, gap, slopes->mollifier_hessian);
}

void st_primitive_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                         StPrimitiveSlopes *slopes) {
  double turn[9];
  free_turn(gap, turn);
  hot_slopes(primitive, gap, turn, slopes);
}
