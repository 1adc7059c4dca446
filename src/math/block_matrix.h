// Sparse matrix of 3×3 blocks in compressed rows: the rank's own rows, all of its local columns
// (owned vertices first, then ghosts). Forces add into it; solvers read it. Plain arrays, no MPI.
#pragma once

#include "base/crew.h"

typedef struct StBlockMatrix {
  int row_count;    // block rows: owned vertices
  int column_count; // block columns: owned and ghost vertices
  int *row_start;   // [row_count + 1]
  int *column;      // [row_start[row_count]] sorted within a row; includes the diagonal
  double *value;    // [row_start[row_count]][9] row-major within a block
  size_t capacity;  // blocks that `value` has room for
  bool rounded;     // the values are in single precision, see st_block_matrix_round
  float *lost;      // [row_count][9] what rounding took from each row; NULL: never rounded
  int *base_start;  // the pattern it was created with
  int *base_column;
  int *former_start; // row_start of the pattern before this one; NULL: it is the first
  StCrew *crew;      // threads for the product; NULL: the caller alone
  // [column_count] unknowns that are known. Whoever solves takes their rows and columns for those
  // of the identity, and blocks among them alone need no values. NULL: none. Not the matrix's own.
  const bool *fixed;
} StBlockMatrix;

// Whether a block couples rows of the solved system: on the diagonal, or between free rows.
static inline bool st_block_matrix_couples(const StBlockMatrix *matrix, int row, int column) {
  return !matrix->fixed || row == column || !(matrix->fixed[row] || matrix->fixed[column]);
}

// Whether all these vertices are fixed.
static inline bool st_block_matrix_fixes(const StBlockMatrix *matrix, const int *vertex,
                                         int count) {
  int i = 0;
  while (matrix->fixed && i < count && matrix->fixed[vertex[i]])
    i++;
  return matrix->fixed && i == count;
}

// Cliques of any size: clique c has members start[c] … start[c + 1] - 1, local vertices; -1: none.
typedef struct StCliques {
  const size_t *start;      // [count + 1]
  const size_t *slot_start; // [count] see st_block_matrix_fit; NULL if slots are not needed
  const int *member;
  int count;
} StCliques;

static inline int st_cliques_size(const StCliques *cliques, int clique) {
  return (int)(cliques->start[clique + 1] - cliques->start[clique]);
}

// Pattern from cliques: vertices in the same clique are coupled. clique: [clique_count][size],
// local vertices.
StStatus st_block_matrix_create(int row_count, int column_count, const int *clique,
                                int clique_count, int size, StBlockMatrix **matrix, StError *error);
void st_block_matrix_destroy(StBlockMatrix *matrix);

// Sets the pattern to that of its creation plus what the cliques need; with `keep`, no existing
// block is removed. If the pattern changed, *changed is true, all values are zero and earlier slots
// are invalid. slot: index of the block of members (i, j) of clique c, slot[slot_start[c] + i·size
// + j]; -1 if member j is none, untouched if row i is not ours. May be NULL.
StStatus st_block_matrix_fit(StBlockMatrix *matrix, const StCliques *cliques, bool keep,
                             bool *changed, int *slot, StError *error);

// The same slots where the pattern has all blocks that the cliques need; false: it has not.
bool st_block_matrix_look_up(const StBlockMatrix *matrix, const StCliques *cliques, int *slot);

// Replaces the pattern by arrays that the matrix takes over; all values are zero. false: out of
// memory, and nothing has changed. Values stay where they are if there is room: new memory costs as
// much as all else about a new pattern.
bool st_block_matrix_replace(StBlockMatrix *matrix, int *row_start, int *column);

void st_block_matrix_clear(StBlockMatrix *matrix);

// Rounds the values to single precision, in place, for products that read half as much. What that
// takes from the blocks of a row is added to its diagonal block: a vector that is the same for all
// vertices has the same product as before. Until the matrix is cleared, only products may use it.
// Without memory for that the values stay as they are.
void st_block_matrix_round(StBlockMatrix *matrix);

// Rounding error of the product with x: the expected square of its norm, of
// our rows and without columns beyond them.
double st_block_matrix_doubt(const StBlockMatrix *matrix, const double *x);

// Index of block (row, column) among the values; -1 if it is not in the pattern or the row is not
// ours. Forces look up their blocks once and keep the indices.
int st_block_matrix_slot(const StBlockMatrix *matrix, int row, int column);

// The same for a block that had the index `former` in the pattern before: quick where the row has
// not changed. Any number is fine.
int st_block_matrix_slot_again(const StBlockMatrix *matrix, int row, int column, int former);

// y = A x;  x: [column_count][3], y: [row_count][3]
void st_block_matrix_multiply(const StBlockMatrix *matrix, const double *x, double *y);
