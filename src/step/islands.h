// Islands: groups of vertices that nothing couples, such as bodies that do not touch. If something
// blocks a Newton step, not all have to stop: each island goes as far as its own path is free.
#pragma once

#include "contact/ccd/conservative_advancement.h"
#include "contact/core/contact_set.h"
#include "math/block_matrix.h"
#include "model/piece.h"

typedef struct StIslands {
  const StPiece *piece;
  int count;
  int *of;           // [rows] island of each row; during the search, a union–find forest
  const bool *fixed; // [rows] of the matrix: these are one island, which meets nothing; NULL: none
  int *joined;       // [count] islands that met move together: a forest
  double *factor;    // [count] fraction of its path that an island goes
  double *cut;       // [count] of the current round
} StIslands;

StStatus st_islands_create(const StPiece *piece, StIslands **islands, StError *error);
void st_islands_destroy(StIslands *islands); // NULL is fine

// Islands of the rows that a matrix couples, all free to go their whole path. On one rank.
void st_islands_find(StIslands *islands, const StBlockMatrix *matrix);

// Islands that touch each other are one from now on. Numbers only get smaller.
void st_islands_merge(StIslands *islands, const StContactArray *list);

// These islands are to go their lengths, [count], each for itself.
void st_islands_set_lengths(StIslands *islands, const double *length);

// Islands that hit each other, or an obstacle, move together from now on, up to that point.
void st_islands_shorten(StIslands *islands, const StAdvanceHits *hits);

// The island of a place, -1: it is an obstacle's, or fixed.
int st_islands_at(const StIslands *islands, int place);

// p = factor × tangent, [rows][3].
void st_islands_apply(const StIslands *islands, const double *tangent, double *p);
