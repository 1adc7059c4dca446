// χᵢ leaves out samples that must not count where the point is: on the far side of a thin wall or
// of a sheet, or past an edge. Nearness is to triangles: ŵᵢ = cubic(sᵢ)/(1 + Dᵢ²/η²)², where Dᵢ² =
// |x − triangle|² + 3 min(pᵢ, 0)². With means n̄, p̄, c̄ by ŵ, χᵢ = step(nᵢ·n̄) (1 − far(±(pᵢ −
// p̄)) past(±nᵢ·(c̄ − cᵢ))), all C¹. A kernel header (math/scalar.h).

// Samples up to 101° away from n̄ stay whole: a right-angled edge is never cut. From 134° none stay.
static const double ST_KERNEL(facing_none) = -0.7, ST_KERNEL(facing_all) = -0.2;
// |n̄| falls from 1 where the nearest normals cancel to below a tenth: then nothing opposes.
static const double ST_KERNEL(facing_floor) = 0.01;
// (pᵢ − p̄)/R: far behind, compared with the nearest, or far before.
static const double ST_KERNEL(far_all) = -0.25, ST_KERNEL(far_none) = -0.08;
// nᵢ·(c̄ − cᵢ)/R: the near surface lies behind the sample's plane, as past a convex edge, where
// samples far behind do not count; or in front of it, as past a concave edge, where the signs
// change.
static const double ST_KERNEL(past_all) = -0.05, ST_KERNEL(past_none) = 0;
// In a maze of walls all samples may be past some edge; then all count.
static const double ST_KERNEL(kept_least) = 1e-12;

// m. On a sample's plane the second derivative of min(p, 0)² jumps. There the real part of p in a
// complex step is a product of two steps, of either sign: one side must be chosen for all
// directions.
static const double ST_KERNEL(on_plane) = -1e-40;

typedef struct ST_KERNEL(facing) {
  scalar total, length; // Σ ŵ, √(|Σ ŵ n|² + floor (Σ ŵ)²)
  scalar normal[3], p;  // n̄ = Σ ŵ n / length, p̄
  scalar d[3];          // x − c̄
} ST_KERNEL(facing);

// If all normals lie within 50° of one direction, so does n̄, and with all p close together no χ
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
  double limit = ST_KERNEL(far_none) * site->radius;
  double least = 0.6428 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  bool needed = !(low - high > limit);
  for (int i = 0; i < site->count; i++) {
    double along =
        s_real(s->n[0][i]) * sum[0] + s_real(s->n[1][i]) * sum[1] + s_real(s->n[2][i]) * sum[2];
    needed |= along <= least;
  }
  return needed;
}

static void ST_KERNEL(facing_place)(const Site *site, const scalar *restrict position, int begin,
                                    int end, ST_KERNEL(samples) * s) {
  for (int i = begin; i < end; i++)
    for (int v = 0; v < 3; v++) {
      const scalar *corner = position + 3 * site->corner[v][i];
      for (int j = 0; j < 3; j++)
        s->corner[3 * v + j][i] = corner[j] - position[j];
    }
}

static void ST_KERNEL(facing_near)(const Site *site, int begin, int end, ST_KERNEL(samples) * s) {
  const double per_square = site->inverse_near_squared, floor = site->floor;
  ST_INDEPENDENT
  for (int i = begin; i < end; i++) {
    const scalar a[3] = {s->corner[0][i], s->corner[1][i], s->corner[2][i]};
    const scalar b[3] = {s->corner[3][i], s->corner[4][i], s->corner[5][i]};
    const scalar c[3] = {s->corner[6][i], s->corner[7][i], s->corner[8][i]};
    scalar foot[3];
    ST_KERNEL(triangle_nearest)(a, b, c, floor, foot);
    scalar away0 = foot[0] * a[0] + foot[1] * b[0] + foot[2] * c[0];
    scalar away1 = foot[0] * a[1] + foot[1] * b[1] + foot[2] * c[1];
    scalar away2 = foot[0] * a[2] + foot[1] * b[2] + foot[2] * c[2];
    scalar p = s->p[i], behind = s_real(p) < ST_KERNEL(on_plane) ? p : s_number(0);
    scalar square = away0 * away0 + away1 * away1 + away2 * away2 + 3.0 * behind * behind;
    scalar root = 1.0 / (1.0 + per_square * square), near = root * root;
    scalar up = (-2.0 * per_square) * near * root;
    s->near[i] = near;
    s->near_p[i] = 6.0 * behind * up;
    s->pull[0][i] = -2.0 * up * away0;
    s->pull[1][i] = -2.0 * up * away1;
    s->pull[2][i] = -2.0 * up * away2;
    s->foot[0][i] = foot[0];
    s->foot[1][i] = foot[1];
    s->foot[2][i] = foot[2];
  }
}

static void ST_KERNEL(facing_means)(const Site *site, const ST_KERNEL(samples) * s,
                                    ST_KERNEL(facing) * f) {
  scalar p = s_number(0), total = s_number(0), sum[3], d[3];
  for (int j = 0; j < 3; j++)
    sum[j] = d[j] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    scalar w = s->cubic[i] * s->near[i];
    total += w;
    p += w * s->p[i];
    for (int j = 0; j < 3; j++) {
      sum[j] += w * s->n[j][i];
      d[j] += w * s->d[j][i];
    }
  }
  f->total = total;
  f->p = p / total;
  f->length = s_sqrt(ST_KERNEL(dot)(sum, sum) + ST_KERNEL(facing_floor) * total * total);
  for (int j = 0; j < 3; j++) {
    f->normal[j] = sum[j] / f->length;
    f->d[j] = d[j] / total;
  }
}

// 0 up to one bound and 1 from the other on, with its slope; branch-free.
static inline scalar ST_KERNEL(step_between)(scalar x, double none, double all, scalar *up) {
  const double scale = 1 / (all - none);
  scalar t = ST_KERNEL(clamp)((x - none) * scale);
  *up = (6.0 * scale) * t * (1.0 - t);
  return t * t * (3.0 - 2.0 * t);
}

// Fills χ, its derivatives and the weights.
static void ST_KERNEL(facing_keep)(const Site *site, ST_KERNEL(samples) * s,
                                   const ST_KERNEL(facing) * f) {
  const double per_length = 1 / site->radius;
  const scalar n0 = f->normal[0], n1 = f->normal[1], n2 = f->normal[2], mean = f->p;
  const scalar d0 = f->d[0], d1 = f->d[1], d2 = f->d[2];
  ST_INDEPENDENT
  for (int i = 0; i < site->count; i++) {
    scalar cosine = s->n[0][i] * n0 + s->n[1][i] * n1 + s->n[2][i] * n2;
    scalar rise = s->p[i] - (s->n[0][i] * d0 + s->n[1][i] * d1 + s->n[2][i] * d2);
    scalar height = s->p[i] - mean, up_facing, up_level, up_open;
    double side = s_real(height) > 0 ? -per_length : per_length;
    scalar facing =
        ST_KERNEL(step_between)(cosine, ST_KERNEL(facing_none), ST_KERNEL(facing_all), &up_facing);
    scalar level =
        ST_KERNEL(step_between)(side * height, ST_KERNEL(far_all), ST_KERNEL(far_none), &up_level);
    scalar open =
        ST_KERNEL(step_between)(side * rise, ST_KERNEL(past_all), ST_KERNEL(past_none), &up_open);
    scalar before = level + open - level * open + ST_KERNEL(kept_least);
    s->kept[i] = facing * before;
    s->kept_n[i] = up_facing * before;
    s->kept_p[i] = side * (facing * (1.0 - open) * up_level);
    s->kept_c[i] = side * (facing * (1.0 - level) * up_open);
    s->w[i] = s->k[i] * s->kept[i];
  }
}

// Fills χ and the weights; returns whether some χ is on its slope, so that its derivatives count.
static bool ST_KERNEL(facing_find)(const Site *site, const scalar *position, ST_KERNEL(samples) * s,
                                   ST_KERNEL(facing) * f) {
  for (int begin = 0, end; (end = next_run(site, &begin)) > begin; begin = end) {
    ST_KERNEL(facing_place)(site, position, begin, end, s);
    ST_KERNEL(facing_near)(site, begin, end, s);
  }
  ST_KERNEL(facing_means)(site, s, f);
  ST_KERNEL(facing_keep)(site, s, f);
  bool sloped = false;
  for (int i = 0; i < site->count; i++)
    sloped |= s_real(s->kept_n[i]) != 0 || s_real(s->kept_p[i]) != 0 || s_real(s->kept_c[i]) != 0;
  return sloped;
}

// Derivatives of ψ by the sums behind n̄ and p̄.
typedef struct ST_KERNEL(facing_up) {
  scalar sum[3], total; // by Σ ŵ n and, through n̄ alone, by Σ ŵ
  scalar p, d[3];       // by p̄ and x − c̄, over Σ ŵ
} ST_KERNEL(facing_up);

static void ST_KERNEL(facing_up_sums)(const Site *site, const ST_KERNEL(samples) * s,
                                      const ST_KERNEL(facing) * f, scalar psi, scalar weight,
                                      ST_KERNEL(facing_up) * up) {
  scalar up_normal[3], up_d[3], up_p = s_number(0), inverse = 1.0 / weight;
  for (int j = 0; j < 3; j++)
    up_normal[j] = up_d[j] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    scalar up_kept = s->k[i] * (s->p[i] - psi) * inverse, up_cosine = up_kept * s->kept_n[i];
    scalar up_rise = up_kept * s->kept_c[i];
    up_p -= up_kept * s->kept_p[i];
    for (int j = 0; j < 3; j++) {
      up_normal[j] += up_cosine * s->n[j][i];
      up_d[j] -= up_rise * s->n[j][i];
    }
  }
  scalar along = ST_KERNEL(dot)(up_normal, f->normal) / f->length;
  for (int j = 0; j < 3; j++) {
    up->sum[j] = up_normal[j] / f->length - along * f->normal[j];
    up->d[j] = up_d[j] / f->total;
  }
  up->total = -along * ST_KERNEL(facing_floor) * f->total / f->length;
  up->p = up_p / f->total;
}

// Adds to the derivatives of ψ by d and a; fills those by the nearness.
static void ST_KERNEL(facing_push_samples)(const Site *site, ST_KERNEL(samples) * s,
                                           const ST_KERNEL(facing) * f,
                                           const ST_KERNEL(facing_up) * up, scalar psi,
                                           scalar weight) {
  const double per_square = 2.0 * site->inverse_radius_squared;
  const scalar *sum = up->sum, *by_d = up->d, *mean = f->normal, *middle = f->d;
  const scalar inverse = 1.0 / weight, level = ST_KERNEL(dot)(by_d, middle);
  ST_INDEPENDENT
  for (int i = 0; i < site->count; i++) {
    scalar n0 = s->n[0][i], n1 = s->n[1][i], n2 = s->n[2][i], p = s->p[i];
    scalar d0 = s->d[0][i], d1 = s->d[1][i], d2 = s->d[2][i];
    scalar up_kept = s->k[i] * (p - psi) * inverse, w = s->cubic[i] * s->near[i];
    scalar up_w = sum[0] * n0 + sum[1] * n1 + sum[2] * n2 + up->total + up->p * (p - f->p) +
                  (by_d[0] * d0 + by_d[1] * d1 + by_d[2] * d2) - level;
    scalar up_near = up_w * s->cubic[i], up_r = per_square * up_w * s->near[i] * s->cubic_up[i];
    scalar up_cosine = up_kept * s->kept_n[i], up_rise = up_kept * s->kept_c[i];
    scalar up_p = up_kept * s->kept_p[i] + up_rise + up->p * w + up_near * s->near_p[i];
    scalar up_n0 = up_cosine * mean[0] - up_rise * middle[0] + w * sum[0] + up_p * d0;
    scalar up_n1 = up_cosine * mean[1] - up_rise * middle[1] + w * sum[1] + up_p * d1;
    scalar up_n2 = up_cosine * mean[2] - up_rise * middle[2] + w * sum[2] + up_p * d2;
    scalar along = n0 * up_n0 + n1 * up_n1 + n2 * up_n2;
    s->up_d[0][i] += up_r * d0 + up_p * n0 + w * by_d[0];
    s->up_d[1][i] += up_r * d1 + up_p * n1 + w * by_d[1];
    s->up_d[2][i] += up_r * d2 + up_p * n2 + w * by_d[2];
    s->up_a[0][i] += (up_n0 - along * n0) * s->per_length[i];
    s->up_a[1][i] += (up_n1 - along * n1) * s->per_length[i];
    s->up_a[2][i] += (up_n2 - along * n2) * s->per_length[i];
    s->up_near[i] = up_near;
  }
}

// The term through the nearest points goes straight to the gradient.
static void ST_KERNEL(facing_push)(const Site *site, ST_KERNEL(samples) * s,
                                   const ST_KERNEL(facing) * f, scalar psi, scalar weight,
                                   scalar *gradient) {
  ST_KERNEL(facing_up) up;
  ST_KERNEL(facing_up_sums)(site, s, f, psi, weight, &up);
  ST_KERNEL(facing_push_samples)(site, s, f, &up, psi, weight);
  for (int i = 0; i < site->count; i++)
    for (int j = 0; j < 3; j++) {
      scalar pull = s->up_near[i] * s->pull[j][i];
      gradient[j] += pull;
      for (int v = 0; v < 3; v++)
        gradient[3 * site->corner[v][i] + j] -= s->foot[v][i] * pull;
    }
}
