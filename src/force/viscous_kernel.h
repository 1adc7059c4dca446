// Viscous stress of a solid: P = F (2μ Ġ + λ tr Ġ), Ġ = sym(FᵀḞ) the rate of Green's strain, with
// the elastic moduli at rest, times β. Its power is 2μ |Ġ|² + λ tr²Ġ: never negative, whatever F.
// k: μ, λ. A kernel header (math/scalar.h).

// 2μ sym(AᵀB) + λ tr(AᵀB)
static inline void ST_KERNEL(viscous_second)(const double k[2], const scalar A[9],
                                             const scalar B[9], scalar S[9]) {
  scalar trace = s_number(k[1]) * ST_KERNEL(mat3_contract)(A, B);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      scalar sum = A[i] * B[j] + A[j] * B[i];
      sum += A[3 + i] * B[3 + j] + A[3 + j] * B[3 + i];
      sum += A[6 + i] * B[6 + j] + A[6 + j] * B[6 + i];
      S[3 * i + j] = k[0] * sum;
    }
  for (int i = 0; i < 3; i++)
    S[4 * i] += trace;
}

static inline void ST_KERNEL(viscous_stress)(const double k[2], const scalar F[9],
                                             const scalar rate[9], scalar P[9]) {
  scalar S[9];
  ST_KERNEL(viscous_second)(k, F, rate, S);
  ST_KERNEL(mat3_multiply)(F, S, P);
}
