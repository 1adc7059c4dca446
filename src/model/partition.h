// Cuts a description into the local pieces of ranks, given the owner of each vertex. Every rank
// sees the whole description and cuts its own piece out of it, so nothing is sent.
#pragma once

#include "model/piece.h"

typedef struct StCut {
  const int *owner;   // [vertices] rank of each; NULL: all belong to rank 0
  const int *order;   // [vertices] numbers within a rank follow this sequence
  const bool *shared; // [vertices] vertices that every rank needs; NULL: none
  int rank;
} StCut;

// ghost_owner, ghost_index: per ghost, its rank and its number there; free() both.
StStatus st_piece_create_part(const StDescription *description, const StCut *cut, StPiece **piece,
                              int **ghost_owner, int **ghost_index, StError *error);

// The whole description as one piece: for one rank, for tests and for tools without MPI.
StStatus st_piece_create_whole(const StDescription *description, StPiece **piece, StError *error);
