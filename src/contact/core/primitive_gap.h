// The gap between two primitives, with everything that forces need: point and point, point and line
// of an edge, point and plane of a triangle, and two edges by their lines or ends.
// contact/core/closest_features.h has found before which features are closest. Real numbers serve
// the forces, complex ones the forward derivatives.
#pragma once

#include "contact/core/gap.h"

#include <stdbool.h>

enum { ST_PRIMITIVE_MOST = 4 }; // vertices of a primitive pair

// Vertices in order: side A (the point, or an edge's two ends), then side B.
typedef enum StPrimitiveKind {
  ST_POINT_POINT,
  ST_POINT_EDGE,
  ST_POINT_TRIANGLE,
  ST_EDGE_EDGE
} StPrimitiveKind;

// Where on an edge the point nearest to the other edge is.
typedef enum StEdgeStop { ST_EDGE_INSIDE, ST_EDGE_FIRST, ST_EDGE_SECOND } StEdgeStop;

typedef struct StPrimitive {
  StPrimitiveKind kind;
  StEdgeStop stop[2]; // edge and edge: on A and on B
  double radius;      // sum of both sides, m
  double rest_square; // edge and edge: the product of their squared lengths at rest, m⁴
} StPrimitive;

// Only the first `count` entries of arrays are used.
typedef struct StPrimitiveGap {
  int count;
  double gap;                      // distance less the radius, m
  double distance;                 // between the features, unsigned
  double normal[3];                // unit, from B to A
  double share[ST_PRIMITIVE_MOST]; // signed: Σ share_k x_k = distance · normal; their sum is 0
  double gradient[3 * ST_PRIMITIVE_MOST]; // [count][3] ∂gap/∂x_k = share_k normal
  // The kind of the closest features: the primitive's own kind, or, where the closest point of an
  // edge is its end, the kind with that point.
  StPrimitiveKind form;
  // Factor of the energy for edges, otherwise 1. Falls to 0 (C¹) as two edges become parallel.
  double mollifier;
  double mollifier_gradient[3 * ST_PRIMITIVE_MOST]; // [count][3]
  bool mollified;                                   // the mollifier is below 1 and has derivatives
  // Tilt of the features with x_k, in the tangent plane: see primitive_gap_kernel.h.
  double tilt[ST_PRIMITIVE_MOST][3];
  // Edge and edge: c = |e_a × e_b|², m⁴, with ∂c/∂x_k = 2 c cross_tilt_k, and the unit normal of
  // both.
  double cross_square, cross_normal[3], cross_tilt[ST_PRIMITIVE_MOST][3];
} StPrimitiveGap;

typedef struct StPrimitiveGapDual {
  int count;
  StPrimitiveKind form;
  StDual gap, distance, normal[3], share[ST_PRIMITIVE_MOST], gradient[3 * ST_PRIMITIVE_MOST];
  StDual mollifier, mollifier_gradient[3 * ST_PRIMITIVE_MOST];
  bool mollified;
  StDual tilt[ST_PRIMITIVE_MOST][3];
  StDual cross_square, cross_normal[3], cross_tilt[ST_PRIMITIVE_MOST][3];
} StPrimitiveGapDual;

// Second derivatives, dense, in rows of 3 · count numbers.
typedef struct StPrimitiveSlopes {
  double hessian[9 * ST_PRIMITIVE_MOST * ST_PRIMITIVE_MOST];           // of the gap
  double mollifier_hessian[9 * ST_PRIMITIVE_MOST * ST_PRIMITIVE_MOST]; // unset unless mollified
  double share_slope[3 * ST_PRIMITIVE_MOST * ST_PRIMITIVE_MOST];       // [count] rows
  double normal_slope[9 * ST_PRIMITIVE_MOST];                          // [3] rows
} StPrimitiveSlopes;

// View of this gap as the common StGap of all kinds of contact.
static inline StGap st_primitive_view(StPrimitiveGap *gap) {
  return (StGap){gap->gap, gap->mollifier, gap->gradient, gap->mollifier_gradient, gap->share};
}

static inline StGapDual st_primitive_view_dual(StPrimitiveGapDual *gap) {
  return (StGapDual){gap->gap, gap->mollifier, gap->gradient, gap->mollifier_gradient, gap->share};
}

int st_primitive_count(StPrimitiveKind kind);

// Whether two edges are so nearly parallel that their contact has no force. x: [4][3].
bool st_primitive_parallel(const double x[4][3], double rest_square);

// x: [count][3]. False, with nothing filled, where there is no normal: features at distance zero, a
// triangle without area, exactly parallel edges.
bool st_primitive_gap(const StPrimitive *primitive, const double *x, StPrimitiveGap *gap);
bool st_primitive_gap_dual(const StPrimitive *primitive, const StDual *x, StPrimitiveGapDual *gap);

// Fills share_slope and normal_slope only, without the second derivatives.
void st_primitive_turns(const StPrimitiveGap *gap, StPrimitiveSlopes *slopes);

// The second derivatives of the mollifier alone.
void st_primitive_mollifier_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                                   StPrimitiveSlopes *slopes);

void st_primitive_slopes(const StPrimitive *primitive, const StPrimitiveGap *gap,
                         StPrimitiveSlopes *slopes);
