// The mollifier: a step of m², m² = |Δ_t|²/(αR)² + (Δ·ν̂)²/(βR)², where Δ = x − C̄ is the vector to
// the point from the middle of the surface around it, with parts along and across the surface. C̄
// and the mean normal ν are weighted by area and the cubic kernel, so that they depend on the
// surface and not on its triangles. Past an open border Δ_t grows; where samples run out |Δ| → R,
// so the mollifier is zero before. (math/scalar.h)

static const double ST_KERNEL(mollifier_along) = 0.65, ST_KERNEL(mollifier_across) = 0.95;
// Over a corner however sharp |Δ_t| ≤ 0.45R: there it is still 1.
static const double ST_KERNEL(mollifier_start) = 0.55;
// Added to |ν|² under the root: a mean normal that cancels to far less than that does not count.
static const double ST_KERNEL(mollifier_floor) = 0.01;

typedef struct ST_KERNEL(middle) {
  scalar total;     // V = Σ vᵢ, vᵢ = area · cubic
  scalar offset[3]; // Δ
  scalar normal[3]; // ν
  scalar length;    // √(|ν|² + floor)
  scalar unit[3];   // ν̂
  scalar across;    // Δ·ν̂
} ST_KERNEL(middle);

static void ST_KERNEL(middle_find)(const Site *site, const ST_KERNEL(samples) * s,
                                   ST_KERNEL(middle) * m) {
  scalar total = s_number(0), sum[6];
  for (int j = 0; j < 6; j++)
    sum[j] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    scalar v = s->length[i] * s->cubic[i];
    total += v;
    for (int j = 0; j < 3; j++) {
      sum[j] += v * s->d[j][i];
      sum[3 + j] += v * s->n[j][i];
    }
  }
  m->total = total;
  for (int j = 0; j < 3; j++) {
    m->offset[j] = sum[j] / total;
    m->normal[j] = sum[3 + j] / total;
  }
  m->length = s_sqrt(ST_KERNEL(dot)(m->normal, m->normal) + ST_KERNEL(mollifier_floor));
  for (int j = 0; j < 3; j++)
    m->unit[j] = m->normal[j] / m->length;
  m->across = ST_KERNEL(dot)(m->offset, m->unit);
}

// Derivatives of m² by Δ and ν.
static void ST_KERNEL(middle_up)(const Site *site, const ST_KERNEL(middle) * m, scalar up_offset[3],
                                 scalar up_normal[3]) {
  const double along =
      site->inverse_radius_squared / (ST_KERNEL(mollifier_along) * ST_KERNEL(mollifier_along));
  const double across =
      site->inverse_radius_squared / (ST_KERNEL(mollifier_across) * ST_KERNEL(mollifier_across));
  scalar up_across = 2.0 * (across - along) * m->across;
  scalar up_length = -up_across * m->across / m->length;
  for (int j = 0; j < 3; j++) {
    up_offset[j] = 2.0 * along * m->offset[j] + up_across * m->unit[j];
    up_normal[j] = up_across * m->offset[j] / m->length + up_length * m->unit[j];
  }
}

static scalar ST_KERNEL(middle_distance)(const Site *site, const ST_KERNEL(middle) * m) {
  const double along =
      site->inverse_radius_squared / (ST_KERNEL(mollifier_along) * ST_KERNEL(mollifier_along));
  const double across =
      site->inverse_radius_squared / (ST_KERNEL(mollifier_across) * ST_KERNEL(mollifier_across));
  return along * ST_KERNEL(dot)(m->offset, m->offset) + (across - along) * m->across * m->across;
}

static void ST_KERNEL(mollifier_push)(const Site *site, const ST_KERNEL(samples) * s,
                                      const ST_KERNEL(middle) * m, const scalar *position,
                                      scalar up, scalar *gradient) {
  scalar up_offset[3], up_normal[3];
  ST_KERNEL(middle_up)(site, m, up_offset, up_normal);
  scalar scale = up / m->total;
  scalar level = ST_KERNEL(dot)(up_offset, m->offset) + ST_KERNEL(dot)(up_normal, m->normal);
  for (int i = 0; i < site->count; i++) {
    scalar n[3], d[3], up_d[3], up_a[3];
    ST_KERNEL(sample_vector)(s->n, i, n);
    ST_KERNEL(sample_vector)(s->d, i, d);
    scalar facing = ST_KERNEL(dot)(up_normal, n);
    scalar up_v = scale * (ST_KERNEL(dot)(up_offset, d) + facing - level);
    scalar up_r = (2.0 * site->inverse_radius_squared) * up_v * s->length[i] * s->cubic_up[i];
    scalar v = scale * s->length[i] * s->cubic[i], turn = scale * s->cubic[i];
    for (int j = 0; j < 3; j++) {
      up_d[j] = v * up_offset[j] + up_r * d[j];
      up_a[j] = turn * (up_normal[j] - facing * n[j]) + up_v * s->cubic[i] * n[j];
    }
    ST_KERNEL(sample_push)(site, position, i, up_d, up_a, gradient);
  }
}

static scalar ST_KERNEL(mollifier)(const Site *site, const ST_KERNEL(samples) * s,
                                   const scalar *position, scalar *gradient) {
  ST_KERNEL(middle) m;
  ST_KERNEL(middle_find)(site, s, &m);
  const double width = 1 - ST_KERNEL(mollifier_start);
  scalar up;
  scalar left = (1.0 - ST_KERNEL(middle_distance)(site, &m)) * (1 / width);
  scalar mollifier = ST_KERNEL(smooth_step)(left, &up);
  if (s_real(left) > 0 && s_real(left) < 1)
    ST_KERNEL(mollifier_push)(site, s, &m, position, up * (-1 / width), gradient);
  return mollifier;
}
