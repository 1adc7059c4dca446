// κᵢ = step(nᵢ·n̄): leaves out samples that face against the side nearest to the point, so that the
// far side of a thin wall or of a sheet does not speak. n̄ is the mean normal weighted by nearness
// to the triangles themselves: ŵᵢ = cubic(sᵢ)/(1 + Dᵢ²/ε²)², Dᵢ² = |x − triangle|² + 3 min(pᵢ, 0)²,
// which is C¹; a triangle seen from behind counts as twice as far. A kernel header (math/scalar.h).

// Samples up to 101° away from n̄ stay whole: a right-angled edge is never cut. From 134° none stay.
static const double ST_KERNEL(facing_none) = -0.7, ST_KERNEL(facing_all) = -0.2;
// |n̄| falls from 1 where the nearest normals cancel to below a tenth: then nothing opposes.
static const double ST_KERNEL(facing_floor) = 0.01;

typedef struct ST_KERNEL(facing) {
  scalar sum[3], total, length; // Σ ŵ n, Σ ŵ, √(|Σ ŵ n|² + floor (Σ ŵ)²)
  scalar mean[3];               // n̄
} ST_KERNEL(facing);

// When all normals lie within 50° of one direction, so does n̄, and no κ can differ from 1.
static bool ST_KERNEL(facing_needed)(const Site *site, const ST_KERNEL(samples) * s) {
  double sum[3] = {0};
  for (int i = 0; i < site->count; i++)
    for (int j = 0; j < 3; j++)
      sum[j] += s_real(s->n[j][i]);
  double least = 0.6428 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  bool needed = false;
  for (int i = 0; i < site->count; i++)
    needed |=
        s_real(s->n[0][i]) * sum[0] + s_real(s->n[1][i]) * sum[1] + s_real(s->n[2][i]) * sum[2] <=
        least;
  return needed;
}

// Nearness of sample i: 1/(1 + D²/ε²)², with the derivatives by the points of |x − triangle|² and
// p.
typedef struct ST_KERNEL(nearness) {
  scalar value, up_square, up_p;
  scalar away[3]; // x − nearest point
  scalar corner[3];
} ST_KERNEL(nearness);

static ST_KERNEL(nearness)
    ST_KERNEL(sample_nearness)(const Site *site, const ST_KERNEL(samples) * s,
                               const scalar *position, int i) {
  ST_KERNEL(nearness) near;
  const scalar *corner[3];
  for (int v = 0; v < 3; v++)
    corner[v] = position + 3 * site->corner[v][i];
  ST_KERNEL(triangle_nearest)(position, corner, site->floor, near.corner);
  for (int j = 0; j < 3; j++)
    near.away[j] = position[j] - near.corner[0] * corner[0][j] - near.corner[1] * corner[1][j] -
                   near.corner[2] * corner[2][j];
  scalar behind = s_real(s->p[i]) < 0 ? s->p[i] : s_number(0);
  scalar square = ST_KERNEL(dot)(near.away, near.away) + 3.0 * behind * behind;
  scalar root = 1.0 / (1.0 + site->inverse_near_squared * square);
  near.value = root * root;
  near.up_square = (-2.0 * site->inverse_near_squared) * near.value * root;
  near.up_p = 6.0 * behind * near.up_square;
  return near;
}

static inline scalar ST_KERNEL(facing_kept)(scalar cosine, scalar *up) {
  const double width = ST_KERNEL(facing_all) - ST_KERNEL(facing_none);
  scalar kept = ST_KERNEL(smooth_step)((cosine - ST_KERNEL(facing_none)) * (1 / width), up);
  *up *= 1 / width;
  return kept;
}

static void ST_KERNEL(facing_find)(const Site *site, const scalar *position, ST_KERNEL(samples) * s,
                                   ST_KERNEL(facing) * f) {
  f->total = f->sum[0] = f->sum[1] = f->sum[2] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    ST_KERNEL(nearness) near = ST_KERNEL(sample_nearness)(site, s, position, i);
    scalar w = s->cubic[i] * near.value;
    f->total += w;
    for (int j = 0; j < 3; j++)
      f->sum[j] += w * s->n[j][i];
  }
  f->length =
      s_sqrt(ST_KERNEL(dot)(f->sum, f->sum) + ST_KERNEL(facing_floor) * f->total * f->total);
  for (int j = 0; j < 3; j++)
    f->mean[j] = f->sum[j] / f->length;
  for (int i = 0; i < site->count; i++) {
    scalar n[3], up;
    ST_KERNEL(sample_vector)(s->n, i, n);
    s->kept[i] = ST_KERNEL(facing_kept)(ST_KERNEL(dot)(n, f->mean), &up);
    s->w[i] = s->k[i] * s->kept[i];
  }
}

// ∂ψ/∂(nᵢ·n̄), all that κᵢ depends on.
static inline scalar ST_KERNEL(facing_up)(const ST_KERNEL(samples) * s, const ST_KERNEL(facing) * f,
                                          int i, scalar psi, scalar weight) {
  scalar n[3], up;
  ST_KERNEL(sample_vector)(s->n, i, n);
  ST_KERNEL(facing_kept)(ST_KERNEL(dot)(n, f->mean), &up);
  return up * s->k[i] * (s->p[i] - psi) / weight;
}

// ∂ψ/∂(Σ ŵ n) and ∂ψ/∂(Σ ŵ).
static void ST_KERNEL(facing_up_sums)(const Site *site, const ST_KERNEL(samples) * s,
                                      const ST_KERNEL(facing) * f, scalar psi, scalar weight,
                                      scalar up_sum[3], scalar *up_total) {
  scalar up_mean[3] = {s_number(0), s_number(0), s_number(0)};
  for (int i = 0; i < site->count; i++) {
    scalar up = ST_KERNEL(facing_up)(s, f, i, psi, weight);
    for (int j = 0; j < 3; j++)
      up_mean[j] += up * s->n[j][i];
  }
  scalar along = ST_KERNEL(dot)(up_mean, f->mean) / f->length;
  for (int j = 0; j < 3; j++)
    up_sum[j] = up_mean[j] / f->length - along * f->mean[j];
  *up_total = -along * ST_KERNEL(facing_floor) * f->total / f->length;
}

static void ST_KERNEL(facing_push)(const Site *site, const ST_KERNEL(samples) * s,
                                   const ST_KERNEL(facing) * f, const scalar *position, scalar psi,
                                   scalar weight, scalar *gradient) {
  scalar up_sum[3], up_total;
  ST_KERNEL(facing_up_sums)(site, s, f, psi, weight, up_sum, &up_total);
  for (int i = 0; i < site->count; i++) {
    scalar n[3], d[3], up_d[3], up_n[3];
    ST_KERNEL(sample_vector)(s->n, i, n);
    ST_KERNEL(sample_vector)(s->d, i, d);
    ST_KERNEL(nearness) near = ST_KERNEL(sample_nearness)(site, s, position, i);
    scalar up_w = ST_KERNEL(dot)(up_sum, n) + up_total;
    scalar up_r = (2.0 * site->inverse_radius_squared) * up_w * near.value * s->cubic_up[i];
    scalar up_near = up_w * s->cubic[i], up_p = up_near * near.up_p;
    scalar up_cosine = ST_KERNEL(facing_up)(s, f, i, psi, weight);
    for (int j = 0; j < 3; j++) {
      up_d[j] = up_r * d[j] + up_p * n[j];
      up_n[j] = up_cosine * f->mean[j] + s->cubic[i] * near.value * up_sum[j] + up_p * d[j];
    }
    ST_KERNEL(sample_push_normal)(site, s, position, i, up_d, up_n, gradient);
    for (int j = 0; j < 3; j++) {
      scalar pull = 2.0 * up_near * near.up_square * near.away[j];
      gradient[j] += pull;
      for (int v = 0; v < 3; v++)
        gradient[3 * site->corner[v][i] + j] -= near.corner[v] * pull;
    }
  }
}
