// Gradients of shape functions: ∇N = J⁻ᵀ ∇_ξ N with J = Σ x_a ⊗ ∇_ξ N_a.
#include "force/tet_shape.h"

#include "math/vec3.h"

#define ROOT 2.23606797749978969641 // √5

const double st_tet_point_near = (5 + 3 * ROOT) / 20, st_tet_point_far = (5 - ROOT) / 20;

double st_tet_slopes(const double *rest, const int corner[4], double slope[3][3]) {
  const double *origin = rest + 3 * (size_t)corner[0];
  double edges[9], inverse[9]; // edges: Dm, its columns the edges from corner 0
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++)
      edges[3 * i + a] = rest[3 * (size_t)corner[a + 1] + (size_t)i] - origin[i];
  double determinant = mat3_inverse(edges, inverse);
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < 3; j++)
      slope[a][j] = inverse[3 * a + j];
  return determinant;
}

double st_tet_point_slopes(const double *rest, const int node[ST_SECOND_NODES], int point,
                           double slope[ST_SECOND_NODES][3]) {
  double L[4], reference[ST_SECOND_NODES][3], J[9] = {0}, inverse[9];
  for (int a = 0; a < 4; a++)
    L[a] = a == point ? st_tet_point_near : st_tet_point_far;
  st_second_gradients(L, reference);
  for (int a = 1; a < ST_SECOND_NODES; a++)
    for (int k = 0; k < 9; k++)
      J[k] += (rest[3 * node[a] + k / 3] - rest[3 * node[0] + k / 3]) * reference[a][k % 3];
  double determinant = mat3_inverse(J, inverse);
  for (int a = 0; a < ST_SECOND_NODES; a++)
    for (int j = 0; j < 3; j++)
      slope[a][j] = reference[a][0] * inverse[j] + reference[a][1] * inverse[3 + j] +
                    reference[a][2] * inverse[6 + j];
  return determinant;
}
