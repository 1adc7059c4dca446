// The point of a triangle nearest to a point. A kernel header (math/scalar.h). A floor, far below
// round-off, under squared areas and lengths keeps collapsed triangles and edges finite.

static inline scalar ST_KERNEL(dot)(const scalar a[3], const scalar b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void ST_KERNEL(cross)(const scalar a[3], const scalar b[3], scalar out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// Weights of the point of segment ab nearest to x.
static scalar ST_KERNEL(segment_nearest)(const scalar x[3], const scalar a[3], const scalar b[3],
                                         double floor, scalar *along) {
  scalar edge[3], from[3];
  for (int j = 0; j < 3; j++) {
    edge[j] = b[j] - a[j];
    from[j] = x[j] - a[j];
  }
  scalar t = ST_KERNEL(dot)(edge, from) / (ST_KERNEL(dot)(edge, edge) + floor);
  t = s_real(t) < 0 ? s_number(0) : s_real(t) > 1 ? s_number(1) : t;
  for (int j = 0; j < 3; j++)
    from[j] -= t * edge[j];
  *along = t;
  return ST_KERNEL(dot)(from, from);
}

// Barycentric weights of the point of a triangle nearest to x.
static void ST_KERNEL(triangle_nearest)(const scalar x[3], const scalar *const corner[3],
                                        double floor, scalar weight[3]) {
  scalar e1[3], e2[3], from[3], a[3], u[3], v[3];
  for (int j = 0; j < 3; j++) {
    e1[j] = corner[1][j] - corner[0][j];
    e2[j] = corner[2][j] - corner[0][j];
    from[j] = x[j] - corner[0][j];
  }
  ST_KERNEL(cross)(e1, e2, a);
  ST_KERNEL(cross)(from, e2, u);
  ST_KERNEL(cross)(e1, from, v);
  scalar square = ST_KERNEL(dot)(a, a), inverse = 1.0 / (square + floor);
  weight[1] = ST_KERNEL(dot)(u, a) * inverse;
  weight[2] = ST_KERNEL(dot)(v, a) * inverse;
  weight[0] = 1.0 - weight[1] - weight[2];
  bool inside = s_real(weight[0]) >= 0 && s_real(weight[1]) >= 0 && s_real(weight[2]) >= 0;
  if (inside && s_real(square) > floor)
    return;
  double best = INFINITY;
  for (int edge = 0; edge < 3; edge++) {
    int next = (edge + 1) % 3;
    scalar along, far = ST_KERNEL(segment_nearest)(x, corner[edge], corner[next], floor, &along);
    if (s_real(far) >= best)
      continue;
    best = s_real(far);
    weight[edge] = 1.0 - along;
    weight[next] = along;
    weight[(edge + 2) % 3] = s_number(0);
  }
}
