// Forces of one contact on the vertices of its stencil, on scalars.
// Energy: fade times the press law's of the gap; normal force on vertex k: -∂/∂x_k of it. Friction
// acts by signed shares: on side A, and in reverse on side B. Included by touch.c for real and
// complex numbers.
#include "contact/press_kernel.h"
#include "math/scalar.h"

#undef ST_GAP
#ifdef ST_COMPLEX_KERNEL
#define ST_GAP StGapDual
#else
#define ST_GAP StGap
#endif

static void ST_KERNEL(add_normal)(const StTouchLaw *law, int count, const ST_GAP *gap,
                                  scalar *force) {
  scalar pressing = gap->fade * ST_KERNEL(press_force)(law, gap->gap);
  scalar energy = ST_KERNEL(press_energy)(law, gap->gap);
  for (int i = 0; i < 3 * count; i++)
    force[i] += pressing * gap->gradient[i] - energy * gap->fade_gradient[i];
}

// Normal direction and the normal force along it.
static inline scalar ST_KERNEL(normal)(const StTouchLaw *law, const ST_GAP *gap, scalar n[3]) {
  const scalar *g = gap->gradient;
  scalar length = s_sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  for (int i = 0; i < 3; i++)
    n[i] = g[i] / length;
  return gap->fade * ST_KERNEL(press_force)(law, gap->gap) * length;
}

// Velocity of side A relative to side B, without its part along n.
static inline void ST_KERNEL(sliding)(int count, const scalar *share, const scalar n[3],
                                      const scalar *velocity, const scalar matter[3],
                                      scalar slip[3]) {
  for (int i = 0; i < 3; i++)
    slip[i] = share[0] * velocity[i] - matter[i];
  for (int k = 1; k < count; k++)
    for (int i = 0; i < 3; i++)
      slip[i] += share[k] * velocity[3 * k + i];
  scalar along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
  for (int i = 0; i < 3; i++)
    slip[i] -= along * n[i];
}

static inline void ST_KERNEL(spread)(int count, const scalar *share, const scalar f[3],
                                     scalar *force) {
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      force[3 * k + i] += share[k] * f[i];
}
