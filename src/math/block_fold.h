// PᵀAP of a matrix of 3×3 blocks: vertices that are weighted sums of others are eliminated. A row
// of P has one entry 1 for a vertex that stays, several for a carried one.
#pragma once

#include "math/block_matrix.h"

// P in compressed rows, of which the first ones are also A's rows.
typedef struct StFoldMap {
  int row_count;    // rows that stay, and columns: these come first
  int column_count; //
  const int *start; // [columns of A + 1]
  const int *target;
  const double *weight;
} StFoldMap;

typedef struct StBlockFold StBlockFold;

// map must outlive the fold. The folded matrix has no blocks yet.
StStatus st_block_fold_create(const StFoldMap *map, StBlockFold **fold, StError *error);
void st_block_fold_destroy(StBlockFold *fold); // NULL is fine

// Fits the folded matrix to A's pattern. *changed: its pattern differs from before.
StStatus st_block_fold_fit(StBlockFold *fold, const StBlockMatrix *from, bool *changed,
                           StError *error);

// Fills it, using the pattern of the last fit.
void st_block_fold_add(StBlockFold *fold, const StBlockMatrix *from);

StBlockMatrix *st_block_fold_matrix(const StBlockFold *fold);
