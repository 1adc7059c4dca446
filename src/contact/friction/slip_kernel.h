// Sliding velocity between the two sides of a contact, and forces on them, on scalars. Signed
// shares are the weights of vertices, with the sign of their side. Included where contact forces
// are computed, for real and complex numbers.
#include "math/scalar.h"

// Velocity of side A relative to side B and to a surface without vertices (`wall`), without its
// component along n, which is returned.
static inline scalar ST_KERNEL(sliding)(int count, const scalar *share, const scalar n[3],
                                        const scalar *velocity, const scalar wall[3],
                                        scalar slip[3]) {
  for (int i = 0; i < 3; i++)
    slip[i] = share[0] * velocity[i] - wall[i];
  for (int k = 1; k < count; k++)
    for (int i = 0; i < 3; i++)
      slip[i] += share[k] * velocity[3 * k + i];
  scalar along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
  for (int i = 0; i < 3; i++)
    slip[i] -= along * n[i];
  return along;
}

static inline void ST_KERNEL(spread)(int count, const scalar *share, const scalar f[3],
                                     scalar *force) {
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      force[3 * k + i] += share[k] * f[i];
}
