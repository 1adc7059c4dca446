// Constants of membrane triangles from their rest shape, and the kernel in both kinds of numbers.
#include "force/membrane_set.h"

#include "base/memory.h"
#include "force/shell_material.h"
#include "math/vec3.h"

// Times area and factor: μ × the inverse metric of the rest edges, μ and λ; then 1/|n̄|².
enum MembraneConstant {
  METRIC_11,
  METRIC_12,
  METRIC_22,
  MU,
  LAMBDA,
  INVERSE_SQUARE,
  CONSTANT_COUNT
};

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/membrane_kernel.h"
#undef ST_LANES_KERNEL
#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/membrane_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

ST_ELEMENT_FUNCTIONS(membrane)

static const StElementKernel kernel = {
    .corners = 3,
    .constant_count = CONSTANT_COUNT,
    .energy = membrane_energy_hot,
    .gradient = membrane_gradient_hot,
    .hessian = membrane_hessian_hot,
    .viscous = membrane_viscous_hot,
    .viscous_tangent = membrane_viscous_tangent_hot,
    .gradient_complex = membrane_gradient_complex,
    .viscous_complex = membrane_viscous_complex,
};

// e, f: the rest edges.
static void set_constants(const double e[3], const double f[3], const StShellStiffness *stiffness,
                          double mass, double *k) {
  double n[3];
  vec3_cross(e, f, n);
  double square = vec3_dot(n, n);
  k[MU] = mass * stiffness->mu;
  k[LAMBDA] = mass * stiffness->lambda;
  k[METRIC_11] = k[MU] * vec3_dot(f, f) / square;
  k[METRIC_12] = -k[MU] * vec3_dot(e, f) / square;
  k[METRIC_22] = k[MU] * vec3_dot(e, e) / square;
  k[INVERSE_SQUARE] = 1 / square;
}

static StStatus prepare(const StPiece *piece, int triangle, const StShellStiffness *stiffness,
                        double factor, double *k, StError *error) {
  const int *vertex = piece->triangle + 3 * (size_t)triangle;
  double e[3], f[3], n[3];
  vec3_sub(piece->rest + 3 * (size_t)vertex[1], piece->rest + 3 * (size_t)vertex[0], e);
  vec3_sub(piece->rest + 3 * (size_t)vertex[2], piece->rest + 3 * (size_t)vertex[0], f);
  vec3_cross(e, f, n);
  double square = vec3_dot(n, n);
  if (!(square > 0 && isfinite(1 / square)))
    return st_fail(error, ST_BAD_INPUT,
                   "triangle %d has no area at rest (%g m²); its corners are vertices %d, %d, %d",
                   piece->triangle_id[triangle], sqrt(square) / 2, piece->vertex_id[vertex[0]],
                   piece->vertex_id[vertex[1]], piece->vertex_id[vertex[2]]);
  set_constants(e, f, stiffness, factor * sqrt(square) / 2, k);
  return ST_OK;
}

double st_membrane_tension(const StShellStiffness *stiffness, const double rest[6],
                           const double edge[6], double tension[6]) {
  static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  double k[CONSTANT_COUNT], n[3];
  StDual now[6], W, slope[6];
  set_constants(rest, rest + 3, stiffness, 1, k);
  for (int i = 0; i < 6; i++)
    now[i] = edge[i];
  membrane_energy_complex(k, now, &W);
  membrane_gradient_complex(k, now, slope);
  vec3_cross(edge, edge + 3, n);
  double stretch = sqrt(vec3_dot(n, n) * k[INVERSE_SQUARE]);
  for (int c = 0; c < 6; c++) {
    int i = entry[c][0], j = entry[c][1];
    tension[c] = (creal(slope[i]) * edge[j] + creal(slope[3 + i]) * edge[3 + j]) / stretch;
  }
  return creal(W);
}

static int count_wanted(const StPiece *piece, const double *factor, int begin, int end) {
  int count = 0;
  for (int t = begin; t < end; t++)
    count += factor[piece->triangle_material[t]] != 0;
  return count;
}

static StStatus fill(StElementSet *set, const StPiece *piece, const StShellStiffness *stiffness,
                     const double *factor, StError *error) {
  int index = 0;
  for (int t = 0; t < piece->triangle_count; t++) {
    int material = piece->triangle_material[t];
    double k[CONSTANT_COUNT];
    if (factor[material] == 0)
      continue;
    ST_TRY(prepare(piece, t, &stiffness[material], factor[material], k, error));
    st_element_set_put(set, index++, t, piece->triangle + 3 * (size_t)t, k);
  }
  return st_element_set_finish(set, piece, error);
}

StStatus st_membrane_set_create(const StDescription *description, const StPiece *piece,
                                const double *factor, StElementSet **set, StError *error) {
  ST_FREE StShellStiffness *stiffness = NULL;
  int owned = count_wanted(piece, factor, 0, piece->owned_triangle_count);
  int other = count_wanted(piece, factor, piece->owned_triangle_count, piece->triangle_count);
  *set = NULL;
  ST_TRY(st_shell_materials_create(description, &stiffness, error));
  StStatus status = st_element_set_create(&kernel, owned, other, set, error);
  if (status == ST_OK)
    status = fill(*set, piece, stiffness, factor, error);
  if (status != ST_OK) {
    st_element_set_destroy(*set);
    *set = NULL;
  }
  return status;
}
