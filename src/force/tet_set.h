// Tetrahedra in batches of eight, grouped by material, with what their forces need of the rest
// shape: F = Σ x_a ⊗ ∇N_a in, nodal forces and 3×3 blocks out. A linear tet has one F. One of
// second order has ten nodes and four points with an F each, which are four lanes of a batch. Used
// by every force that lives on tetrahedra.
#pragma once

#include "force/force.h"
#include "force/gather.h"
#include "force/rounds.h"
#include "force/tet_shape.h"

enum { ST_TET_MORE = ST_SECOND_NODES - 4 }; // of second order

typedef struct StTetBatch {
  StLanes gradient[3][3];  // row a: rest gradient of the shape function of corner a + 1; Dm⁻¹
  StLanes volume;          // at rest, of the body in it
  int (*vertex)[ST_LANES]; // [nodes]
  StLanes (*more)[3];      // [ST_TET_MORE] the same gradients of nodes on edges; NULL: linear
  int *slot; // block (node, node) of the bound matrix, -1: not ours; [8][4][4], or [2][10][10]
} StTetBatch;

// Batches of one material and order. The last one may have spare lanes: copies of its last element.
typedef struct StTetGroup {
  int material;
  bool second_order;
  int first_batch, batch_count;
  int lane_count; // in use
} StTetGroup;

typedef struct StTetSet {
  int owned_group_count; // groups of elements that count towards forces and energies come first
  int group_count;
  StTetGroup *group;
  int batch_count;
  StTetBatch *batch;
  int *tet;           // [batch_count][8] of the piece; of second order the part around the point
  int *vertex;        // of all batches
  int *slot;          // of all batches
  StLanes (*more)[3]; // of all batches of second order
  StRounds rounds;
} StTetSet;

// Takes the elements whose material is wanted, in the piece's order within a material.
// wanted: [material_count].
StStatus st_tet_set_create(const StPiece *piece, const bool *wanted, int material_count,
                           StTetSet **set, StError *error);
void st_tet_set_destroy(StTetSet *set);

// Looks up the blocks of all elements in the matrix.
StStatus st_tet_set_bind(StTetSet *set, const StBlockMatrix *matrix, StError *error);

// Adds scale·∫ ∂F/∂x_a : C : ∂F/∂x_b to the blocks of one batch. C: [9][9], symmetric.
void st_tet_set_add_blocks(const StTetSet *set, int batch, int lanes, double scale,
                           const StLanes C[81], bool symmetric, StBlockMatrix *matrix);

int st_tet_set_group(const StTetSet *set, int batch); // that a batch belongs to

#define ST_TET_INVERTED "element inverted"

// Names the first element of a batch whose stress [9] is not finite, and why. F: [9].
void st_tet_set_report(const StTetSet *set, const StPiece *piece, int batch, const StLanes *F,
                       const StLanes *stress, StTrouble *trouble);

static inline int st_tet_nodes(const StTetBatch *batch) {
  return batch->more ? ST_SECOND_NODES : 4;
}

// Whether all vertices of a batch are prescribed, so that its blocks are not needed.
static inline bool st_tet_batch_is_fixed(const StTetBatch *batch, const StBlockMatrix *matrix) {
  return st_block_matrix_fixes(matrix, batch->vertex[0], st_tet_nodes(batch) * ST_LANES);
}

// How many lanes of a group's batch are elements, or points of elements.
static inline int st_tet_group_lanes(const StTetGroup *group, int batch) {
  int left = group->lane_count - ST_LANES * (batch - group->first_batch);
  return left < ST_LANES ? left : ST_LANES;
}

// Rest gradient of the shape function of a node but the first.
static inline const StLanes *st_tet_slope(const StTetBatch *batch, int node) {
  return node < 4 ? batch->gradient[node - 1] : batch->more[node - 4];
}

// Adds the share of the nodes on edges to the gradient.
static inline void st_tet_gradient_more(const StTetBatch *batch, const double *field,
                                        StLanes F[9]) {
  for (int i = 0; i < 3; i++) {
    StLanes origin = st_gather(field, batch->vertex[0], i);
    for (int a = 0; a < ST_TET_MORE; a++) {
      StLanes arm = st_gather(field, batch->vertex[a + 4], i) - origin;
      for (int j = 0; j < 3; j++)
        F[3 * i + j] += arm * batch->more[a][j];
    }
  }
}

// Gradient of a vertex field [vertex_count][3] with respect to the rest position: F of positions,
// its rate of velocities.
static inline void st_tet_gradient(const StTetBatch *batch, const double *field, StLanes F[9]) {
  for (int i = 0; i < 3; i++) {
    StLanes origin = st_gather(field, batch->vertex[0], i);
    StLanes edge[3];
    for (int a = 0; a < 3; a++)
      edge[a] = st_gather(field, batch->vertex[a + 1], i) - origin;
    for (int j = 0; j < 3; j++)
      F[3 * i + j] = edge[0] * batch->gradient[0][j] + edge[1] * batch->gradient[1][j] +
                     edge[2] * batch->gradient[2][j];
  }
  if (batch->more)
    st_tet_gradient_more(batch, field, F);
}

// P : ∂F/∂x of the nodes on edges; they are taken from what the first corner gets.
static inline void st_tet_scatter_more(const StTetBatch *batch, int lanes, StLanes factor,
                                       const StLanes P[9], StLanes first[3], double *result) {
  for (int a = 0; a < ST_TET_MORE; a++)
    for (int i = 0; i < 3; i++) {
      const StLanes *row = P + 3 * i, *slope = batch->more[a];
      StLanes part = factor * (row[0] * slope[0] + row[1] * slope[1] + row[2] * slope[2]);
      first[i] -= part;
      for (int lane = 0; lane < lanes; lane++)
        result[3 * (size_t)batch->vertex[a + 4][lane] + (size_t)i] += part[lane];
    }
}

// Adds scale·∫ P : ∂F/∂x to result[vertex_count][3], element by element.
static inline void st_tet_scatter(const StTetBatch *batch, int lanes, double scale,
                                  const StLanes P[9], double *result) {
  StLanes part[4][3];
  StLanes factor = scale * batch->volume;
  for (int i = 0; i < 3; i++) {
    const StLanes *row = P + 3 * i;
    for (int a = 0; a < 3; a++)
      part[a + 1][i] = factor * (row[0] * batch->gradient[a][0] + row[1] * batch->gradient[a][1] +
                                 row[2] * batch->gradient[a][2]);
    part[0][i] = -(part[1][i] + part[2][i] + part[3][i]);
  }
  if (batch->more)
    st_tet_scatter_more(batch, lanes, factor, P, part[0], result);
  for (int lane = 0; lane < lanes; lane++)
    for (int a = 0; a < 4; a++) {
      double *to = result + 3 * (size_t)batch->vertex[a][lane];
      for (int i = 0; i < 3; i++)
        to[i] += part[a][i][lane];
    }
}

// The same two for one element in complex numbers: the second opinion.
static inline void st_tet_gradient_complex(const StTetBatch *batch, int lane, const StDual *field,
                                           StDual F[9]) {
  const StDual *origin = field + 3 * (size_t)batch->vertex[0][lane];
  for (int p = 0; p < 9; p++)
    F[p] = 0;
  for (int a = 1; a < st_tet_nodes(batch); a++) {
    const StDual *node = field + 3 * (size_t)batch->vertex[a][lane];
    const StLanes *slope = st_tet_slope(batch, a);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        F[3 * i + j] += (node[i] - origin[i]) * slope[j][lane];
  }
}

static inline void st_tet_scatter_complex(const StTetBatch *batch, int lane, double scale,
                                          const StDual P[9], StDual *result) {
  StDual *origin = result + 3 * (size_t)batch->vertex[0][lane];
  for (int a = 1; a < st_tet_nodes(batch); a++) {
    StDual *node = result + 3 * (size_t)batch->vertex[a][lane];
    const StLanes *slope = st_tet_slope(batch, a);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        StDual part = scale * batch->volume[lane] * P[3 * i + j] * slope[j][lane];
        node[i] += part;
        origin[i] -= part;
      }
  }
}
