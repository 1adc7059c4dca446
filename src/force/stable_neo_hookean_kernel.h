// Stable neo-Hookean solid: W = μ'/2 (I − 3 − ln((I + 1)/4)) + λ'/2 (J − a)² − λ'/2 (1 − a)² with
// a = 1 + ¾ μ'/λ', the last two terms and ln 4 chosen so that W is zero at rest.
// k: μ', λ', a. A kernel header (math/scalar.h).

static void ST_KERNEL(law_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9], scalar *W) {
  scalar G[9];
  scalar J = ST_KERNEL(mat3_cofactor)(F, G);
  scalar stretch = ST_KERNEL(mat3_contract)(F, F) - 3.0;
  scalar shape = stretch - s_log(1.0 + 0.25 * stretch);
  // (J − a)² − (1 − a)² factored, so that nothing large cancels near rest.
  *W = 0.5 * k[0] * shape + 0.5 * k[1] * (J - 1.0) * (J + (1.0 - 2.0 * k[2]));
}

// P = μ' (1 − 1/(I + 1)) F + λ' (J − a) G, G = ∂J/∂F.
static void ST_KERNEL(law_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                  scalar P[9]) {
  scalar G[9];
  scalar W_J = k[1] * (ST_KERNEL(mat3_cofactor)(F, G) - k[2]);
  scalar a = k[0] - k[0] / (ST_KERNEL(mat3_contract)(F, F) + 1.0);
  for (int p = 0; p < 9; p++)
    P[p] = a * F[p] + W_J * G[p];
}

static void ST_KERNEL(law_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                   scalar C[81]) {
  scalar G[9], left[9];
  scalar W_J = k[1] * (ST_KERNEL(mat3_cofactor)(F, G) - k[2]);
  scalar s = 1.0 / (ST_KERNEL(mat3_contract)(F, F) + 1.0);
  scalar slope = 2.0 * k[0] * s * s;
  for (int p = 0; p < 9; p++)
    left[p] = slope * F[p];
  ST_KERNEL(tensor_outer)(left, F, C);
  for (int p = 0; p < 9; p++)
    left[p] = k[1] * G[p];
  ST_KERNEL(tensor_add_outer)(left, G, C);
  ST_KERNEL(tensor_add_identity)(k[0] - k[0] * s, C);
  ST_KERNEL(tensor_add_cofactor)(W_J, F, C);
}
