// Second derivatives of ψ and first derivatives of the shares, from those of the samples
// (sample_hessian_kernel.h): samples depend on each other only through W, P and the sums behind the
// means, so the whole is small blocks and a few outer products. Real numbers only; surface_gap.c
// includes it once. Not valid where the surface is fading out.

#include "contact/smooth/sample_hessian_kernel.h"

// A stencil and its samples at some positions.
typedef struct Patch {
  const Site *site;
  const samples_real *s;
  const double *position;
  facing_real facing;
  bool sloped; // some χ is on its slope
  int width;   // 3 × vertices of the stencil
  double weight, psi;
} Patch;

// What couples the samples, as rows over the positions.
typedef struct Ties {
  double *sum_up;                 // [SUMS][width]
  double *theta_up;               // [THETA][width]
  double *weight_up, *product_up; // [width] of W and P
  double theta_by_sum[THETA][SUMS];
  double w_theta[THETA], p_theta[THETA]; // Σ ∂w/∂θ, Σ p ∂w/∂θ
  Adjoint up;
  double up_theta[THETA];
} Ties;

static double *ties_lay(int width, double *work, Ties *ties) {
  size_t size = (size_t)width;
  memset(work, 0, (SUMS + THETA + 2) * size * sizeof(double));
  ties->sum_up = work;
  ties->theta_up = work + SUMS * size;
  ties->weight_up = ties->theta_up + THETA * size;
  ties->product_up = ties->weight_up + size;
  return ties->product_up + size;
}

// Adds a derivative by a sample's corners, less the point, to a row over the positions.
static inline void put_local(const Bend *bend, const double up[LOCAL], double *row) {
  for (int v = 0; v < 3; v++)
    for (int j = 0; j < 3; j++) {
      row[3 * bend->vertex[v + 1] + j] += up[3 * v + j];
      row[j] -= up[3 * v + j];
    }
}

// n̄ = Σ ŵ n/√(|Σ ŵ n|² + floor (Σ ŵ)²), p̄ and d̄ by the sums.
static void theta_slopes(const facing_real *f, double slope[THETA][SUMS]) {
  double per_length = 1 / f->length, per_total = 1 / f->total;
  memset(slope, 0, THETA * sizeof slope[0]);
  for (int i = 0; i < 3; i++) {
    slope[i][0] = -f->normal[i] * facing_floor_real * f->total * per_length * per_length;
    for (int j = 0; j < 3; j++)
      slope[i][1 + j] = ((i == j) - f->normal[i] * f->normal[j]) * per_length;
    slope[4 + i][0] = -f->d[i] * per_total;
    slope[4 + i][5 + i] = per_total;
  }
  slope[3][0] = -f->p * per_total;
  slope[3][4] = per_total;
}

// Second derivatives of up·θ by the sums.
static void theta_bends(const facing_real *f, const double up[THETA], double bend[SUMS][SUMS]) {
  const double *n = f->normal, floor = facing_floor_real;
  double square = f->length * f->length, along = dot_real(up, n), ratio = f->total / square;
  double per_total = 1 / (f->total * f->total);
  memset(bend, 0, SUMS * sizeof bend[0]);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      bend[1 + i][1 + j] =
          (3 * along * n[i] * n[j] - up[i] * n[j] - n[i] * up[j] - along * (i == j)) / square;
    bend[0][1 + i] = floor * ratio / f->length * (3 * along * n[i] - up[i]);
    bend[1 + i][0] = bend[0][1 + i];
    bend[0][5 + i] = bend[5 + i][0] = -up[4 + i] * per_total;
    bend[0][0] += 2 * up[4 + i] * f->d[i] * per_total;
  }
  bend[0][4] = bend[4][0] = -up[3] * per_total;
  bend[0][0] += along * floor * (3 * floor * ratio * ratio - 1 / square);
  bend[0][0] += 2 * up[3] * f->p * per_total;
}

static inline void add_row(double scale, const double *from, int width, double *to) {
  for (int c = 0; c < width; c++)
    to[c] += scale * from[c];
}

static void ties_sum(const Patch *patch, Ties *ties) {
  for (int i = 0; i < patch->site->count; i++) {
    Bend bend;
    double product_up[LOCAL];
    bend_slopes(patch->site, patch->s, patch->position, &patch->facing, patch->sloped, i, &bend);
    for (int c = 0; c < LOCAL; c++)
      product_up[c] = bend.p * bend.w_up[c] + bend.w * bend.p_up[c];
    put_local(&bend, bend.w_up, ties->weight_up);
    put_local(&bend, product_up, ties->product_up);
    for (int k = 0; patch->sloped && k < SUMS; k++)
      put_local(&bend, bend.sum_up[k], ties->sum_up + k * patch->width);
    for (int a = 0; patch->sloped && a < THETA; a++) {
      ties->w_theta[a] += bend.w_theta[a];
      ties->p_theta[a] += bend.p * bend.w_theta[a];
    }
  }
}

static void ties_adjoint(const Patch *patch, Ties *ties) {
  double sum[SUMS] = {0};
  ties->up = (Adjoint){.weight = -patch->psi / patch->weight, .product = 1 / patch->weight};
  for (int a = 0; patch->sloped && a < THETA; a++) {
    ties->up_theta[a] = ties->up.weight * ties->w_theta[a] + ties->up.product * ties->p_theta[a];
    for (int k = 0; k < SUMS; k++)
      sum[k] += ties->up_theta[a] * ties->theta_by_sum[a][k];
  }
  ties->up.total = sum[0];
  ties->up.p = sum[4];
  for (int j = 0; j < 3; j++) {
    ties->up.normal[j] = sum[1 + j];
    ties->up.d[j] = sum[5 + j];
  }
}

static void ties_fill(const Patch *patch, Ties *ties) {
  memset(ties->w_theta, 0, sizeof ties->w_theta);
  memset(ties->p_theta, 0, sizeof ties->p_theta);
  ties_sum(patch, ties);
  if (patch->sloped)
    theta_slopes(&patch->facing, ties->theta_by_sum);
  for (int a = 0; patch->sloped && a < THETA; a++) {
    double *row = ties->theta_up + a * patch->width;
    for (int k = 0; k < SUMS; k++)
      if (ties->theta_by_sum[a][k] != 0)
        add_row(ties->theta_by_sum[a][k], ties->sum_up + k * patch->width, patch->width, row);
    add_row(ties->w_theta[a], row, patch->width, ties->weight_up);
    add_row(ties->p_theta[a], row, patch->width, ties->product_up);
  }
  ties_adjoint(patch, ties);
}

// Adds a sample's 9×9 block; the point's rows and columns are minus the sums of the corners'.
static void put_hessian(const Bend *bend, int rows, int width, double *hessian) {
  for (int j = 0; j < 3; j++) {
    double sum[LOCAL];
    for (int c = 0; c < LOCAL; c++)
      sum[c] = -(bend->hessian[j][c] + bend->hessian[3 + j][c] + bend->hessian[6 + j][c]);
    put_local(bend, sum, hessian + (size_t)j * (size_t)width);
  }
  for (int r = 0; rows > 3 && r < LOCAL; r++) {
    int row = 3 * bend->vertex[1 + r / 3] + r % 3;
    put_local(bend, bend->hessian[r], hessian + (size_t)row * (size_t)width);
  }
}

// One outer product and its mirror image.
static void add_pair(const double *one, const double *two, int rows, int width, double *hessian) {
  for (int r = 0; r < rows; r++) {
    double a = one[r], b = two[r], *row = hessian + (size_t)r * (size_t)width;
    for (int c = 0; c < width; c++)
      row[c] += a * two[c] + b * one[c];
  }
}

// Terms through the means. lean: [THETA][width] ∂²ψ by θ and the positions of each sample.
static void add_means_bend(const Patch *patch, const Ties *ties, double theta[THETA][THETA],
                           double *lean, int rows, double *pair, double *hessian) {
  int width = patch->width;
  double bend[SUMS][SUMS];
  theta_bends(&patch->facing, ties->up_theta, bend);
  for (int a = 0; a < THETA; a++)
    for (int b = 0; b < THETA; b++)
      if (theta[a][b] != 0)
        add_row(0.5 * theta[a][b], ties->theta_up + b * width, width, lean + a * width);
  for (int k = 0; k < SUMS; k++) {
    memset(pair, 0, (size_t)width * sizeof(double));
    for (int a = 0; a < THETA; a++)
      if (ties->theta_by_sum[a][k] != 0)
        add_row(ties->theta_by_sum[a][k], lean + a * width, width, pair);
    for (int l = 0; l < SUMS; l++)
      if (bend[k][l] != 0)
        add_row(0.5 * bend[k][l], ties->sum_up + l * width, width, pair);
    add_pair(pair, ties->sum_up + k * width, rows, width, hessian);
  }
}

// The first `rows` rows of ∂²ψ: all, or the point's three. work: [(THETA + 1) width]
static void hessian_fill(const Patch *patch, const Ties *ties, int rows, double *hessian,
                         double *work) {
  int width = patch->width;
  double *lean = work, *pair = work + THETA * width, theta[THETA][THETA] = {{0}};
  memset(hessian, 0, (size_t)rows * (size_t)width * sizeof(double));
  memset(lean, 0, THETA * (size_t)width * sizeof(double));
  for (int i = 0; i < patch->site->count; i++) {
    Bend bend;
    bend_place(patch->site, patch->s, patch->position, i, &bend);
    bend_fill(patch->site, patch->s, &patch->facing, patch->sloped, &ties->up, i, &bend);
    put_hessian(&bend, rows, width, hessian);
    for (int a = 0; patch->sloped && a < THETA; a++) {
      double column[LOCAL];
      for (int r = 0; r < LOCAL; r++)
        column[r] = bend.cross[r][a];
      put_local(&bend, column, lean + a * width);
      for (int b = 0; b < THETA; b++)
        theta[a][b] += bend.theta[a][b];
    }
  }
  if (patch->sloped)
    add_means_bend(patch, ties, theta, lean, rows, pair, hessian);
  // ψ = P/W: half of ψ_WW on each side.
  double per_square = 1 / (patch->weight * patch->weight);
  for (int c = 0; c < width; c++)
    pair[c] = per_square * (patch->psi * ties->weight_up[c] - ties->product_up[c]);
  add_pair(pair, ties->weight_up, rows, width, hessian);
}

// Inputs of the shares and their derivatives: rows over the positions.
typedef struct Spread {
  double mean[3], level, y[3], normal[3];
  double moment[9];                   // A and what was added to it
  double inverse[9];                  // of that
  double second[3];                   // (Σ w d dᵀ/W) y
  double *mean_up, *moment_up, *y_up; // [3][width]; moment_up: of A y, before y moves
  double *level_up;                   // [width]
} Spread;

static double *spread_lay(int width, double *work, Spread *spread) {
  size_t size = 3 * (size_t)width;
  memset(work, 0, 2 * size * sizeof(double));
  spread->mean_up = work;
  spread->moment_up = work + size;
  spread->y_up = work + 2 * size;
  spread->level_up = work + 3 * size;
  return spread->level_up + width;
}

static void spread_fill(const Patch *patch, const double gradient[3], Spread *spread) {
  double cofactor[9];
  unit_along_real(gradient, spread->normal);
  share_moments_real(patch->site, patch->s, patch->weight, spread->mean, spread->moment);
  share_slope_real(patch->site, spread->normal, spread->mean, spread->moment, spread->y);
  double scale = 1 / mat3_cofactor_real(spread->moment, cofactor);
  for (int j = 0; j < 9; j++)
    spread->inverse[j] = scale * cofactor[j];
  spread->level = 1 + dot_real(spread->mean, spread->y);
}

// ∂(Σ w d) and ∂(Σ w d dᵀ) y.
static void spread_sum(const Patch *patch, const Ties *ties, Spread *spread) {
  int width = patch->width;
  double mean_theta[3][THETA] = {{0}}, moment_theta[3][THETA] = {{0}};
  memset(spread->second, 0, sizeof spread->second);
  for (int i = 0; i < patch->site->count; i++) {
    Bend bend;
    bend_slopes(patch->site, patch->s, patch->position, &patch->facing, patch->sloped, i, &bend);
    double along = dot_real(bend.d, spread->y), third = (1.0 / 3) * bend.w;
    for (int j = 0; j < 3; j++) {
      double mean_up[LOCAL], moment_up[LOCAL];
      for (int c = 0; c < LOCAL; c++) {
        mean_up[c] = bend.d[j] * bend.w_up[c] - third * (c % 3 == j);
        moment_up[c] = along * mean_up[c] - third * bend.d[j] * spread->y[c % 3];
      }
      put_local(&bend, mean_up, spread->mean_up + j * width);
      put_local(&bend, moment_up, spread->moment_up + j * width);
      spread->second[j] += bend.w / patch->weight * along * bend.d[j];
      for (int a = 0; patch->sloped && a < THETA; a++) {
        mean_theta[j][a] += bend.d[j] * bend.w_theta[a];
        moment_theta[j][a] += along * bend.d[j] * bend.w_theta[a];
      }
    }
  }
  for (int a = 0; patch->sloped && a < THETA; a++)
    for (int j = 0; j < 3; j++) {
      const double *row = ties->theta_up + a * width;
      add_row(mean_theta[j][a], row, width, spread->mean_up + j * width);
      add_row(moment_theta[j][a], row, width, spread->moment_up + j * width);
    }
}

// A⁻¹ b with one step of iterative refinement, because A is ill-conditioned if samples are few.
static void spread_solve(const Spread *spread, const double b[3], double x[3]) {
  double rest[3];
  for (int j = 0; j < 3; j++)
    x[j] = dot_real(spread->inverse + 3 * j, b);
  for (int j = 0; j < 3; j++)
    rest[j] = b[j] - dot_real(spread->moment + 3 * j, x);
  for (int j = 0; j < 3; j++)
    x[j] += dot_real(spread->inverse + 3 * j, rest);
}

// One column: all derivatives by one coordinate of one vertex.
static void spread_column(const Patch *patch, const double *weight_up, double length,
                          const double *point_rows, int c, Spread *spread) {
  int width = patch->width;
  const double *n = spread->normal, *mean = spread->mean, *y = spread->y;
  double dm[3], ds[3], dn[3], dg[3], right[3], dy[3], inverse = 1 / patch->weight;
  double square = patch->site->radius_squared;
  for (int j = 0; j < 3; j++) {
    dm[j] = inverse * (spread->mean_up[j * width + c] - mean[j] * weight_up[c]);
    ds[j] = inverse * (spread->moment_up[j * width + c] - spread->second[j] * weight_up[c]);
    dg[j] = point_rows[j * width + c] / length;
  }
  double along = dot_real(n, dg);
  for (int j = 0; j < 3; j++)
    dn[j] = dg[j] - along * n[j];
  double n_mean = dot_real(n, mean), n_y = dot_real(n, y), mean_y = dot_real(mean, y);
  double by_n = dot_real(n, dm) + dot_real(mean, dn), y_dm = dot_real(y, dm),
         y_dn = square * dot_real(y, dn);
  for (int j = 0; j < 3; j++)
    right[j] = dm[j] - by_n * n[j] - n_mean * dn[j] - ds[j] + dm[j] * mean_y + mean[j] * y_dm -
               square * n_y * dn[j] - n[j] * y_dn;
  spread_solve(spread, right, dy);
  for (int j = 0; j < 3; j++)
    spread->y_up[j * width + c] = dy[j];
  spread->level_up[c] = y_dm + dot_real(mean, dy);
}

// How a vertex' share depends on the level, on y and on θ.
enum { PULLS = 4 + THETA };

// ∂share: the terms of each sample alone. pull: [vertices][PULLS]
static void shares_local(const Patch *patch, const Spread *spread, double *pull, double *slope) {
  double third = 1 / (3 * patch->weight);
  for (int i = 0; i < patch->site->count; i++) {
    Bend bend;
    bend_slopes(patch->site, patch->s, patch->position, &patch->facing, patch->sloped, i, &bend);
    double lean = spread->level - dot_real(bend.d, spread->y), up[LOCAL], part = third * bend.w;
    for (int c = 0; c < LOCAL; c++)
      up[c] = third * lean * bend.w_up[c] + (1.0 / 3) * part * spread->y[c % 3];
    for (int v = 1; v < 4; v++) {
      double *to = pull + PULLS * bend.vertex[v];
      put_local(&bend, up, slope + (size_t)bend.vertex[v] * (size_t)patch->width);
      to[0] += part;
      for (int j = 0; j < 3; j++)
        to[1 + j] -= part * bend.d[j];
      for (int a = 0; patch->sloped && a < THETA; a++)
        to[4 + a] += third * lean * bend.w_theta[a];
    }
  }
}

// Terms through W, the level, y and θ.
static void shares_common(const Patch *patch, const Ties *ties, const Spread *spread,
                          const double *share, const double *pull, double *slope) {
  int width = patch->width;
  for (int k = 1; k < patch->site->stencil_count; k++) {
    const double *p = pull + PULLS * k;
    double *row = slope + (size_t)k * (size_t)width;
    add_row(-share[k] / patch->weight, ties->weight_up, width, row);
    add_row(p[0], spread->level_up, width, row);
    for (int j = 0; j < 3; j++)
      add_row(p[1 + j], spread->y_up + j * width, width, row);
    for (int a = 0; patch->sloped && a < THETA; a++)
      if (p[4 + a] != 0)
        add_row(p[4 + a], ties->theta_up + a * width, width, row);
  }
}
