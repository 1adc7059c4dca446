// gᵢ = (wᵢ/W)[1 + (cᵢ − c̄)·y], (S₂ + R²nnᵀ + 10⁻⁶R²) y = T(x − c̄): weights that sum to one and
// put Σ gᵢcᵢ under the point along n = ∇ψ/|∇ψ|. c̄ and S₂ are the weighted mean and second moment
// of the centroids, T projects along n. R²nnᵀ keeps the curvature of the surface from tilting the
// weights. (math/scalar.h)

static const double ST_KERNEL(share_floor) = 1e-6; // η

static void ST_KERNEL(unit_along)(const scalar g[3], scalar n[3]) {
  scalar inverse = 1.0 / s_sqrt(ST_KERNEL(dot)(g, g) + 1e-24);
  for (int j = 0; j < 3; j++)
    n[j] = g[j] * inverse;
}

// mean = x − c̄, A: the weighted second moment.
static void ST_KERNEL(share_moments)(const Site *site, const ST_KERNEL(samples) * s, scalar weight,
                                     scalar mean[3], scalar A[9]) {
  scalar first[3] = {s_number(0), s_number(0), s_number(0)}, second[6];
  for (int j = 0; j < 6; j++)
    second[j] = s_number(0);
  for (int i = 0; i < site->count; i++) {
    scalar d[3];
    ST_KERNEL(sample_vector)(s->d, i, d);
    for (int j = 0; j < 3; j++) {
      scalar wd = s->w[i] * d[j];
      first[j] += wd;
      second[j] += wd * d[j];
      second[3 + j] += wd * d[(j + 1) % 3];
    }
  }
  scalar inverse = 1.0 / weight;
  for (int j = 0; j < 3; j++)
    mean[j] = first[j] * inverse;
  for (int j = 0; j < 3; j++) {
    int l = (j + 1) % 3;
    A[4 * j] = second[j] * inverse - mean[j] * mean[j];
    A[3 * j + l] = A[3 * l + j] = second[3 + j] * inverse - mean[j] * mean[l];
  }
}

static void ST_KERNEL(share_slope)(const Site *site, const scalar normal[3], const scalar mean[3],
                                   scalar A[9], scalar y[3]) {
  scalar cofactor[9], aim[3], along = ST_KERNEL(dot)(normal, mean);
  for (int j = 0; j < 3; j++) {
    aim[j] = mean[j] - along * normal[j];
    A[4 * j] += site->radius_squared * ST_KERNEL(share_floor);
    for (int l = 0; l < 3; l++)
      A[3 * j + l] += site->radius_squared * normal[j] * normal[l];
  }
  scalar inverse = 1.0 / ST_KERNEL(mat3_cofactor)(A, cofactor);
  for (int j = 0; j < 3; j++)
    y[j] = ST_KERNEL(dot)(cofactor + 3 * j, aim) * inverse;
}

static void ST_KERNEL(shares)(const Site *site, const ST_KERNEL(samples) * s, scalar weight,
                              const scalar gradient[3], scalar *restrict share) {
  scalar normal[3], mean[3], A[9], y[3];
  ST_KERNEL(unit_along)(gradient, normal);
  ST_KERNEL(share_moments)(site, s, weight, mean, A);
  ST_KERNEL(share_slope)(site, normal, mean, A, y);
  scalar third = 1.0 / (3.0 * weight), level = 1.0 + ST_KERNEL(dot)(mean, y);
  for (int i = 0; i < site->count; i++) {
    scalar d[3];
    ST_KERNEL(sample_vector)(s->d, i, d);
    scalar part = third * s->w[i] * (level - ST_KERNEL(dot)(d, y));
    for (int v = 0; v < 3; v++)
      share[site->corner[v][i]] += part;
  }
}
