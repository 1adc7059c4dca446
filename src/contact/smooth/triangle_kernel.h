// The point of a triangle nearest to a point. A kernel header (math/scalar.h). A floor, far below
// round-off, under squared areas and lengths keeps collapsed triangles and edges finite.

#include "math/vec3_kernel.h"

static inline scalar ST_KERNEL(clamp)(scalar x) {
  x = s_real(x) > 0 ? x : s_number(0);
  return s_real(x) < 1 ? x : s_number(1);
}

// Position on the segment from a to b of the point nearest to the origin, 0 to 1; *square is its
// squared distance.
static inline scalar ST_KERNEL(segment_nearest)(const scalar a[3], const scalar b[3], double floor,
                                                scalar *square) {
  const scalar edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  scalar t = -ST_KERNEL(dot)(edge, a) / (ST_KERNEL(dot)(edge, edge) + floor);
  t = ST_KERNEL(clamp)(t);
  const scalar near[3] = {a[0] + t * edge[0], a[1] + t * edge[1], a[2] + t * edge[2]};
  *square = ST_KERNEL(dot)(near, near);
  return t;
}

// Barycentric weights of the point of triangle abc nearest to the origin. Branch-free: in batches,
// neighbouring triangles usually take different cases.
static inline void ST_KERNEL(triangle_nearest)(const scalar a[3], const scalar b[3],
                                               const scalar c[3], double floor, scalar weight[3]) {
  const scalar e1[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const scalar e2[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  scalar normal[3], u[3], v[3];
  ST_KERNEL(cross)(e1, e2, normal);
  ST_KERNEL(cross)(e2, a, u);
  ST_KERNEL(cross)(a, e1, v);
  scalar square = ST_KERNEL(dot)(normal, normal), inverse = 1.0 / (square + floor);
  scalar inner1 = ST_KERNEL(dot)(u, normal) * inverse, inner2 = ST_KERNEL(dot)(v, normal) * inverse;
  scalar inner0 = 1.0 - inner1 - inner2;

  scalar far_ab, far_bc, far_ca;
  scalar ab = ST_KERNEL(segment_nearest)(a, b, floor, &far_ab);
  scalar bc = ST_KERNEL(segment_nearest)(b, c, floor, &far_bc);
  scalar ca = ST_KERNEL(segment_nearest)(c, a, floor, &far_ca);
  bool on_ab = s_real(far_ab) <= s_real(far_bc) && s_real(far_ab) <= s_real(far_ca);
  bool on_bc = s_real(far_bc) <= s_real(far_ca);
  scalar edge0 = on_ab ? 1.0 - ab : on_bc ? s_number(0) : ca;
  scalar edge1 = on_ab ? ab : on_bc ? 1.0 - bc : s_number(0);
  scalar edge2 = on_ab ? s_number(0) : on_bc ? bc : 1.0 - ca;

  bool inside =
      s_real(inner0) >= 0 && s_real(inner1) >= 0 && s_real(inner2) >= 0 && s_real(square) > floor;
  weight[0] = inside ? inner0 : edge0;
  weight[1] = inside ? inner1 : edge1;
  weight[2] = inside ? inner2 : edge2;
}
