// 3×3 matrices and fourth-order tensors [9][9] on `scalar`: the parts that laws are put together
// from. A kernel header (math/scalar.h): no include guard, one inclusion for each kind of number.

// G = ∂(det F)/∂F, the cofactor matrix; returns det F.
static inline scalar ST_KERNEL(mat3_cofactor)(const scalar F[9], scalar G[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = 3 * ((i + 1) % 3), b = 3 * ((i + 2) % 3), c = (j + 1) % 3, d = (j + 2) % 3;
      G[3 * i + j] = F[a + c] * F[b + d] - F[a + d] * F[b + c];
    }
  return F[0] * G[0] + F[1] * G[1] + F[2] * G[2];
}

// A : B
static inline scalar ST_KERNEL(mat3_contract)(const scalar A[9], const scalar B[9]) {
  scalar sum = A[0] * B[0];
  for (int i = 1; i < 9; i++)
    sum += A[i] * B[i];
  return sum;
}

// AᵀA
static inline void ST_KERNEL(mat3_gram)(const scalar A[9], scalar out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = A[i] * A[j] + A[3 + i] * A[3 + j] + A[6 + i] * A[6 + j];
}

// A Aᵀ
static inline void ST_KERNEL(mat3_gram_rows)(const scalar A[9], scalar out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] =
          A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] + A[3 * i + 2] * A[3 * j + 2];
}

static inline void ST_KERNEL(mat3_multiply)(const scalar A[9], const scalar B[9], scalar out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

// C = A ⊗ B
static inline void ST_KERNEL(tensor_outer)(const scalar A[9], const scalar B[9], scalar C[81]) {
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++)
      C[9 * p + q] = A[p] * B[q];
}

// C += A ⊗ B
static inline void ST_KERNEL(tensor_add_outer)(const scalar A[9], const scalar B[9], scalar C[81]) {
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++)
      C[9 * p + q] += A[p] * B[q];
}

// C += s ∂F/∂F
static inline void ST_KERNEL(tensor_add_identity)(scalar s, scalar C[81]) {
  for (int p = 0; p < 9; p++)
    C[10 * p] += s;
}

// C += s ∂G/∂F, G the cofactor matrix: ∂G_ij/∂F_kl = ε_ikm ε_jln F_mn.
static inline void ST_KERNEL(tensor_add_cofactor)(scalar s, const scalar F[9], scalar C[81]) {
  scalar sF[9];
  for (int p = 0; p < 9; p++)
    sF[p] = s * F[p];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int k = (i + 1) % 3, m = (i + 2) % 3, l = (j + 1) % 3, n = (j + 2) % 3;
      scalar *row = C + 9 * (3 * i + j);
      row[3 * k + l] += sF[3 * m + n];
      row[3 * k + n] -= sF[3 * m + l];
      row[3 * m + l] -= sF[3 * k + n];
      row[3 * m + n] += sF[3 * k + l];
    }
}

// C += s ∂(F FᵀF)/∂F
static inline void ST_KERNEL(tensor_add_cubic)(scalar s, const scalar F[9], scalar C[81]) {
  scalar right[9], left[9];
  ST_KERNEL(mat3_gram)(F, right);
  ST_KERNEL(mat3_gram_rows)(F, left);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        scalar *row = C + 9 * (3 * i + j) + 3 * k;
        scalar sF = s * F[3 * k + j];
        for (int l = 0; l < 3; l++)
          row[l] += sF * F[3 * i + l];
        row[j] += s * left[3 * i + k];
      }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int l = 0; l < 3; l++)
        C[9 * (3 * i + j) + 3 * i + l] += s * right[3 * l + j];
}
