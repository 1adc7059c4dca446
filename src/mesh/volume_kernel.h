// The volume inside a closed surface. A kernel header (math/scalar.h); needs math/vec3_kernel.h.

// (x1 − x0) × (x2 − x0): twice the area, outward.
static inline void ST_KERNEL(triangle_normal)(const scalar *position, const int vertex[3],
                                              scalar normal[3]) {
  const scalar *x0 = position + 3 * (size_t)vertex[0], *x1 = position + 3 * (size_t)vertex[1],
               *x2 = position + 3 * (size_t)vertex[2];
  const scalar a[3] = {x1[0] - x0[0], x1[1] - x0[1], x1[2] - x0[2]};
  const scalar b[3] = {x2[0] - x0[0], x2[1] - x0[1], x2[2] - x0[2]};
  ST_KERNEL(cross)(a, b, normal);
}

// Σ x0·(x1 × x2)/6 relative to the first vertex: any origin works for a closed surface, and a near
// one keeps digits. count > 0.
static inline scalar ST_KERNEL(surface_volume)(const scalar *position, const int *triangle,
                                               int count) {
  const scalar *origin = position + 3 * (size_t)triangle[0];
  scalar sum = s_number(0);
  for (int t = 0; t < count; t++) {
    const scalar *x0 = position + 3 * (size_t)triangle[3 * t];
    const scalar arm[3] = {x0[0] - origin[0], x0[1] - origin[1], x0[2] - origin[2]};
    scalar normal[3];
    ST_KERNEL(triangle_normal)(position, triangle + 3 * (size_t)t, normal);
    sum += ST_KERNEL(dot)(arm, normal);
  }
  return sum / 6.0;
}
