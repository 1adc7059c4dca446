// Small strain about the rest shape: W = μ tr e² + λ/2 tr²e, e = (F + Fᵀ)/2 − 1. k: μ, λ. A kernel
// header (math/scalar.h).

static inline scalar ST_KERNEL(small_strain)(const scalar F[9], scalar strain[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      strain[3 * i + j] = 0.5 * (F[3 * i + j] + F[3 * j + i]) - (i == j ? 1.0 : 0.0);
  return strain[0] + strain[4] + strain[8];
}

static void ST_KERNEL(law_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9], scalar *W) {
  scalar strain[9];
  scalar trace = ST_KERNEL(small_strain)(F, strain);
  *W = k[0] * ST_KERNEL(mat3_contract)(strain, strain) + 0.5 * k[1] * trace * trace;
}

static void ST_KERNEL(law_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                  scalar P[9]) {
  scalar strain[9];
  scalar trace = ST_KERNEL(small_strain)(F, strain);
  for (int p = 0; p < 9; p++)
    P[p] = 2.0 * k[0] * strain[p];
  for (int i = 0; i < 3; i++)
    P[4 * i] += k[1] * trace;
}

static void ST_KERNEL(law_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                   scalar C[81]) {
  (void)F;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int m = 0; m < 3; m++)
        for (int l = 0; l < 3; l++)
          C[9 * (3 * i + j) + 3 * m + l] = s_number(
              k[0] * ((i == m && j == l) + (i == l && j == m)) + k[1] * (i == j && m == l));
}
