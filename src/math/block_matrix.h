// Sparse matrix of 3×3 blocks in compressed rows: the rank's own rows, all of its local columns
// (owned vertices first, then ghosts). Forces add into it; solvers read it. Plain arrays, no MPI.
#ifndef ST_MATH_BLOCK_MATRIX_H
#define ST_MATH_BLOCK_MATRIX_H

#include "base/status.h"

typedef struct StBlockMatrix {
  int row_count;    // block rows: owned vertices
  int column_count; // block columns: owned and ghost vertices
  int *row_start;   // [row_count + 1]
  int *column;      // [row_start[row_count]] sorted within a row; the diagonal is always there
  double *value;    // [row_start[row_count]][9] row-major within a block
} StBlockMatrix;

// Pattern from cliques: vertices that share one couple. clique: [clique_count][size], local
// vertices.
StStatus st_block_matrix_create(int row_count, int column_count, const int *clique,
                                int clique_count, int size, StBlockMatrix **matrix, StError *error);
void st_block_matrix_destroy(StBlockMatrix *matrix);

// Adds the blocks that cliques of any size need: clique c has members start[c] … start[c + 1] - 1.
// When some were missing, *changed is true, all values are zero and slots looked up before are
// void.
StStatus st_block_matrix_widen(StBlockMatrix *matrix, const size_t *start, const int *clique,
                               int clique_count, bool *changed, StError *error);

void st_block_matrix_clear(StBlockMatrix *matrix);

// Position of block (row, column) among the values, -1 when it is not in the pattern (or the row is
// not ours). Forces look their blocks up once and keep the numbers.
int st_block_matrix_slot(const StBlockMatrix *matrix, int row, int column);

// Looks up many columns of one row: `place` is [column_count], of any content at first, and kept
// between rows.
void st_block_matrix_open_row(const StBlockMatrix *matrix, int row, int *place);
static inline int st_block_matrix_open_slot(const StBlockMatrix *matrix, int row, int column,
                                            const int *place) {
  int slot = place[column];
  bool there = slot >= matrix->row_start[row] && slot < matrix->row_start[row + 1];
  return there && matrix->column[slot] == column ? slot : -1;
}

// y = A x;  x: [column_count][3], y: [row_count][3]
void st_block_matrix_multiply(const StBlockMatrix *matrix, const double *x, double *y);

#endif
