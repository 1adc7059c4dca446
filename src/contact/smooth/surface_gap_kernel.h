// Value, gradients, mollifier and shares of one stencil, put together. A kernel header
// (math/scalar.h).

// No sample within R: no contact.
static void ST_KERNEL(gap_none)(const Site *site, scalar *psi, scalar *mollifier, scalar *share) {
  *psi = s_number(site->radius);
  *mollifier = s_number(0);
  for (int v = 1; v < site->stencil_count; v++)
    share[v] = s_number(1.0 / (site->stencil_count - 1));
}

static scalar ST_KERNEL(gap_value)(const Site *site, const scalar *position, ST_KERNEL(samples) * s,
                                   ST_KERNEL(facing) * facing, bool *sloped, scalar *weight) {
  for (int begin = 0, end; (end = next_run(site, &begin)) > begin; begin = end) {
    ST_KERNEL(samples_place)(site, position, begin, end, s);
    ST_KERNEL(samples_weigh)(site, begin, end, s);
  }
  *sloped = ST_KERNEL(facing_needed)(site, s) && ST_KERNEL(facing_find)(site, position, s, facing);
  return ST_KERNEL(samples_mean)(site, s, weight);
}

static void ST_KERNEL(gap_fill)(const Site *site, const scalar *position, scalar *work, scalar *psi,
                                scalar *mollifier, scalar *gradient, scalar *mollifier_gradient,
                                scalar *share) {
  size_t size = (size_t)site->stencil_count * sizeof(scalar);
  memset(gradient, 0, 3 * size);
  memset(mollifier_gradient, 0, 3 * size);
  memset(share, 0, size);
  ST_KERNEL(samples) s;
  ST_KERNEL(facing) facing = {0};
  ST_KERNEL(samples_lay)(work, site->capacity, &s);

  bool sloped; // some χ is on its slope
  scalar weight;
  *psi = ST_KERNEL(gap_value)(site, position, &s, &facing, &sloped, &weight);
  if (!(s_real(weight) > 0)) {
    ST_KERNEL(gap_none)(site, psi, mollifier, share);
    return;
  }
  ST_KERNEL(samples_up)(site, &s, *psi, weight);
  if (sloped)
    ST_KERNEL(facing_push)(site, &s, &facing, *psi, weight, gradient);
  ST_KERNEL(samples_push)(site, &s, position, gradient);
  *mollifier = ST_KERNEL(mollifier)(site, &s, position, mollifier_gradient);
  ST_KERNEL(shares)(site, &s, weight, gradient, share);
}
