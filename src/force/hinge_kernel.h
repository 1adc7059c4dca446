// A hinge as a function of e, p, q: from the start of its edge to the edge's end and to the corners
// opposite in either triangle. W = ½ k_θ (θ − θ̄)², k_θ = k_b ē/h̄, θ the signed angle between the
// triangles, 0 when flat and positive where the side of the normals is convex. k: HingeConstant. A
// kernel header (math/scalar.h).

// One of the two triangles, seen from the edge.
typedef struct ST_KERNEL(Wing) {
  scalar normal[3]; // unit
  scalar across[3]; // unit, in the plane, from the edge to the corner
  scalar height;    // of the corner over the edge
  scalar foot;      // where along the edge it stands: 0 at the start, 1 at the end
} ST_KERNEL(Wing);

typedef struct ST_KERNEL(Fold) {
  scalar along[3]; // unit, of the edge
  scalar length;   // of the edge
  ST_KERNEL(Wing) wing[2];
} ST_KERNEL(Fold);

// side: 1 for the first triangle, which runs along the edge; −1 for the second, which runs back.
static inline void ST_KERNEL(wing_place)(const ST_KERNEL(Fold) * fold, const scalar *corner,
                                         double side, ST_KERNEL(Wing) * wing) {
  scalar n[3];
  ST_KERNEL(cross)(fold->along, corner, n);
  wing->height = s_sqrt(ST_KERNEL(dot)(n, n));
  ST_KERNEL(scale)(side / wing->height, n, wing->normal);
  ST_KERNEL(cross)(wing->normal, fold->along, wing->across);
  ST_KERNEL(scale)(s_number(side), wing->across, wing->across);
  wing->foot = ST_KERNEL(dot)(fold->along, corner) / fold->length;
}

static inline void ST_KERNEL(fold_place)(const scalar *edge, ST_KERNEL(Fold) * fold) {
  fold->length = s_sqrt(ST_KERNEL(dot)(edge, edge));
  ST_KERNEL(scale)(1 / fold->length, edge, fold->along);
  ST_KERNEL(wing_place)(fold, edge + 3, 1, &fold->wing[0]);
  ST_KERNEL(wing_place)(fold, edge + 6, -1, &fold->wing[1]);
}

// On the branch nearest to the angle of the last state.
static inline scalar ST_KERNEL(fold_angle)(const s_constant *k, const ST_KERNEL(Fold) * fold) {
  const ST_KERNEL(Wing) *one = &fold->wing[0], *other = &fold->wing[1];
  scalar angle = s_atan2(-ST_KERNEL(dot)(one->normal, other->across),
                         ST_KERNEL(dot)(one->normal, other->normal));
  return angle + TURN * s_round((k[LAST] - angle) / TURN);
}

static void ST_KERNEL(hinge_angle)(const s_constant *k, const scalar *edge, scalar *angle) {
  ST_KERNEL(Fold) fold;
  ST_KERNEL(fold_place)(edge, &fold);
  *angle = ST_KERNEL(fold_angle)(k, &fold);
}

static inline void ST_KERNEL(hinge_energy)(const s_constant *k, const scalar *edge, scalar *W) {
  scalar angle;
  ST_KERNEL(hinge_angle)(k, edge, &angle);
  scalar bend = angle - k[REST];
  *W = 0.5 * k[STIFFNESS] * bend * bend;
}

// ∂θ/∂p = −m/h, ∂θ/∂e = −Σ s ∂θ/∂p, times `by`.
static inline void ST_KERNEL(fold_gradient)(const ST_KERNEL(Fold) * fold, scalar by,
                                            scalar *gradient) {
  for (int w = 0; w < 2; w++) {
    const ST_KERNEL(Wing) *wing = &fold->wing[w];
    ST_KERNEL(scale)(-by / wing->height, wing->normal, gradient + 3 + 3 * w);
  }
  for (int i = 0; i < 3; i++)
    gradient[i] = -(fold->wing[0].foot * gradient[3 + i] + fold->wing[1].foot * gradient[6 + i]);
}

static void ST_KERNEL(hinge_gradient)(const s_constant *k, const scalar *edge, scalar *gradient) {
  ST_KERNEL(Fold) fold;
  ST_KERNEL(fold_place)(edge, &fold);
  scalar moment = k[STIFFNESS] * (ST_KERNEL(fold_angle)(k, &fold) - k[REST]);
  ST_KERNEL(fold_gradient)(&fold, moment, gradient);
}

// Adds by × the second derivatives of θ that belong to one wing. With m, t, a the normal, across
// and along, S = m tᵀ + t mᵀ:  ∂²θ/∂p² = S/h²,  ∂²θ/∂p∂e = −s S/h² + a mᵀ/(ℓh), ∂²θ/∂e² = Σ (s²/h²
// + 1/(2ℓ²)) S − s (a mᵀ + m aᵀ)/(ℓh). No p meets a q.
static inline void ST_KERNEL(wing_curvature)(const ST_KERNEL(Fold) * fold, int which, scalar by,
                                             scalar *H) {
  const ST_KERNEL(Wing) *wing = &fold->wing[which];
  const scalar *m = wing->normal, *t = wing->across, *a = fold->along;
  scalar corner = by / (wing->height * wing->height), mixed = by / (fold->length * wing->height);
  scalar edge = wing->foot * wing->foot * corner + 0.5 * by / (fold->length * fold->length);
  scalar shift = wing->foot * corner, slide = wing->foot * mixed;
  int p = 3 + 3 * which;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      scalar S = m[i] * t[j] + t[i] * m[j];
      H[9 * (p + i) + p + j] += corner * S;
      scalar cross = mixed * a[i] * m[j] - shift * S;
      H[9 * (p + i) + j] += cross;
      H[9 * j + p + i] += cross;
      H[9 * i + j] += edge * S - slide * (a[i] * m[j] + m[i] * a[j]);
    }
}

static inline void ST_KERNEL(hinge_hessian)(const s_constant *k, const scalar *edge, scalar *H) {
  ST_KERNEL(Fold) fold;
  scalar slope[9];
  ST_KERNEL(fold_place)(edge, &fold);
  ST_KERNEL(fold_gradient)(&fold, s_number(1), slope);
  scalar moment = k[STIFFNESS] * (ST_KERNEL(fold_angle)(k, &fold) - k[REST]);
  for (int i = 0; i < 9; i++)
    for (int j = i; j < 9; j++)
      H[9 * i + j] = H[9 * j + i] = k[STIFFNESS] * slope[i] * slope[j];
  ST_KERNEL(wing_curvature)(&fold, 0, moment, H);
  ST_KERNEL(wing_curvature)(&fold, 1, moment, H);
}

// The viscous force that resists a rate of the edges: k_θ θ̇ ∂θ.
static void ST_KERNEL(hinge_viscous)(const s_constant *k, const scalar *edge, const scalar *rate,
                                     scalar *gradient) {
  ST_KERNEL(Fold) fold;
  scalar slope[9];
  ST_KERNEL(fold_place)(edge, &fold);
  ST_KERNEL(fold_gradient)(&fold, s_number(1), slope);
  scalar moment = slope[0] * rate[0];
  for (int i = 1; i < 9; i++)
    moment += slope[i] * rate[i];
  moment *= k[STIFFNESS];
  for (int i = 0; i < 9; i++)
    gradient[i] = moment * slope[i];
}

static inline void ST_KERNEL(hinge_viscous_tangent)(const s_constant *k, const scalar *edge,
                                                    const scalar *rate, double by_position,
                                                    double by_velocity, scalar *J) {
  ST_KERNEL(Fold) fold;
  scalar slope[9], turn = s_number(0);
  ST_KERNEL(fold_place)(edge, &fold);
  ST_KERNEL(fold_gradient)(&fold, s_number(1), slope);
  for (int p = 0; p < 81; p++)
    J[p] = s_number(0);
  ST_KERNEL(wing_curvature)(&fold, 0, s_number(1), J);
  ST_KERNEL(wing_curvature)(&fold, 1, s_number(1), J);
  for (int i = 0; i < 9; i++)
    turn += slope[i] * rate[i];
  scalar change[9]; // of θ̇ with the edges
  for (int j = 0; j < 9; j++) {
    change[j] = by_velocity * slope[j];
    for (int i = 0; i < 9; i++)
      change[j] += by_position * J[9 * i + j] * rate[i];
  }
  turn *= by_position * k[STIFFNESS];
  for (int i = 0; i < 9; i++) {
    scalar moment = k[STIFFNESS] * slope[i];
    for (int j = 0; j < 9; j++)
      J[9 * i + j] = turn * J[9 * i + j] + moment * change[j];
  }
}
