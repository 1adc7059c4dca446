// Neo-Hookean solid: W = μ/2 (I − 3) − μ ln J + λ/2 ln²J, I = tr FᵀF, J = det F.
// k: μ, λ. A kernel header (math/scalar.h).

static void ST_KERNEL(law_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9], scalar *W) {
  scalar G[9];
  scalar L = s_log(ST_KERNEL(mat3_cofactor)(F, G));
  *W = 0.5 * k[0] * (ST_KERNEL(mat3_contract)(F, F) - 3.0) + (0.5 * k[1] * L - k[0]) * L;
}

// P = μ F + (λ ln J − μ)/J G, G = ∂J/∂F.
static void ST_KERNEL(law_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                  scalar P[9]) {
  scalar G[9];
  scalar J = ST_KERNEL(mat3_cofactor)(F, G);
  scalar W_J = (k[1] * s_log(J) - k[0]) / J;
  for (int p = 0; p < 9; p++)
    P[p] = k[0] * F[p] + W_J * G[p];
}

static void ST_KERNEL(law_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                   scalar C[81]) {
  scalar G[9], W_JJ_G[9];
  scalar J = ST_KERNEL(mat3_cofactor)(F, G);
  scalar W_J = (k[1] * s_log(J) - k[0]) / J;
  scalar W_JJ = (k[1] / J - W_J) / J;
  for (int p = 0; p < 9; p++)
    W_JJ_G[p] = W_JJ * G[p];
  ST_KERNEL(tensor_outer)(W_JJ_G, G, C);
  ST_KERNEL(tensor_add_identity)(s_number(k[0]), C);
  ST_KERNEL(tensor_add_cofactor)(W_J, F, C);
}
