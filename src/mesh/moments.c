// A tet with a corner in the origin and p, q, r has ∫ x xᵀ dV = V/20 (ppᵀ + qqᵀ + rrᵀ + ssᵀ),
// s = p + q + r. Tets from the middle to all triangles add up to the whole.
#include "mesh/moments.h"

#include "math/vec3.h"
#include "mesh/closed.h"

#include <stddef.h>
#include <string.h>

static void add_outer(double factor, const double x[3], double sum[9]) {
  for (int k = 0; k < 9; k++)
    sum[k] += factor * x[k / 3] * x[k % 3];
}

void st_surface_moments(const double *position, const int *triangle, int count,
                        StMoments *moments) {
  moments->volume = st_surface_volume(position, triangle, count, moments->centre);
  memset(moments->spread, 0, sizeof moments->spread);
  for (int t = 0; t < count; t++) {
    double corner[3][3], sum[3] = {0};
    for (int i = 0; i < 3; i++) {
      vec3_sub(position + 3 * (size_t)triangle[3 * t + i], moments->centre, corner[i]);
      vec3_add_scaled(1, corner[i], sum);
    }
    double factor = vec3_triple(corner[0], corner[1], corner[2]) / 120;
    for (int i = 0; i < 3; i++)
      add_outer(factor, corner[i], moments->spread);
    add_outer(factor, sum, moments->spread);
  }
}
