// Guard against inversion for laws without a barrier of their own: below J = 0.2 the energy density
// gets V = M (1 − x)³/x added, x = J/0.2, infinite at J = 0 (W_g and c_g in docs/physics.md). V, V′
// and V″ vanish at x = 1, so stress and tangent are continuous, and above it the law is unchanged.
// k[ST_LAW_GUARD]: M, 0: none. A kernel header (math/scalar.h); it comes after the law's own.

#if defined(ST_LANES_KERNEL)

// Few batches have an element this flat: the others leave at once.
static inline bool guard_slopes_lanes(double M, StLanes J, StLanes V[3]) {
  StLaneBits flat = ~(J >= ST_GUARD_START); // also what is no number
  int64_t any = 0;
  for (int lane = 0; lane < ST_LANES; lane++)
    any |= flat[lane];
  if (any == 0 || M == 0)
    return false;
  for (int lane = 0; lane < ST_LANES; lane++) {
    double one[3] = {0};
    guard_slopes_real(M, J[lane], one);
    for (int i = 0; i < 3; i++)
      V[i][lane] = one[i];
  }
  return true;
}

#else

// V and its first two slopes by J; false, and nothing written: there is no guard here.
static inline bool ST_KERNEL(guard_slopes)(double M, scalar J, scalar V[3]) {
  if (s_real(J) >= ST_GUARD_START || M == 0)
    return false;
  scalar x = J / ST_GUARD_START, y = 1.0 - x;
  double slope = M / ST_GUARD_START;
  V[0] = M * y * y * y / x;
  V[1] = -slope * y * y * (1.0 + 2.0 * x) / (x * x);
  V[2] = slope / ST_GUARD_START * 2.0 * y * (1.0 + x + x * x) / (x * x * x);
  for (int i = 0; i < 3 && !(s_real(J) > 0); i++)
    V[i] = s_number(NAN);
  return true;
}

#endif

static void ST_KERNEL(guarded_energy)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                      scalar *W) {
  scalar G[9], V[3];
  ST_KERNEL(law_energy)(k, F, W);
  if (ST_KERNEL(guard_slopes)(k[ST_LAW_GUARD], ST_KERNEL(mat3_cofactor)(F, G), V))
    *W += V[0];
}

static void ST_KERNEL(guarded_stress)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                      scalar P[9]) {
  scalar G[9], V[3];
  ST_KERNEL(law_stress)(k, F, P);
  if (ST_KERNEL(guard_slopes)(k[ST_LAW_GUARD], ST_KERNEL(mat3_cofactor)(F, G), V))
    for (int p = 0; p < 9; p++)
      P[p] += V[1] * G[p];
}

static void ST_KERNEL(guarded_tangent)(const double k[ST_LAW_CONSTANTS], const scalar F[9],
                                       scalar C[81]) {
  scalar G[9], left[9], V[3];
  ST_KERNEL(law_tangent)(k, F, C);
  if (!ST_KERNEL(guard_slopes)(k[ST_LAW_GUARD], ST_KERNEL(mat3_cofactor)(F, G), V))
    return;
  for (int p = 0; p < 9; p++)
    left[p] = V[2] * G[p];
  ST_KERNEL(tensor_add_outer)(left, G, C);
  ST_KERNEL(tensor_add_cofactor)(V[1], F, C);
}
