// Second derivatives of what one sample contributes to the gap, written out. A sample adds
// w(1, p), w = k χ, to the sums W and P of ψ = P/W, and ŵ(1, n, p, d) to the sums that the means
// θ = (n̄, p̄, d̄) are made of; χ depends on θ. Derivatives are by its corners less the point, [9],
// and by θ. Real numbers only; surface_gap.c includes it once.

enum { THETA = 7, SUMS = 8, LOCAL = 9 }; // sums: Σ ŵ, Σ ŵ n, Σ ŵ p, Σ ŵ d

// Derivatives of ψ by a sample's contributions; zero from `sums` on if χ is constant.
typedef struct Adjoint {
  double weight, product; // of w and of w p
  double total, normal[3], p, d[3];
} Adjoint;

typedef struct Bend {
  int vertex[4];           // the point, then the corners, in the stencil
  double d[3], n[3], p, w; // as in samples
  double q_up[LOCAL], p_up[LOCAL], n_up[3][LOCAL];
  double w_up[LOCAL], w_theta[THETA];
  double sum_up[SUMS][LOCAL];
  double hessian[LOCAL][LOCAL], cross[LOCAL][THETA], theta[THETA][THETA];
  // Intermediate values:
  double corner[3][3], edge[3][3]; // less the point; the next corner less the last one
  double length, per_square;       // |A|; 2/R²
  double cubic[3], k[3];           // and their derivatives by q
} Bend;

// ∂A/∂corner · x = x × edge: converts derivatives by A and by d to derivatives by the corners.
static inline void to_corners(const Bend *bend, const double by_d[3], const double by_a[3],
                              double out[LOCAL]) {
  for (int v = 0; v < 3; v++) {
    cross_real(bend->edge[v], by_a, out + 3 * v);
    for (int j = 0; j < 3; j++)
      out[3 * v + j] -= (1.0 / 3) * by_d[j];
  }
}

// Converts a derivative by n to one by A: the part across n, over |A|.
static inline void across(const Bend *bend, const double by_n[3], double by_a[3]) {
  double along = dot_real(by_n, bend->n);
  for (int j = 0; j < 3; j++)
    by_a[j] = (by_n[j] - along * bend->n[j]) / bend->length;
}

static void by_d_and_n(const Bend *bend, const double by_d[3], const double by_n[3],
                       double out[LOCAL]) {
  double by_a[3];
  across(bend, by_n, by_a);
  to_corners(bend, by_d, by_a, out);
}

// Kernel and cubic with two derivatives by q = |d|²/R².
static void bend_kernel(const Site *site, const samples_real *s, int i, Bend *bend) {
  const double *d = bend->d;
  double q = dot_real(d, d) * site->inverse_radius_squared;
  bend->cubic[0] = s->cubic[i];
  bend->cubic[1] = s->cubic_up[i];
  bend->cubic[2] = q < 1 ? 1.5 / sqrt(q + 1e-30) : 0;
  bend->k[0] = s->k[i];
  bend->k[1] = s->k_up[i];
  bend->k[2] = (bend->cubic[2] - 2 * site->sharpness * s->k_up[i]) / (1 + site->sharpness * q);
  if (!(q < 1))
    bend->k[2] = 0;
}

static void bend_place(const Site *site, const samples_real *s, const double *position, int i,
                       Bend *bend) {
  static const double zero[3] = {0, 0, 0};
  double scaled[3];
  bend->vertex[0] = 0;
  for (int v = 0; v < 3; v++) {
    const double *x = position + 3 * site->corner[v][i];
    bend->vertex[v + 1] = site->corner[v][i];
    for (int j = 0; j < 3; j++)
      bend->corner[v][j] = x[j] - position[j];
  }
  for (int v = 0; v < 3; v++)
    for (int j = 0; j < 3; j++)
      bend->edge[v][j] = bend->corner[(v + 1) % 3][j] - bend->corner[(v + 2) % 3][j];
  sample_vector_real(s->d, i, bend->d);
  sample_vector_real(s->n, i, bend->n);
  bend->p = s->p[i];
  bend->w = s->w[i];
  bend->length = s->length[i];
  bend->per_square = 2 * site->inverse_radius_squared;
  bend_kernel(site, s, i, bend);
  scale_real(bend->per_square, bend->d, scaled);
  to_corners(bend, scaled, zero, bend->q_up);
  by_d_and_n(bend, bend->n, bend->d, bend->p_up);
  for (int j = 0; j < 3; j++) {
    double unit[3] = {j == 0, j == 1, j == 2};
    by_d_and_n(bend, zero, unit, bend->n_up[j]);
  }
}

// A smooth step with two derivatives by x.
static void step_twice(double x, double none, double all, double out[3]) {
  const double scale = 1 / (all - none);
  double t = clamp_real((x - none) * scale);
  out[0] = t * t * (3 - 2 * t);
  out[1] = 6 * scale * t * (1 - t);
  out[2] = t > 0 && t < 1 ? 6 * scale * scale * (1 - 2 * t) : 0;
}

// χ = facing(c) before(h, r) by c = n·n̄, h = p − p̄, r = p − n·d̄.
typedef struct Keep {
  double facing[3];                // with two derivatives
  double before, h, r, hh, hr, rr; // and its derivatives
} Keep;

static void keep_all(Keep *keep) {
  *keep = (Keep){.facing = {1, 0, 0}, .before = 1};
}

static void keep_fill(const Site *site, const facing_real *f, const Bend *bend, Keep *keep) {
  double level[3], open[3], height = bend->p - f->p;
  double rise = bend->p - dot_real(bend->n, f->d);
  double side = (height > 0 ? -1 : 1) / site->radius;
  step_twice(dot_real(bend->n, f->normal), facing_none_real, facing_all_real, keep->facing);
  step_twice(side * height, far_all_real, far_none_real, level);
  step_twice(side * rise, past_all_real, past_none_real, open);
  keep->before = level[0] + open[0] - level[0] * open[0] + kept_least_real;
  keep->h = side * level[1] * (1 - open[0]);
  keep->r = side * open[1] * (1 - level[0]);
  keep->hh = side * side * level[2] * (1 - open[0]);
  keep->rr = side * side * open[2] * (1 - level[0]);
  keep->hr = -side * side * level[1] * open[1];
}

// A function of scalars of (d, n, θ): the scalars' gradients and the function's derivatives.
enum { SPAN = 6 + THETA, SCALARS = 5 };
typedef struct Chain {
  double gradient[SCALARS][SPAN];
  double first[SCALARS], second[SCALARS][SCALARS];
} Chain;

// Gradients of q, p, c, h and r.
static void chain_scalars(const Bend *bend, const facing_real *f, Chain *chain) {
  memset(chain->gradient, 0, sizeof chain->gradient);
  for (int j = 0; j < 3; j++) {
    double d = bend->d[j], n = bend->n[j];
    chain->gradient[0][j] = bend->per_square * d;
    for (int a = 1; a < SCALARS; a += a == 1 ? 2 : 1) { // p, h, r
      chain->gradient[a][j] = n;
      chain->gradient[a][3 + j] = d;
    }
    chain->gradient[2][3 + j] = f->normal[j];
    chain->gradient[2][6 + j] = n;
    chain->gradient[4][3 + j] = d - f->d[j];
    chain->gradient[4][10 + j] = -n;
  }
  chain->gradient[3][9] = -1;
}

// Derivatives of k χ (weight + product p) by q, p, c, h and r.
static void chain_weight(const Bend *bend, const Keep *keep, const Adjoint *up, Chain *chain) {
  const double *k = bend->k, *f = keep->facing, b = keep->before;
  double e = up->weight + up->product * bend->p, g = up->product;
  const double slope[SCALARS] = {k[1] * f[0] * b, 0, k[0] * f[1] * b, k[0] * f[0] * keep->h,
                                 k[0] * f[0] * keep->r};
  const double bend2[SCALARS][SCALARS] = {
      {k[2] * f[0] * b, 0, k[1] * f[1] * b, k[1] * f[0] * keep->h, k[1] * f[0] * keep->r},
      {0, 0, 0, 0, 0},
      {0, 0, k[0] * f[2] * b, k[0] * f[1] * keep->h, k[0] * f[1] * keep->r},
      {0, 0, 0, k[0] * f[0] * keep->hh, k[0] * f[0] * keep->hr},
      {0, 0, 0, 0, k[0] * f[0] * keep->rr}};
  for (int a = 0; a < SCALARS; a++) {
    chain->first[a] = slope[a] * e;
    for (int c = a; c < SCALARS; c++)
      chain->second[a][c] = chain->second[c][a] = bend2[a][c] * e;
  }
  chain->first[1] += k[0] * f[0] * b * g;
  for (int a = 0; a < SCALARS; a++) {
    chain->second[1][a] += slope[a] * g;
    chain->second[a][1] = chain->second[1][a];
  }
}

// Derivatives by (d, n, θ): gradient m and second derivatives M.
typedef struct Spanned {
  double m[SPAN], M[SPAN][SPAN];
} Spanned;

static void chain_apply(const Chain *chain, int scalars, Spanned *out) {
  for (int a = 0; a < scalars; a++) {
    double row[SPAN] = {0};
    for (int b = 0; b < scalars; b++)
      for (int j = 0; j < SPAN; j++)
        row[j] += chain->second[a][b] * chain->gradient[b][j];
    for (int i = 0; i < SPAN; i++) {
      out->m[i] += chain->first[a] * chain->gradient[a][i];
      for (int j = 0; j < SPAN; j++)
        out->M[i][j] += chain->gradient[a][i] * row[j];
    }
  }
}

// The scalars' own second derivatives: q by d, p, h and r by d and n, c by n and n̄, r by n and d̄.
static void add_curved(double by_q, double by_dn, double by_c, double by_r, double per_square,
                       Spanned *out) {
  for (int j = 0; j < 3; j++) {
    out->M[j][j] += by_q * per_square;
    out->M[j][3 + j] += by_dn;
    out->M[3 + j][j] += by_dn;
    out->M[3 + j][6 + j] += by_c;
    out->M[6 + j][3 + j] += by_c;
    out->M[3 + j][10 + j] -= by_r;
    out->M[10 + j][3 + j] -= by_r;
  }
}

// w's own first derivatives.
static void weight_slopes(Bend *bend, const Keep *keep, const facing_real *f) {
  const double *k = bend->k;
  double by_q = k[1] * keep->facing[0] * keep->before, by_c = k[0] * keep->facing[1] * keep->before;
  double by_h = k[0] * keep->facing[0] * keep->h, by_r = k[0] * keep->facing[0] * keep->r;
  double by_d[3], by_n[3];
  for (int j = 0; j < 3; j++) {
    by_d[j] = by_q * bend->per_square * bend->d[j] + (by_h + by_r) * bend->n[j];
    by_n[j] = by_c * f->normal[j] + (by_h + by_r) * bend->d[j] - by_r * f->d[j];
    bend->w_theta[j] = by_c * bend->n[j];
    bend->w_theta[4 + j] = -by_r * bend->n[j];
  }
  bend->w_theta[3] = -by_h;
  by_d_and_n(bend, by_d, by_n, bend->w_up);
}

// Nearness near(σ) = 1/(1 + σ/η²)², σ = s + 3 min(p, 0)², s = |x − triangle|².
typedef struct Near {
  double value, up, bend;  // near and its derivatives by σ
  double by_p, bend_p;     // of σ
  double foot[3], away[3]; // barycentric; from the point to the nearest point
  double s_up[LOCAL];      // ∂s
} Near;

static void near_fill(const Site *site, const samples_real *s, int i, const Bend *bend,
                      Near *near) {
  double square = 0, behind = bend->p < 0 ? bend->p : 0;
  for (int v = 0; v < 3; v++)
    near->foot[v] = s->foot[v][i];
  for (int j = 0; j < 3; j++) {
    near->away[j] = near->foot[0] * bend->corner[0][j] + near->foot[1] * bend->corner[1][j] +
                    near->foot[2] * bend->corner[2][j];
    square += near->away[j] * near->away[j];
  }
  double per_square = site->inverse_near_squared;
  double root = 1 / (1 + per_square * (square + 3 * behind * behind));
  near->value = root * root;
  near->up = -2 * per_square * near->value * root;
  near->bend = 6 * per_square * per_square * near->value * near->value;
  near->by_p = 6 * behind;
  near->bend_p = bend->p < 0 ? 6 : 0;
  for (int c = 0; c < LOCAL; c++)
    near->s_up[c] = 2 * near->foot[c / 3] * near->away[c % 3];
}

// Adds scale · ∂²s: the foot moves within the face or the edge it is on, and stays at a corner.
static void add_near_bend(const Bend *bend, const Near *near, double scale,
                          double hessian[LOCAL][LOCAL]) {
  int free[3], count = 0;
  double move[2][LOCAL], gram[3] = {0, 0, 0};
  for (int v = 0; v < 3; v++)
    if (near->foot[v] > 0)
      free[count++] = v;
  for (int r = 0; r < LOCAL; r++)
    for (int v = 0; v < 3; v++)
      hessian[r][3 * v + r % 3] += 2 * scale * near->foot[r / 3] * near->foot[v];
  for (int m = 0; m < count - 1; m++)
    for (int c = 0; c < LOCAL; c++) {
      double along = bend->corner[free[m + 1]][c % 3] - bend->corner[free[0]][c % 3];
      double lean = (c / 3 == free[m + 1]) - (c / 3 == free[0]);
      move[m][c] = lean * near->away[c % 3] + near->foot[c / 3] * along;
    }
  for (int j = 0; j < 3 && count > 1; j++) {
    const double *x = bend->corner[free[0]];
    double one = bend->corner[free[1]][j] - x[j];
    double two = count > 2 ? bend->corner[free[2]][j] - x[j] : 0;
    gram[0] += one * one;
    gram[1] += one * two;
    gram[2] += two * two;
  }
  double det = count > 2 ? gram[0] * gram[2] - gram[1] * gram[1] : gram[0];
  double inverse[2][2] = {{(count > 2 ? gram[2] : 1) / det, -gram[1] / det},
                          {-gram[1] / det, gram[0] / det}};
  for (int a = 0; a < count - 1; a++)
    for (int b = 0; b < count - 1; b++)
      for (int r = 0; r < LOCAL; r++)
        for (int c = 0; c < LOCAL; c++)
          hessian[r][c] -= 2 * scale * inverse[a][b] * move[a][r] * move[b][c];
}

// Derivatives of cubic(q) near(σ) Λ, Λ = total + normal·n + p p + d·d, by (d, n); terms through s
// go directly into the hessian.
static void add_means(const Bend *bend, const Near *near, const Adjoint *up, Spanned *out,
                      double hessian[LOCAL][LOCAL]) {
  const double *cubic = bend->cubic;
  double lambda =
      up->total + dot_real(up->normal, bend->n) + up->p * bend->p + dot_real(up->d, bend->d);
  Chain chain = {0};
  double by_d[3], by_n[3], mixed[LOCAL], mixed_d[3] = {0}, mixed_n[3] = {0};
  for (int j = 0; j < 3; j++) {
    chain.gradient[0][j] = bend->per_square * bend->d[j];
    chain.gradient[1][j] = bend->n[j];
    chain.gradient[1][3 + j] = bend->d[j];
    chain.gradient[2][j] = by_d[j] = up->d[j] + up->p * bend->n[j];
    chain.gradient[2][3 + j] = by_n[j] = up->normal[j] + up->p * bend->d[j];
  }
  double by_s = cubic[0] * near->up * lambda, by_ss = cubic[0] * near->bend * lambda;
  double by_qs = cubic[1] * near->up * lambda, by_ls = cubic[0] * near->up;
  double by_p = near->by_p;
  const double first[3] = {cubic[1] * near->value * lambda, by_s * by_p, cubic[0] * near->value};
  const double second[3][3] = {
      {cubic[2] * near->value * lambda, by_qs * by_p, cubic[1] * near->value},
      {by_qs * by_p, by_ss * by_p * by_p + by_s * near->bend_p, by_ls * by_p},
      {cubic[1] * near->value, by_ls * by_p, 0}};
  memcpy(chain.first, first, sizeof first);
  for (int a = 0; a < 3; a++)
    memcpy(chain.second[a], second[a], sizeof second[a]);
  chain_apply(&chain, 3, out);
  add_curved(first[0], first[1] + first[2] * up->p, 0, 0, bend->per_square, out);
  for (int j = 0; j < 3; j++) {
    mixed_d[j] =
        by_qs * bend->per_square * bend->d[j] + by_ss * by_p * bend->n[j] + by_ls * by_d[j];
    mixed_n[j] = by_ss * by_p * bend->d[j] + by_ls * by_n[j];
  }
  by_d_and_n(bend, mixed_d, mixed_n, mixed);
  for (int r = 0; r < LOCAL; r++)
    for (int c = 0; c < LOCAL; c++)
      hessian[r][c] += by_ss * near->s_up[r] * near->s_up[c] + near->s_up[r] * mixed[c] +
                       mixed[r] * near->s_up[c];
  add_near_bend(bend, near, by_s, hessian);
}

// First derivatives of ŵ(1, n, p, d).
static void sum_slopes(Bend *bend, const Near *near) {
  double w = bend->cubic[0] * near->value, by_q = bend->cubic[1] * near->value;
  double by_s = bend->cubic[0] * near->up;
  for (int c = 0; c < LOCAL; c++) {
    double up = by_q * bend->q_up[c] + by_s * (near->s_up[c] + near->by_p * bend->p_up[c]);
    bend->sum_up[0][c] = up;
    bend->sum_up[4][c] = bend->p * up + w * bend->p_up[c];
    for (int j = 0; j < 3; j++) {
      bend->sum_up[1 + j][c] = bend->n[j] * up + w * bend->n_up[j][c];
      bend->sum_up[5 + j][c] = bend->d[j] * up - (c % 3 == j) * (1.0 / 3) * w;
    }
  }
}

// From (d, n) to (d, A): rows and columns across n, plus the terms from the rotation of n.
static void span_to_area(const Bend *bend, Spanned *s) {
  const double *n = bend->n;
  double turn[3], lift = dot_real(s->m + 3, n), per_square = 1 / (bend->length * bend->length);
  across(bend, s->m + 3, turn); // with one 1/|A|
  for (int r = 0; r < SPAN; r++) {
    double by_a[3];
    across(bend, s->M[r] + 3, by_a);
    memcpy(s->M[r] + 3, by_a, sizeof by_a);
  }
  for (int c = 0; c < SPAN; c++) {
    double by_n[3] = {s->M[3][c], s->M[4][c], s->M[5][c]}, by_a[3];
    across(bend, by_n, by_a);
    for (int j = 0; j < 3; j++)
      s->M[3 + j][c] = by_a[j];
  }
  for (int j = 0; j < 3; j++)
    for (int l = 0; l < 3; l++)
      s->M[3 + j][3 + l] -= (turn[j] * n[l] + n[j] * turn[l]) / bend->length +
                            lift * per_square * ((j == l) - n[j] * n[l]);
  memcpy(s->m + 3, turn, sizeof turn);
}

// From (d, A) to the corners. A is bilinear in them, so its derivative contributes as well.
static void area_to_corners(const Bend *bend, const Spanned *s, double hessian[LOCAL][LOCAL],
                            double cross[LOCAL][THETA]) {
  double half[6][LOCAL], column[LOCAL];
  const double *u = s->m + 3;
  const double wedge[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  for (int r = 0; r < 6; r++)
    to_corners(bend, s->M[r], s->M[r] + 3, half[r]);
  for (int c = 0; c < LOCAL; c++) {
    const double by_d[3] = {half[0][c], half[1][c], half[2][c]};
    const double by_a[3] = {half[3][c], half[4][c], half[5][c]};
    to_corners(bend, by_d, by_a, column);
    for (int r = 0; r < LOCAL; r++)
      hessian[r][c] += column[r];
  }
  for (int v = 0; v < 3; v++)
    for (int j = 0; j < 3; j++)
      for (int l = 0; l < 3; l++) {
        hessian[3 * v + j][3 * ((v + 1) % 3) + l] -= wedge[j][l];
        hessian[3 * v + j][3 * ((v + 2) % 3) + l] += wedge[j][l];
      }
  for (int a = 0; a < THETA; a++) {
    const double by_d[3] = {s->M[0][6 + a], s->M[1][6 + a], s->M[2][6 + a]};
    const double by_a[3] = {s->M[3][6 + a], s->M[4][6 + a], s->M[5][6 + a]};
    to_corners(bend, by_d, by_a, column);
    for (int r = 0; r < LOCAL; r++)
      cross[r][a] = column[r];
  }
}

// First derivatives of sample i.
static void bend_slopes(const Site *site, const samples_real *s, const double *position,
                        const facing_real *f, bool sloped, int i, Bend *bend) {
  Keep keep;
  Near near;
  bend_place(site, s, position, i, bend);
  keep_all(&keep);
  keep.before = s->kept[i];
  if (sloped) {
    keep_fill(site, f, bend, &keep);
    near_fill(site, s, i, bend, &near);
    sum_slopes(bend, &near);
  }
  weight_slopes(bend, &keep, f);
}

// Second derivatives of sample i's contribution to ψ, with fixed adjoints.
static void bend_fill(const Site *site, const samples_real *s, const facing_real *f, bool sloped,
                      const Adjoint *up, int i, Bend *bend) {
  Keep keep;
  Chain chain;
  Spanned out = {0};
  memset(bend->hessian, 0, sizeof bend->hessian);
  keep_all(&keep);
  keep.before = s->kept[i];
  if (sloped)
    keep_fill(site, f, bend, &keep);
  chain_scalars(bend, f, &chain);
  chain_weight(bend, &keep, up, &chain);
  chain_apply(&chain, SCALARS, &out);
  add_curved(chain.first[0], chain.first[1] + chain.first[3] + chain.first[4], chain.first[2],
             chain.first[4], bend->per_square, &out);
  for (int a = 0; a < THETA; a++)
    memcpy(bend->theta[a], out.M[6 + a] + 6, sizeof bend->theta[a]);
  if (sloped) {
    Near near;
    near_fill(site, s, i, bend, &near);
    add_means(bend, &near, up, &out, bend->hessian);
  }
  span_to_area(bend, &out);
  area_to_corners(bend, &out, bend->hessian, bend->cross);
}
