// Compressible Mooney–Rivlin solid: W = c10 (J^(−2/3) I − 3) + c01 (J^(−4/3) II − 3) + B/2 ln²J, I
// = tr FᵀF, II = |G|² with G = ∂J/∂F, the second invariant of FᵀF. k: c10, c01, B. A kernel header
// (math/scalar.h).

static void ST_KERNEL(law_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9], scalar *W) {
  scalar G[9];
  scalar L = s_log(ST_KERNEL(mat3_cofactor)(F, G));
  scalar t = s_exp((-2.0 / 3) * L);
  *W = k[0] * (t * ST_KERNEL(mat3_contract)(F, F) - 3.0) +
       k[1] * (t * t * ST_KERNEL(mat3_contract)(G, G) - 3.0) + 0.5 * k[2] * L * L;
}

// P = 2 a F + 2 b H + W_J G, a = c10 J^(−2/3), b = c01 J^(−4/3), H = ½ ∂II/∂F = I F − F FᵀF.
static void ST_KERNEL(law_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                  scalar P[9]) {
  scalar G[9], right[9], cubic[9];
  scalar J = ST_KERNEL(mat3_cofactor)(F, G);
  scalar L = s_log(J), t = s_exp((-2.0 / 3) * L);
  scalar a = k[0] * t, b = k[1] * t * t;
  scalar I1 = ST_KERNEL(mat3_contract)(F, F), I2 = ST_KERNEL(mat3_contract)(G, G);
  scalar W_J = (k[2] * L - (2.0 / 3) * (a * I1 + 2.0 * b * I2)) / J;
  ST_KERNEL(mat3_gram)(F, right);
  ST_KERNEL(mat3_multiply)(F, right, cubic);
  for (int p = 0; p < 9; p++)
    P[p] = 2.0 * (a + b * I1) * F[p] - 2.0 * b * cubic[p] + W_J * G[p];
}

static void ST_KERNEL(law_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                   scalar C[81]) {
  scalar G[9], right[9], cubic[9], mixed[9];
  scalar J = ST_KERNEL(mat3_cofactor)(F, G);
  scalar L = s_log(J), t = s_exp((-2.0 / 3) * L);
  scalar a = k[0] * t, b = k[1] * t * t;
  scalar I1 = ST_KERNEL(mat3_contract)(F, F), I2 = ST_KERNEL(mat3_contract)(G, G);
  scalar W_J = (k[2] * L - (2.0 / 3) * (a * I1 + 2.0 * b * I2)) / J;
  scalar W_JJ = (k[2] * (1.0 - L) + (10.0 / 9) * a * I1 + (28.0 / 9) * b * I2) / (J * J);
  ST_KERNEL(mat3_gram)(F, right);
  ST_KERNEL(mat3_multiply)(F, right, cubic);
  // Half of W_JJ G and the whole of ∂(2aF + 2bH)/∂J: added once from each side.
  for (int p = 0; p < 9; p++)
    mixed[p] = 0.5 * W_JJ * G[p] - (4.0 / 3) * (a * F[p] + 2.0 * b * (I1 * F[p] - cubic[p])) / J;
  ST_KERNEL(tensor_outer)(mixed, G, C);
  ST_KERNEL(tensor_add_outer)(G, mixed, C);
  for (int p = 0; p < 9; p++)
    mixed[p] = 4.0 * b * F[p];
  ST_KERNEL(tensor_add_outer)(mixed, F, C);
  ST_KERNEL(tensor_add_identity)(2.0 * (a + b * I1), C);
  ST_KERNEL(tensor_add_cubic)(-2.0 * b, F, C);
  ST_KERNEL(tensor_add_cofactor)(W_J, F, C);
}
