// Membrane triangle as a function of its edges e₁, e₂ from the first corner:
// W = ½ Σ m_ab e_a·e_b − μ(1 + L) + ½ λ L², L = ln(|n|/|n̄|), n = e₁×e₂; m = μ × inverse of the rest
// edges' metric, which makes the sum μ tr C. k: MembraneConstant. A kernel header (math/scalar.h).

// The normal n and the vectors g_a dual to the edges in their plane (g_a·e_b = δ_ab), which are the
// derivatives of L; returns L.
static inline scalar ST_KERNEL(membrane_frame)(const s_constant *k, const scalar *edge, scalar n[3],
                                               scalar g[6]) {
  ST_KERNEL(cross)(edge, edge + 3, n);
  scalar square = ST_KERNEL(dot)(n, n), inverse = 1 / square;
  ST_KERNEL(cross)(edge + 3, n, g);
  ST_KERNEL(cross)(n, edge, g + 3);
  for (int i = 0; i < 6; i++)
    g[i] *= inverse;
  return 0.5 * s_log(square * k[INVERSE_SQUARE]);
}

static inline void ST_KERNEL(membrane_energy)(const s_constant *k, const scalar *edge, scalar *W) {
  scalar n[3], g[6];
  scalar L = ST_KERNEL(membrane_frame)(k, edge, n, g);
  const scalar *e = edge, *f = edge + 3;
  scalar stretch =
      0.5 * (k[METRIC_11] * ST_KERNEL(dot)(e, e) + k[METRIC_22] * ST_KERNEL(dot)(f, f));
  *W = stretch + k[METRIC_12] * ST_KERNEL(dot)(e, f) - k[MU] + (0.5 * k[LAMBDA] * L - k[MU]) * L;
}

static void ST_KERNEL(membrane_gradient)(const s_constant *k, const scalar *edge,
                                         scalar *gradient) {
  scalar n[3], g[6];
  scalar L = ST_KERNEL(membrane_frame)(k, edge, n, g);
  scalar W_L = k[LAMBDA] * L - k[MU];
  for (int i = 0; i < 3; i++) {
    gradient[i] = k[METRIC_11] * edge[i] + k[METRIC_12] * edge[3 + i] + W_L * g[i];
    gradient[3 + i] = k[METRIC_12] * edge[i] + k[METRIC_22] * edge[3 + i] + W_L * g[3 + i];
  }
}

// Block ab: m_ab 1 + λ g_a g_bᵀ + W_L [(g_a·g_b) n nᵀ/n² − g_b g_aᵀ].
static inline void ST_KERNEL(membrane_hessian)(const s_constant *k, const scalar *edge, scalar *H) {
  scalar n[3], g[6];
  scalar L = ST_KERNEL(membrane_frame)(k, edge, n, g);
  scalar W_L = k[LAMBDA] * L - k[MU];
  scalar flat = W_L / ST_KERNEL(dot)(n, n);
  const s_constant metric[2][2] = {{k[METRIC_11], k[METRIC_12]}, {k[METRIC_12], k[METRIC_22]}};
  for (int a = 0; a < 2; a++)
    for (int b = a; b < 2; b++) {
      scalar normal = flat * ST_KERNEL(dot)(g + 3 * a, g + 3 * b);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          scalar entry = k[LAMBDA] * g[3 * a + i] * g[3 * b + j] -
                         W_L * g[3 * b + i] * g[3 * a + j] + normal * n[i] * n[j];
          if (i == j)
            entry += metric[a][b];
          H[6 * (3 * a + i) + 3 * b + j] = entry;
          H[6 * (3 * b + j) + 3 * a + i] = entry;
        }
    }
}

// out = XY + (XY)ᵀ of 2×2 matrices, as [11 12 21 22].
static inline void ST_KERNEL(symmetric_product)(const scalar X[4], const scalar Y[4],
                                                scalar out[4]) {
  out[0] = 2 * (X[0] * Y[0] + X[1] * Y[2]);
  out[3] = 2 * (X[2] * Y[1] + X[3] * Y[3]);
  out[1] = out[2] = X[0] * Y[1] + X[1] * Y[3] + X[2] * Y[0] + X[3] * Y[2];
}

// What resists a rate ė of the edges: twice the rate of ∂W/∂(e_a·e_b),
// Q = λ tr A g − W_L (gA + (gA)ᵀ), with g_ab = g_a·g_b and the velocity gradient A_ab = ė_a·g_b.
typedef struct ST_KERNEL(Strain) {
  scalar n[3], dual[6];
  scalar W_L;
  scalar g[4], A[4], gA[4]; // gA: with its transpose added
  scalar Q[4];
} ST_KERNEL(Strain);

static inline void ST_KERNEL(strain_place)(const s_constant *k, const scalar *edge,
                                           const scalar *rate, ST_KERNEL(Strain) * strain) {
  scalar L = ST_KERNEL(membrane_frame)(k, edge, strain->n, strain->dual);
  strain->W_L = k[LAMBDA] * L - k[MU];
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      strain->g[2 * a + b] = ST_KERNEL(dot)(strain->dual + 3 * a, strain->dual + 3 * b);
      strain->A[2 * a + b] = ST_KERNEL(dot)(rate + 3 * a, strain->dual + 3 * b);
    }
  ST_KERNEL(symmetric_product)(strain->g, strain->A, strain->gA);
  scalar trace = k[LAMBDA] * (strain->A[0] + strain->A[3]);
  for (int p = 0; p < 4; p++)
    strain->Q[p] = trace * strain->g[p] - strain->W_L * strain->gA[p];
}

static void ST_KERNEL(membrane_viscous)(const s_constant *k, const scalar *edge, const scalar *rate,
                                        scalar *gradient) {
  ST_KERNEL(Strain) strain;
  ST_KERNEL(strain_place)(k, edge, rate, &strain);
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < 3; i++)
      gradient[3 * a + i] = strain.Q[2 * a] * edge[i] + strain.Q[2 * a + 1] * edge[3 + i];
}

// Change of Q when coordinate i of edge c changes: of position and of rate.
static inline void ST_KERNEL(strain_change)(const s_constant *k, const ST_KERNEL(Strain) * strain,
                                            const scalar flow[2], int c, int i, double by_position,
                                            double by_velocity, scalar dQ[4]) {
  const scalar *g = strain->g, *A = strain->A, *dual = strain->dual;
  scalar dg[4], dA[4], B[4], gB[4], g_dA[4], dg_A[4];
  for (int b = 0; b < 2; b++) {
    B[2 * c + b] = dual[3 * b + i];
    B[2 * (1 - c) + b] = s_number(0);
  }
  ST_KERNEL(symmetric_product)(g, B, gB);
  for (int p = 0; p < 4; p++) {
    int d = p / 2, b = p % 2;
    dg[p] = -gB[p];
    dA[p] = by_position * (flow[d] * g[2 * b + c] * strain->n[i] - A[2 * d + c] * dual[3 * b + i]);
    dA[p] += by_velocity * B[p];
  }
  ST_KERNEL(symmetric_product)(g, dA, g_dA);
  ST_KERNEL(symmetric_product)(dg, A, dg_A);
  scalar trace = by_position * (A[0] + A[3]), d_trace = dA[0] + dA[3];
  scalar d_L = by_position * dual[3 * c + i];
  for (int p = 0; p < 4; p++)
    dQ[p] = k[LAMBDA] * (d_trace * g[p] + trace * dg[p] - d_L * strain->gA[p]) -
            strain->W_L * (by_position * dg_A[p] + g_dA[p]);
}

static inline void ST_KERNEL(membrane_viscous_tangent)(const s_constant *k, const scalar *edge,
                                                       const scalar *rate, double by_position,
                                                       double by_velocity, scalar *J) {
  ST_KERNEL(Strain) strain;
  ST_KERNEL(strain_place)(k, edge, rate, &strain);
  scalar square = ST_KERNEL(dot)(strain.n, strain.n);
  scalar flow[2]; // of the edges' ends along the normal, over n²
  for (int d = 0; d < 2; d++)
    flow[d] = ST_KERNEL(dot)(rate + 3 * d, strain.n) / square;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 3; i++) {
      scalar dQ[4];
      ST_KERNEL(strain_change)(k, &strain, flow, c, i, by_position, by_velocity, dQ);
      for (int a = 0; a < 2; a++) {
        for (int r = 0; r < 3; r++)
          J[6 * (3 * a + r) + 3 * c + i] = dQ[2 * a] * edge[r] + dQ[2 * a + 1] * edge[3 + r];
        J[6 * (3 * a + i) + 3 * c + i] += by_position * strain.Q[2 * a + c];
      }
    }
}
