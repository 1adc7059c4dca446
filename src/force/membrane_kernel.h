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

// How far the viscous stress follows a rate ċ_ab of the metric e_a·e_b:
// Q = (m ċ m)/μ + λ/(2μ²) tr(m ċ) m, the stress 2μ Ġ + λ tr Ġ by the moduli at rest in the basis of
// the edges. ċ is symmetric, as [11 12 22], and so is Q.
static inline void ST_KERNEL(membrane_rate_stress)(const s_constant *k, const scalar rate[3],
                                                   scalar Q[3]) {
  s_constant a = k[METRIC_11], b = k[METRIC_12], c = k[METRIC_22];
  // m ċ
  scalar first = a * rate[0] + b * rate[1], second = a * rate[1] + b * rate[2];
  scalar third = b * rate[0] + c * rate[1], fourth = b * rate[1] + c * rate[2];
  scalar trace = (first + fourth) * (0.5 * k[LAMBDA] / (k[MU] * k[MU]));
  Q[0] = (first * a + second * b) / k[MU] + trace * a;
  Q[1] = (first * b + second * c) / k[MU] + trace * b;
  Q[2] = (third * b + fourth * c) / k[MU] + trace * c;
}

// The viscous force that resists a rate of the edges. Its power is never negative, whatever the
// shape.
static void ST_KERNEL(membrane_viscous)(const s_constant *k, const scalar *edge, const scalar *rate,
                                        scalar *gradient) {
  const scalar *e = edge, *f = edge + 3, *e_rate = rate, *f_rate = rate + 3;
  scalar Q[3], metric[3] = {2 * ST_KERNEL(dot)(e, e_rate),
                            ST_KERNEL(dot)(e, f_rate) + ST_KERNEL(dot)(f, e_rate),
                            2 * ST_KERNEL(dot)(f, f_rate)};
  ST_KERNEL(membrane_rate_stress)(k, metric, Q);
  for (int i = 0; i < 3; i++) {
    gradient[i] = Q[0] * e[i] + Q[1] * f[i];
    gradient[3 + i] = Q[1] * e[i] + Q[2] * f[i];
  }
}

static inline void ST_KERNEL(membrane_viscous_tangent)(const s_constant *k, const scalar *edge,
                                                       const scalar *rate, double by_position,
                                                       double by_velocity, scalar *J) {
  const scalar *e = edge, *f = edge + 3, *e_rate = rate, *f_rate = rate + 3;
  scalar Q[3], metric[3] = {2 * ST_KERNEL(dot)(e, e_rate),
                            ST_KERNEL(dot)(e, f_rate) + ST_KERNEL(dot)(f, e_rate),
                            2 * ST_KERNEL(dot)(f, f_rate)};
  ST_KERNEL(membrane_rate_stress)(k, metric, Q);
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 3; i++) {
      // When coordinate i of edge c changes, in place and in rate:
      scalar by_e = by_position * e_rate[i] + by_velocity * e[i];
      scalar by_f = by_position * f_rate[i] + by_velocity * f[i];
      scalar none = s_number(0), dQ[3];
      scalar change[3] = {c == 0 ? 2 * by_e : none, c == 0 ? by_f : by_e, c == 1 ? 2 * by_f : none};
      ST_KERNEL(membrane_rate_stress)(k, change, dQ);
      for (int r = 0; r < 3; r++) {
        J[6 * r + 3 * c + i] = dQ[0] * e[r] + dQ[1] * f[r];
        J[6 * (3 + r) + 3 * c + i] = dQ[1] * e[r] + dQ[2] * f[r];
      }
      J[6 * i + 3 * c + i] += by_position * Q[c];
      J[6 * (3 + i) + 3 * c + i] += by_position * Q[1 + c];
    }
}
