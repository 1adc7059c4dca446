// The best-fitting rigid rim of the vertices, and its forces on them. A kernel header
// (math/scalar.h); needs Rim of force/bearing.c.

// fit: cos φ, sin φ, ρ with ρ cos φ = Σ w X⊥·x, ρ sin φ = Σ w (a × X⊥)·x. The slope of ρ is
// w R X⊥ and that of φ is w a × R X⊥/ρ.
static void ST_KERNEL(rim_fit)(const Rim *rim, const scalar *position, scalar fit[3]) {
  scalar C = s_number(0), S = s_number(0);
  for (int i = 0; i < rim->count; i++) {
    const Spoke *spoke = &rim->spoke[i];
    const scalar *x = position + 3 * (size_t)spoke->vertex;
    for (int k = 0; k < 3; k++) {
      C += spoke->weight * spoke->across[k] * (x[k] - rim->centre[k]);
      S += spoke->weight * spoke->around[k] * (x[k] - rim->centre[k]);
    }
  }
  fit[2] = s_sqrt(C * C + S * S);
  fit[0] = C / fit[2];
  fit[1] = S / fit[2];
}

// x − R X of one vertex: its offset from its place on the rim.
static inline void ST_KERNEL(spoke_offset)(const Rim *rim, const Spoke *spoke, const scalar fit[3],
                                           const scalar *position, scalar offset[3]) {
  const scalar *x = position + 3 * (size_t)spoke->vertex;
  for (int k = 0; k < 3; k++)
    offset[k] = x[k] - rim->centre[k] - spoke->along * rim->axis[k] - fit[0] * spoke->across[k] -
                fit[1] * spoke->around[k];
}

static inline void ST_KERNEL(spoke_force)(const Rim *rim, const Spoke *spoke, const scalar fit[3],
                                          double torque, const scalar *position, scalar *force) {
  scalar offset[3], *f = force + 3 * (size_t)spoke->vertex;
  ST_KERNEL(spoke_offset)(rim, spoke, fit, position, offset);
  for (int k = 0; k < 3; k++) {
    scalar tangent = fit[0] * spoke->around[k] - fit[1] * spoke->across[k];
    f[k] += spoke->weight * (torque * tangent / fit[2] - rim->stiffness * offset[k]);
  }
}
