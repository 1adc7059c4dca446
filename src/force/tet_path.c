// The volume along a straight path is a cubic, det((1 − t)A + tB) with the edges A and B at its
// ends. It is positive where its Bernstein coefficients are; where they are not, the path is
// bisected.
#include "force/tet_path.h"

#include "force/tunables.h"
#include "math/hot.h"

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#undef ST_LANES_KERNEL
#include "math/scalar.h"

enum { HALVINGS = 30 };

// Edges from the first corner; of a point of second order F, whose determinant is the same but for
// a factor.
static void take_edges(const StTetBatch *batch, const double *field, StLanes edge[9]) {
  if (batch->more) {
    st_tet_gradient(batch, field, edge);
    return;
  }
  for (int i = 0; i < 3; i++) {
    StLanes origin = st_gather(field, batch->vertex[0], i);
    for (int a = 0; a < 3; a++)
      edge[3 * i + a] = st_gather(field, batch->vertex[a + 1], i) - origin;
  }
}

static bool all_positive(const double b[4]) {
  return b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0;
}

// Bernstein's coefficients of both halves (de Casteljau).
static void halve(const double b[4], double left[4], double right[4]) {
  double ab = 0.5 * (b[0] + b[1]), bc = 0.5 * (b[1] + b[2]), cd = 0.5 * (b[2] + b[3]);
  double abc = 0.5 * (ab + bc), bcd = 0.5 * (bc + cd), middle = 0.5 * (abc + bcd);
  left[0] = b[0], left[1] = ab, left[2] = abc, left[3] = middle;
  right[0] = middle, right[1] = bcd, right[2] = cd, right[3] = b[3];
}

// Up to which part of the way the cubic is positive, from its start on.
static double positive_until(const double b[4], int halvings) {
  double left[4], right[4];
  if (all_positive(b))
    return 1;
  if (halvings == 0)
    return 0;
  halve(b, left, right);
  double part = positive_until(left, halvings - 1);
  return part < 1 ? 0.5 * part : 0.5 + 0.5 * positive_until(right, halvings - 1);
}

// The whole way where no volume is lost on it, whatever is left in between.
static double limit_of(const double b[4]) {
  double above[4];
  if (!(b[0] > 0) || positive_until(b, HALVINGS) == 1)
    return 1;
  for (int i = 0; i < 4; i++)
    above[i] = b[i] - st_force_tunables.tet_volume_kept * b[0];
  return positive_until(above, HALVINGS);
}

// Bernstein's coefficients of the volumes.
static ST_HOT void find_coefficients(const StTetBatch *batch, const double *from, const double *to,
                                     StLanes b[4]) {
  StLanes A[9], B[9], G[9];
  take_edges(batch, from, A);
  take_edges(batch, to, B);
  b[0] = mat3_cofactor_lanes(A, G);
  b[1] = mat3_contract_lanes(G, B) / 3;
  b[3] = mat3_cofactor_lanes(B, G);
  b[2] = mat3_contract_lanes(G, A) / 3;
}

double st_tet_path_limit(const StTetBatch *batch, const double *from, const double *to,
                         double part) {
  StLanes b[4];
  find_coefficients(batch, from, to, b);
  StLaneBits doubtful = ~((b[0] > 0) & (b[1] > 0) & (b[2] > 0) & (b[3] > 0));
  for (int lane = 0; lane < ST_LANES; lane++) {
    const double one[4] = {b[0][lane], b[1][lane], b[2][lane], b[3][lane]};
    if (doubtful[lane])
      part = fmin(part, limit_of(one));
  }
  return part;
}
