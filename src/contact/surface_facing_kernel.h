// κᵢ leaves samples out that have no say where the point is: those that face against the side
// nearest to it (the far side of a thin wall or of a sheet), and those that see it much further
// behind than the nearest do (past a convex edge). What is near is measured to the triangles
// themselves: ŵᵢ = cubic(sᵢ)/(1 + Dᵢ²/ε²)², Dᵢ² = |x − triangle|² + 3 min(pᵢ, 0)²: seen from behind
// is twice as far. κᵢ = step(nᵢ·n̄) step(pᵢ − p̄), n̄ and p̄ means weighted by ŵ; C¹. A kernel header
// (math/scalar.h).

// Samples up to 101° away from n̄ stay whole: a right-angled edge is never cut. From 134° none stay.
static const double ST_KERNEL(facing_none) = -0.7, ST_KERNEL(facing_all) = -0.2;
// |n̄| falls from 1 where the nearest normals cancel to below a tenth: then nothing opposes.
static const double ST_KERNEL(facing_floor) = 0.01;
// (pᵢ − p̄)/R. The highest sample is never below the mean: some sample always stays.
static const double ST_KERNEL(behind_none) = -0.25, ST_KERNEL(behind_all) = -0.08;

typedef struct ST_KERNEL(facing) {
  scalar sum[3], total, length; // Σ ŵ n, Σ ŵ, √(|Σ ŵ n|² + floor (Σ ŵ)²)
  scalar normal[3], p;          // n̄, p̄
} ST_KERNEL(facing);

// When all normals lie within 50° of one direction, so does n̄, and with all p close together no κ
// can differ from 1.
static bool ST_KERNEL(facing_needed)(const Site *site, const ST_KERNEL(samples) * s) {
  double sum[3] = {0}, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < site->count; i++) {
    double p = s_real(s->p[i]);
    low = p < low ? p : low;
    high = p > high ? p : high;
    for (int j = 0; j < 3; j++)
      sum[j] += s_real(s->n[j][i]);
  }
  double limit = ST_KERNEL(behind_all) * site->radius;
  double least = 0.6428 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  bool needed = !(low - high > limit);
  for (int i = 0; i < site->count; i++) {
    double along =
        s_real(s->n[0][i]) * sum[0] + s_real(s->n[1][i]) * sum[1] + s_real(s->n[2][i]) * sum[2];
    needed |= along <= least;
  }
  return needed;
}

// Nearness of sample i, 1/(1 + D²/ε²)², with its derivatives by |x − triangle|² and p.
typedef struct ST_KERNEL(nearness) {
  scalar value, up_square, up_p;
  scalar away[3];   // x − nearest point
  scalar corner[3]; // barycentric weights of that point
} ST_KERNEL(nearness);

static void ST_KERNEL(sample_nearness)(const Site *site, const ST_KERNEL(samples) * s,
                                       const scalar *position, int i, ST_KERNEL(nearness) * near) {
  const scalar *corner[3];
  for (int v = 0; v < 3; v++)
    corner[v] = position + 3 * site->corner[v][i];
  ST_KERNEL(triangle_nearest)(position, corner, site->floor, near->corner);
  for (int j = 0; j < 3; j++)
    near->away[j] = position[j] - near->corner[0] * corner[0][j] - near->corner[1] * corner[1][j] -
                    near->corner[2] * corner[2][j];
  scalar behind = s_real(s->p[i]) < 0 ? s->p[i] : s_number(0);
  scalar square = ST_KERNEL(dot)(near->away, near->away) + 3.0 * behind * behind;
  scalar root = 1.0 / (1.0 + site->inverse_near_squared * square);
  near->value = root * root;
  near->up_square = (-2.0 * site->inverse_near_squared) * near->value * root;
  near->up_p = 6.0 * behind * near->up_square;
}

// A smooth step between two bounds, with its slope.
static inline scalar ST_KERNEL(step_between)(scalar x, double none, double all, scalar *up) {
  scalar value = ST_KERNEL(smooth_step)((x - none) * (1 / (all - none)), up);
  *up *= 1 / (all - none);
  return value;
}

// κᵢ and its derivatives by nᵢ·n̄ and by pᵢ − p̄.
static inline scalar ST_KERNEL(facing_kept)(const Site *site, const ST_KERNEL(samples) * s,
                                            const ST_KERNEL(facing) * f, int i, scalar *up_cosine,
                                            scalar *up_p) {
  scalar n[3];
  ST_KERNEL(sample_vector)(s->n, i, n);
  scalar facing = ST_KERNEL(step_between)(ST_KERNEL(dot)(n, f->normal), ST_KERNEL(facing_none),
                                          ST_KERNEL(facing_all), up_cosine);
  scalar before = ST_KERNEL(step_between)((s->p[i] - f->p) * (1 / site->radius),
                                          ST_KERNEL(behind_none), ST_KERNEL(behind_all), up_p);
  *up_cosine *= before;
  *up_p *= facing * (1 / site->radius);
  return facing * before;
}

// Fills κ and the weights; returns whether some κ is on its slope, so that its derivatives count.
static bool ST_KERNEL(facing_find)(const Site *site, const scalar *position, ST_KERNEL(samples) * s,
                                   ST_KERNEL(facing) * f) {
  scalar p = s_number(0);
  f->total = f->sum[0] = f->sum[1] = f->sum[2] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    ST_KERNEL(nearness) near;
    ST_KERNEL(sample_nearness)(site, s, position, i, &near);
    scalar w = s->cubic[i] * near.value;
    f->total += w;
    p += w * s->p[i];
    for (int j = 0; j < 3; j++)
      f->sum[j] += w * s->n[j][i];
  }
  f->p = p / f->total;
  f->length =
      s_sqrt(ST_KERNEL(dot)(f->sum, f->sum) + ST_KERNEL(facing_floor) * f->total * f->total);
  for (int j = 0; j < 3; j++)
    f->normal[j] = f->sum[j] / f->length;
  bool sloped = false;
  for (int i = 0; i < site->count; i++) {
    scalar up_cosine, up_p;
    s->kept[i] = ST_KERNEL(facing_kept)(site, s, f, i, &up_cosine, &up_p);
    s->w[i] = s->k[i] * s->kept[i];
    sloped |= s_real(up_cosine) != 0 || s_real(up_p) != 0;
  }
  return sloped;
}

// Derivatives of ψ by the sums that n̄ and p̄ are made of.
typedef struct ST_KERNEL(facing_up) {
  scalar sum[3], total, p; // by Σ ŵ n, Σ ŵ (through n̄ alone), p̄
} ST_KERNEL(facing_up);

static void ST_KERNEL(facing_up_sums)(const Site *site, const ST_KERNEL(samples) * s,
                                      const ST_KERNEL(facing) * f, scalar psi, scalar weight,
                                      ST_KERNEL(facing_up) * up) {
  scalar up_normal[3] = {s_number(0), s_number(0), s_number(0)};
  up->p = s_number(0);
  for (int i = 0; i < site->count; i++) {
    scalar up_cosine, up_p, up_kept = s->k[i] * (s->p[i] - psi) / weight;
    ST_KERNEL(facing_kept)(site, s, f, i, &up_cosine, &up_p);
    up->p -= up_kept * up_p;
    for (int j = 0; j < 3; j++)
      up_normal[j] += up_kept * up_cosine * s->n[j][i];
  }
  scalar along = ST_KERNEL(dot)(up_normal, f->normal) / f->length;
  for (int j = 0; j < 3; j++)
    up->sum[j] = up_normal[j] / f->length - along * f->normal[j];
  up->total = -along * ST_KERNEL(facing_floor) * f->total / f->length;
}

static void ST_KERNEL(facing_push_sample)(const Site *site, const ST_KERNEL(samples) * s,
                                          const ST_KERNEL(facing) * f,
                                          const ST_KERNEL(facing_up) * up, const scalar *position,
                                          int i, scalar up_kept, scalar *gradient) {
  ST_KERNEL(nearness) near;
  ST_KERNEL(sample_nearness)(site, s, position, i, &near);
  scalar n[3], d[3], up_d[3], up_n[3], up_cosine, up_p;
  ST_KERNEL(sample_vector)(s->n, i, n);
  ST_KERNEL(sample_vector)(s->d, i, d);
  ST_KERNEL(facing_kept)(site, s, f, i, &up_cosine, &up_p);
  scalar mean_up = up->p / f->total, w = s->cubic[i] * near.value;
  scalar up_w = ST_KERNEL(dot)(up->sum, n) + up->total + mean_up * (s->p[i] - f->p);
  scalar up_near = up_w * s->cubic[i];
  scalar up_r = (2.0 * site->inverse_radius_squared) * up_w * near.value * s->cubic_up[i];
  up_p = up_kept * up_p + mean_up * w + up_near * near.up_p;
  up_cosine *= up_kept;
  for (int j = 0; j < 3; j++) {
    up_d[j] = up_r * d[j] + up_p * n[j];
    up_n[j] = up_cosine * f->normal[j] + w * up->sum[j] + up_p * d[j];
  }
  ST_KERNEL(sample_push_normal)(site, s, position, i, up_d, up_n, gradient);
  for (int j = 0; j < 3; j++) {
    scalar pull = 2.0 * up_near * near.up_square * near.away[j];
    gradient[j] += pull;
    for (int v = 0; v < 3; v++)
      gradient[3 * site->corner[v][i] + j] -= near.corner[v] * pull;
  }
}

static void ST_KERNEL(facing_push)(const Site *site, const ST_KERNEL(samples) * s,
                                   const ST_KERNEL(facing) * f, const scalar *position, scalar psi,
                                   scalar weight, scalar *gradient) {
  ST_KERNEL(facing_up) up;
  ST_KERNEL(facing_up_sums)(site, s, f, psi, weight, &up);
  for (int i = 0; i < site->count; i++) {
    scalar up_kept = s->k[i] * (s->p[i] - psi) / weight;
    ST_KERNEL(facing_push_sample)(site, s, f, &up, position, i, up_kept, gradient);
  }
}
