// The gap of a primitive pair on scalars. With d n = Σ w_k x_k all derivatives follow from the
// tilts Q_k, tangent vectors by which a feature turns with its corners (dual to its edges, zero for
// points), and from T, which projects on the tangents along no feature:
//   ∂d/∂x_k = w_k n,  ∂n/∂x_k = w_k T/d − Q_k nᵀ,  ∂w_k/∂x_l = −(w_l Q_k + d (Q_k·Q_l) n)ᵀ.
// Included by primitive_gap.c for real and complex numbers.
#include "math/scalar.h"
#include "math/vec3_kernel.h"

#undef ST_PRIMITIVE_GAP
#ifdef ST_COMPLEX_KERNEL
#define ST_PRIMITIVE_GAP StPrimitiveGapDual
#else
#define ST_PRIMITIVE_GAP StPrimitiveGap
#endif

// A factor and its derivatives by what it depends on.
typedef struct ST_KERNEL(Factor) {
  scalar value, slope, curvature;
} ST_KERNEL(Factor);

// z² (3 − 2 z), z from 0 to 1 where c = |e_a × e_b|² goes from one bound to the other. Edges that
// are parallel to the eye are left out altogether: points of the same skins press there.
static inline ST_KERNEL(Factor) ST_KERNEL(parallel_factor)(scalar c, double none, double all) {
  double span = all - none;
  if (!(s_real(c) > none))
    return (ST_KERNEL(Factor)){s_number(0), s_number(0), s_number(0)};
  if (!(s_real(c) < all))
    return (ST_KERNEL(Factor)){s_number(1), s_number(0), s_number(0)};
  scalar z = (c - none) / span;
  return (ST_KERNEL(Factor)){z * z * (3 - 2 * z), 6 * z * (1 - z) / span,
                             (6 - 12 * z) / (span * span)};
}

// ∂w_k/∂x_l
static inline void ST_KERNEL(share_slope)(const ST_PRIMITIVE_GAP *gap, int k, int l,
                                          scalar slope[3]) {
  const scalar *q = gap->tilt[k];
  scalar lift = gap->distance * ST_KERNEL(dot)(q, gap->tilt[l]);
  for (int i = 0; i < 3; i++)
    slope[i] = -(gap->share[l] * q[i] + lift * gap->normal[i]);
}

static inline ST_KERNEL(Factor)
    ST_KERNEL(mollifier_factor)(const StPrimitive *primitive, const ST_PRIMITIVE_GAP *gap) {
  return ST_KERNEL(parallel_factor)(gap->cross_square, ST_PARALLEL * primitive->rest_square,
                                    ST_PARALLEL_MOLLIFIER * primitive->rest_square);
}

static inline void ST_KERNEL(mollifier_fill)(const StPrimitive *primitive, ST_PRIMITIVE_GAP *gap) {
  for (int i = 0; i < 3 * gap->count; i++)
    gap->mollifier_gradient[i] = s_number(0);
  gap->mollifier = s_number(1);
  gap->mollified = false;
  if (primitive->kind != ST_EDGE_EDGE)
    return;
  ST_KERNEL(Factor) factor = ST_KERNEL(mollifier_factor)(primitive, gap);
  gap->mollifier = factor.value;
  gap->mollified = s_real(gap->mollifier) < 1;
  for (int k = 0; k < 4 && gap->mollified; k++)
    ST_KERNEL(scale)
  (2 * gap->cross_square * factor.slope, gap->cross_tilt[k], gap->mollifier_gradient + 3 * k);
}

static inline void ST_KERNEL(between)(const scalar *to, const scalar *from, scalar out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = to[i] - from[i];
}

static inline void ST_KERNEL(no_tilt)(ST_PRIMITIVE_GAP *gap, int k) {
  for (int i = 0; i < 3; i++)
    gap->tilt[k][i] = s_number(0);
}

// Distance and normal from the vector between the nearest points.
static inline bool ST_KERNEL(part)(const scalar r[3], ST_PRIMITIVE_GAP *gap) {
  scalar square = ST_KERNEL(dot)(r, r);
  if (!(s_real(square) > 0))
    return false;
  gap->distance = s_sqrt(square);
  ST_KERNEL(scale)(1 / gap->distance, r, gap->normal);
  return true;
}

static inline bool ST_KERNEL(point_point)(const scalar *x, ST_PRIMITIVE_GAP *gap) {
  scalar r[3];
  ST_KERNEL(between)(x, x + 3, r);
  gap->share[0] = s_number(1), gap->share[1] = s_number(-1);
  ST_KERNEL(no_tilt)(gap, 0);
  ST_KERNEL(no_tilt)(gap, 1);
  return ST_KERNEL(part)(r, gap);
}

// The component along the edge is removed twice: the second time removes the rounding error of the
// first, which would tilt the normal of a close pair.
static inline bool ST_KERNEL(point_edge)(const scalar *x, ST_PRIMITIVE_GAP *gap) {
  scalar edge[3], r[3], t = s_number(0);
  ST_KERNEL(between)(x + 6, x + 3, edge);
  ST_KERNEL(between)(x, x + 3, r);
  scalar square = ST_KERNEL(dot)(edge, edge);
  if (!(s_real(square) > 0))
    return false;
  for (int pass = 0; pass < 2; pass++) {
    scalar more = ST_KERNEL(dot)(r, edge) / square;
    t += more;
    for (int i = 0; i < 3; i++)
      r[i] -= more * edge[i];
  }
  gap->share[0] = s_number(1), gap->share[1] = t - 1, gap->share[2] = -t;
  ST_KERNEL(no_tilt)(gap, 0);
  ST_KERNEL(scale)(-1 / square, edge, gap->tilt[1]);
  ST_KERNEL(scale)(1 / square, edge, gap->tilt[2]);
  return ST_KERNEL(part)(r, gap);
}

// Unit normal of the plane of two vectors, and the vectors dual to them in it; *square: |u × v|².
// Unlike a difference of points, the normal of a product stays exact however close the features
// are.
static inline bool ST_KERNEL(plane)(const scalar u[3], const scalar v[3], scalar normal[3],
                                    scalar dual_u[3], scalar dual_v[3], scalar *square) {
  scalar product[3];
  ST_KERNEL(cross)(u, v, product);
  *square = ST_KERNEL(dot)(product, product);
  if (!(s_real(*square) > 0))
    return false;
  scalar inverse = 1 / *square;
  ST_KERNEL(cross)(v, product, dual_u);
  ST_KERNEL(cross)(product, u, dual_v);
  ST_KERNEL(scale)(inverse, dual_u, dual_u);
  ST_KERNEL(scale)(inverse, dual_v, dual_v);
  ST_KERNEL(scale)(1 / s_sqrt(*square), product, normal);
  return true;
}

// Distance along the plane's normal, which is flipped to point from B to A.
static inline bool ST_KERNEL(rise)(const scalar from_b[3], ST_PRIMITIVE_GAP *gap) {
  scalar height = ST_KERNEL(dot)(gap->normal, from_b);
  if (s_real(height) < 0) {
    height = -height;
    ST_KERNEL(scale)(s_number(-1), gap->normal, gap->normal);
  }
  gap->distance = height;
  return s_real(height) > 0;
}

// The corner opposite the longest edge: the product of the two edges there loses the fewest digits.
static inline int ST_KERNEL(widest)(const scalar *corner) {
  double square[3];
  for (int k = 0; k < 3; k++) {
    scalar edge[3];
    ST_KERNEL(between)(corner + 3 * ((k + 1) % 3), corner + 3 * k, edge);
    square[k] = s_real(ST_KERNEL(dot)(edge, edge));
  }
  int longest = square[0] >= square[1] ? 0 : 1;
  longest = square[2] > square[longest] ? 2 : longest;
  return (longest + 2) % 3;
}

static inline bool ST_KERNEL(point_triangle)(const scalar *x, ST_PRIMITIVE_GAP *gap) {
  int a = ST_KERNEL(widest)(x + 3), b = (a + 1) % 3, c = (a + 2) % 3;
  const scalar *corner = x + 3;
  scalar u[3], v[3], r[3], square;
  ST_KERNEL(between)(corner + 3 * b, corner + 3 * a, u);
  ST_KERNEL(between)(corner + 3 * c, corner + 3 * a, v);
  ST_KERNEL(between)(x, corner + 3 * a, r);
  if (!ST_KERNEL(plane)(u, v, gap->normal, gap->tilt[1 + b], gap->tilt[1 + c], &square))
    return false;
  scalar by_b = ST_KERNEL(dot)(gap->tilt[1 + b], r), by_c = ST_KERNEL(dot)(gap->tilt[1 + c], r);
  gap->share[0] = s_number(1);
  gap->share[1 + a] = by_b + by_c - 1, gap->share[1 + b] = -by_b, gap->share[1 + c] = -by_c;
  ST_KERNEL(no_tilt)(gap, 0);
  for (int i = 0; i < 3; i++)
    gap->tilt[1 + a][i] = -(gap->tilt[1 + b][i] + gap->tilt[1 + c][i]);
  return ST_KERNEL(rise)(r, gap);
}

// Two lines.
static inline bool ST_KERNEL(inside_inside)(const scalar *x, ST_PRIMITIVE_GAP *gap) {
  scalar r[3];
  ST_KERNEL(between)(x, x + 6, r);
  for (int i = 0; i < 3; i++)
    gap->normal[i] = gap->cross_normal[i];
  for (int k = 0; k < 4; k++)
    ST_KERNEL(scale)(s_number(1), gap->cross_tilt[k], gap->tilt[k]);
  scalar s = -ST_KERNEL(dot)(gap->tilt[1], r), t = ST_KERNEL(dot)(gap->tilt[3], r);
  gap->share[0] = 1 - s, gap->share[1] = s, gap->share[2] = t - 1, gap->share[3] = -t;
  return ST_KERNEL(rise)(r, gap);
}

// The pair that an edge pair reduces to, with its places in the edge pair; sign: -1 if the sides
// are swapped.
static inline void ST_KERNEL(take_part)(const ST_PRIMITIVE_GAP *part, int count, const int *place,
                                        double sign, ST_PRIMITIVE_GAP *gap) {
  gap->distance = part->distance;
  ST_KERNEL(scale)(s_number(sign), part->normal, gap->normal);
  for (int k = 0; k < 4; k++) {
    gap->share[k] = s_number(0);
    ST_KERNEL(no_tilt)(gap, k);
  }
  for (int k = 0; k < count; k++) {
    gap->share[place[k]] = sign * part->share[k];
    ST_KERNEL(scale)(s_number(1), part->tilt[k], gap->tilt[place[k]]);
  }
}

// The end of one edge, or of both.
static inline bool ST_KERNEL(ends)(const StEdgeStop stop[2], const scalar *x,
                                   ST_PRIMITIVE_GAP *gap) {
  int side = stop[0] != ST_EDGE_INSIDE ? 0 : 1, other = 1 - side;
  bool both = stop[other] != ST_EDGE_INSIDE;
  const int place[3] = {2 * side + (stop[side] == ST_EDGE_SECOND),
                        2 * other + (stop[other] == ST_EDGE_SECOND), 2 * other + 1};
  scalar y[9];
  for (int i = 0; i < 9; i++)
    y[i] = x[3 * place[i / 3] + i % 3];
  ST_PRIMITIVE_GAP part;
  gap->form = both ? ST_POINT_POINT : ST_POINT_EDGE;
  if (!(both ? ST_KERNEL(point_point)(y, &part) : ST_KERNEL(point_edge)(y, &part)))
    return false;
  ST_KERNEL(take_part)(&part, both ? 2 : 3, place, side == 0 ? 1 : -1, gap);
  return true;
}

// Whether two edges have a common normal. Exactly parallel edges are mollified completely,
// derivatives included.
static inline bool ST_KERNEL(cross_edges)(const scalar *x, ST_PRIMITIVE_GAP *gap) {
  scalar u[3], v[3];
  ST_KERNEL(between)(x + 3, x, u);
  ST_KERNEL(between)(x + 9, x + 6, v);
  bool crossed = ST_KERNEL(plane)(u, v, gap->cross_normal, gap->cross_tilt[1], gap->cross_tilt[3],
                                  &gap->cross_square);
  for (int i = 0; i < 3 && !crossed; i++)
    gap->cross_normal[i] = gap->cross_tilt[1][i] = gap->cross_tilt[3][i] = s_number(0);
  ST_KERNEL(scale)(s_number(-1), gap->cross_tilt[1], gap->cross_tilt[0]);
  ST_KERNEL(scale)(s_number(-1), gap->cross_tilt[3], gap->cross_tilt[2]);
  return crossed;
}

static inline bool ST_KERNEL(edge_edge)(const StEdgeStop stop[2], const scalar *x,
                                        ST_PRIMITIVE_GAP *gap) {
  bool crossed = ST_KERNEL(cross_edges)(x, gap);
  if (stop[0] != ST_EDGE_INSIDE || stop[1] != ST_EDGE_INSIDE)
    return ST_KERNEL(ends)(stop, x, gap);
  return crossed && ST_KERNEL(inside_inside)(x, gap);
}

static inline bool ST_KERNEL(features_part)(const StPrimitive *primitive, const scalar *x,
                                            ST_PRIMITIVE_GAP *gap) {
  switch (primitive->kind) {
  case ST_POINT_POINT: return ST_KERNEL(point_point)(x, gap);
  case ST_POINT_EDGE: return ST_KERNEL(point_edge)(x, gap);
  case ST_POINT_TRIANGLE: return ST_KERNEL(point_triangle)(x, gap);
  case ST_EDGE_EDGE: return ST_KERNEL(edge_edge)(primitive->stop, x, gap);
  }
  return false;
}

static inline bool ST_KERNEL(gap)(const StPrimitive *primitive, const scalar *x,
                                  ST_PRIMITIVE_GAP *gap) {
  gap->count = st_primitive_count(primitive->kind);
  gap->form = primitive->kind;
  gap->cross_square = s_number(0);
  if (!ST_KERNEL(features_part)(primitive, x, gap))
    return false;
  gap->gap = gap->distance - primitive->radius;
  for (int k = 0; k < gap->count; k++)
    ST_KERNEL(scale)(gap->share[k], gap->normal, gap->gradient + 3 * k);
  ST_KERNEL(mollifier_fill)(primitive, gap);
  return true;
}
