// The matrix of Newton's unknowns where some vertices are carried: the matrix of all vertices, with
// carried ones folded into their carriers. Columns are this rank's own vertices that move by
// themselves, then ghosts that do.
#pragma once

#include "math/block_fold.h"
#include "model/piece.h"
#include "solve/exchange.h"

typedef struct StFolding {
  const StPiece *piece;
  StFoldMap map;
  int *start, *target; // of the map
  double *weight;
  StBlockFold *fold;
  int *global; // [columns] number over all ranks
  int global_count;
} StFolding;

// Carriers of this rank's carried vertices must be its own. Collective.
StStatus st_folding_create(const StPiece *piece, StExchange *exchange, StFolding **folding,
                           StError *error);
void st_folding_destroy(StFolding *folding); // NULL is fine
