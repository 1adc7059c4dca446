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
static void ST_KERNEL(membrane_hessian)(const s_constant *k, const scalar *edge, scalar *H) {
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
