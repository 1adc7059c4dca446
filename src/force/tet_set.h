// Tetrahedra in batches of eight, grouped by material, with what their forces need of the rest
// shape: F = Ds·Dm⁻¹ in, nodal forces and 3×3 blocks out. Used by every force that lives on
// tetrahedra.
#pragma once

#include "force/force.h"
#include "force/gather.h"
#include "force/rounds.h"

typedef struct StTetBatch {
  StLanes gradient[3][3]; // Dm⁻¹: row a is the rest gradient of the shape function of corner a + 1
  StLanes volume;         // at rest, of the body in it
  int vertex[4][ST_LANES];
} StTetBatch;

// Batches of one material. The last one may have spare lanes: copies of its last element.
typedef struct StTetGroup {
  int material;
  int first_batch, batch_count;
  int tet_count;
} StTetGroup;

typedef struct StTetSet {
  int owned_group_count; // groups of elements that count towards forces and energies come first
  int group_count;
  StTetGroup *group;
  int batch_count;
  StTetBatch *batch;
  int *tet;  // [batch_count][8] element of the piece
  int *slot; // [batch_count][8][16] block (corner, corner) of the bound matrix, -1: not ours
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

// How many lanes of a group's batch are elements.
static inline int st_tet_group_lanes(const StTetGroup *group, int batch) {
  int left = group->tet_count - ST_LANES * (batch - group->first_batch);
  return left < ST_LANES ? left : ST_LANES;
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
  for (int a = 0; a < 3; a++) {
    const StDual *corner = field + 3 * (size_t)batch->vertex[a + 1][lane];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        F[3 * i + j] += (corner[i] - origin[i]) * batch->gradient[a][j][lane];
  }
}

static inline void st_tet_scatter_complex(const StTetBatch *batch, int lane, double scale,
                                          const StDual P[9], StDual *result) {
  StDual *origin = result + 3 * (size_t)batch->vertex[0][lane];
  for (int a = 0; a < 3; a++) {
    StDual *corner = result + 3 * (size_t)batch->vertex[a + 1][lane];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        StDual part = scale * batch->volume[lane] * P[3 * i + j] * batch->gradient[a][j][lane];
        corner[i] += part;
        origin[i] -= part;
      }
  }
}
