// St. Venant–Kirchhoff solid: W = μ tr G² + λ/2 tr²G, G = (FᵀF − 1)/2. k: μ, λ. A kernel header
// (math/scalar.h).

static void ST_KERNEL(law_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9], scalar *W) {
  scalar E[9];
  ST_KERNEL(mat3_gram)(F, E);
  for (int i = 0; i < 3; i++)
    E[4 * i] -= 1.0;
  scalar trace = E[0] + E[4] + E[8]; // of 2E, as all of E here
  *W = 0.25 * k[0] * ST_KERNEL(mat3_contract)(E, E) + 0.125 * k[1] * trace * trace;
}

// P = F (2μ E + λ tr E).
static void ST_KERNEL(law_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                  scalar P[9]) {
  scalar S[9];
  ST_KERNEL(mat3_gram)(F, S);
  for (int i = 0; i < 3; i++)
    S[4 * i] -= 1.0;
  scalar pressure = 0.5 * k[1] * (S[0] + S[4] + S[8]);
  for (int p = 0; p < 9; p++)
    S[p] *= k[0];
  for (int i = 0; i < 3; i++)
    S[4 * i] += pressure;
  ST_KERNEL(mat3_multiply)(F, S, P);
}

// From P = (λ tr E − μ) F + μ F FᵀF.
static void ST_KERNEL(law_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                   scalar C[81]) {
  scalar left[9];
  scalar trace = 0.5 * (ST_KERNEL(mat3_contract)(F, F) - 3.0);
  for (int p = 0; p < 9; p++)
    left[p] = k[1] * F[p];
  ST_KERNEL(tensor_outer)(left, F, C);
  ST_KERNEL(tensor_add_identity)(k[1] * trace - k[0], C);
  ST_KERNEL(tensor_add_cubic)(s_number(k[0]), F, C);
}
