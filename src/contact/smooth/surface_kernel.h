// ψ(x) = Σ wᵢ pᵢ / Σ wᵢ, pᵢ = nᵢ·(x − cᵢ), wᵢ = k(|x − cᵢ|/R) χᵢ, and its exact gradient with
// respect to the point and every vertex. A kernel header (math/scalar.h). χᵢ:
// surface_facing_kernel.h. Gradients are carried from the value back to the positions: `up` before
// a name means ∂(result)/∂.

typedef struct ST_KERNEL(samples) {
  scalar *d[3];              // x − c
  scalar *n[3];              // unit normal
  scalar *length;            // of the cross product of two edges: twice the area
  scalar *per_length;        // its inverse
  scalar *p;                 // n·d
  scalar *cubic, *cubic_up;  // 1 − 3s² + 2s³ and its derivative by q = s² = |d|²/R²
  scalar *k, *k_up;          // the kernel cubic/(1 + s²/t), alike
  scalar *kept;              // χ: 0 for samples of an opposing wall, otherwise 1
  scalar *w;                 // k χ
  scalar *up_d[3], *up_a[3]; // derivatives of ψ

  // Where some χ may differ from 1; see surface_facing_kernel.h.
  scalar *corner[9];                // corners less x
  scalar *near, *near_p;            // nearness 1/(1 + D²/η²)² and its derivative by p
  scalar *pull[3];                  // its derivative by x, p held
  scalar *up_near;                  // the derivative of ψ by it
  scalar *foot[3];                  // barycentric weights of the nearest point
  scalar *kept_n, *kept_p, *kept_c; // derivatives of χ by nᵢ·n̄, pᵢ − p̄ and nᵢ·(c̄ − cᵢ)
} ST_KERNEL(samples);

static void ST_KERNEL(samples_lay)(scalar *work, size_t capacity, ST_KERNEL(samples) * s) {
  _Static_assert(sizeof *s == ST_SAMPLE_FIELDS * sizeof(scalar *), "nothing but fields");
  scalar **field = (scalar **)s;
  for (size_t i = 0; i < ST_SAMPLE_FIELDS; i++)
    field[i] = work + i * capacity;
}

static inline void ST_KERNEL(sample_vector)(scalar *const field[3], int i, scalar out[3]) {
  for (int j = 0; j < 3; j++)
    out[j] = field[j][i];
}

// 0 below 0, 1 above 1, C¹ between; *up is the slope.
static inline scalar ST_KERNEL(smooth_step)(scalar x, scalar *up) {
  *up = s_number(0);
  if (s_real(x) <= 0)
    return s_number(0);
  if (s_real(x) >= 1)
    return s_number(1);
  *up = 6.0 * x * (1.0 - x);
  return x * x * (3.0 - 2.0 * x);
}

static void ST_KERNEL(samples_place)(const Site *site, const scalar *restrict position, int begin,
                                     int end, ST_KERNEL(samples) * s) {
  for (int i = begin; i < end; i++) {
    const scalar *a = position + 3 * site->corner[0][i];
    const scalar *b = position + 3 * site->corner[1][i];
    const scalar *c = position + 3 * site->corner[2][i];
    for (int j = 0; j < 3; j++) {
      int l = (j + 1) % 3, m = (j + 2) % 3;
      s->d[j][i] = position[j] - (1.0 / 3) * (a[j] + b[j] + c[j]);
      s->n[j][i] = (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
    }
  }
}

// The floor under |a|² gives a collapsed triangle some normal and bounded derivatives; for others
// it is below round-off. Fields do not overlap, so the compiler can process eight samples at once.
static void ST_KERNEL(samples_weigh)(const Site *site, int begin, int end, ST_KERNEL(samples) * s) {
  const double floor = site->floor, per_square = site->inverse_radius_squared;
  const double sharpness = site->sharpness;
  ST_INDEPENDENT
  for (int i = begin; i < end; i++) {
    scalar a0 = s->n[0][i], a1 = s->n[1][i], a2 = s->n[2][i];
    scalar d0 = s->d[0][i], d1 = s->d[1][i], d2 = s->d[2][i];
    scalar length = s_sqrt(a0 * a0 + a1 * a1 + a2 * a2 + floor), inverse = 1.0 / length;
    s->n[0][i] = a0 * inverse;
    s->n[1][i] = a1 * inverse;
    s->n[2][i] = a2 * inverse;
    s->length[i] = length;
    s->per_length[i] = inverse;
    s->p[i] = (a0 * d0 + a1 * d1 + a2 * d2) * inverse;

    // The square root must stay away from zero, where it has no derivative (the kernel has one).
    scalar q = (d0 * d0 + d1 * d1 + d2 * d2) * per_square;
    scalar root = s_sqrt(q + 1e-30);
    scalar cubic = 1.0 - 3.0 * q + 2.0 * q * root, cubic_up = 3.0 * root - 3.0;
    cubic = s_real(q) < 1 ? cubic : s_number(0);
    cubic_up = s_real(q) < 1 ? cubic_up : s_number(0);
    scalar damping = 1.0 / (1.0 + sharpness * q), k = cubic * damping;
    s->cubic[i] = cubic;
    s->cubic_up[i] = cubic_up;
    s->k[i] = k;
    s->w[i] = k;
    s->k_up[i] = (cubic_up - sharpness * k) * damping;
    s->kept[i] = s_number(1);
  }
}

// Adds a sample's derivatives to the positions: d = x − c and the cross product a of its edges.
static inline void ST_KERNEL(sample_push)(const Site *site, const scalar *position, int i,
                                          const scalar up_d[3], const scalar up_a[3],
                                          scalar *gradient) {
  const int corner[3] = {3 * site->corner[0][i], 3 * site->corner[1][i], 3 * site->corner[2][i]};
  for (int v = 0; v < 3; v++) {
    const scalar *next = position + corner[(v + 1) % 3], *last = position + corner[(v + 2) % 3];
    scalar edge[3] = {next[0] - last[0], next[1] - last[1], next[2] - last[2]}, turn[3];
    ST_KERNEL(cross)(edge, up_a, turn);
    for (int j = 0; j < 3; j++)
      gradient[corner[v] + j] += turn[j] - (1.0 / 3) * up_d[j];
  }
  for (int j = 0; j < 3; j++)
    gradient[j] += up_d[j];
}

static scalar ST_KERNEL(samples_mean)(const Site *site, const ST_KERNEL(samples) * s,
                                      scalar *total) {
  scalar sum = s_number(0), weight = s_number(0);
  for (int i = 0; i < site->count; i++) {
    weight += s->w[i];
    sum += s->w[i] * s->p[i];
  }
  *total = weight;
  return sum / weight;
}

// Derivatives of ψ by d and a through the kernel and pᵢ; the path through χᵢ is facing_push.
static void ST_KERNEL(samples_up)(const Site *site, ST_KERNEL(samples) * s, scalar psi,
                                  scalar weight) {
  const double per_square = 2 * site->inverse_radius_squared;
  scalar inverse = 1.0 / weight;
  ST_INDEPENDENT
  for (int i = 0; i < site->count; i++) {
    scalar ratio = s->w[i] * inverse, turn = ratio / s->length[i], p = s->p[i];
    scalar up_r = per_square * (s->kept[i] * (p - psi) * inverse * s->k_up[i]);
    s->up_d[0][i] = ratio * s->n[0][i] + up_r * s->d[0][i];
    s->up_d[1][i] = ratio * s->n[1][i] + up_r * s->d[1][i];
    s->up_d[2][i] = ratio * s->n[2][i] + up_r * s->d[2][i];
    s->up_a[0][i] = turn * (s->d[0][i] - p * s->n[0][i]);
    s->up_a[1][i] = turn * (s->d[1][i] - p * s->n[1][i]);
    s->up_a[2][i] = turn * (s->d[2][i] - p * s->n[2][i]);
  }
}

static void ST_KERNEL(samples_push)(const Site *site, const ST_KERNEL(samples) * s,
                                    const scalar *position, scalar *gradient) {
  for (int i = 0; i < site->count; i++) {
    scalar up_d[3], up_a[3];
    ST_KERNEL(sample_vector)(s->up_d, i, up_d);
    ST_KERNEL(sample_vector)(s->up_a, i, up_a);
    ST_KERNEL(sample_push)(site, position, i, up_d, up_a, gradient);
  }
}
