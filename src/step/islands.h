// Islands: vertices that nothing couples with those of other islands, such as bodies that do not
// touch. A step of Newton's method that something is in the way of need not be short for all: each
// island goes as far as its own way is free.
#ifndef ST_STEP_ISLANDS_H
#define ST_STEP_ISLANDS_H

#include "contact/advance.h"
#include "math/block_matrix.h"
#include "model/piece.h"

typedef struct StIslands {
  const StPiece *piece;
  int count;
  int *of;        // [rows] island of each row; between, the forest it is found with
  int *joined;    // [count] islands that met belong together: a forest
  double *factor; // [count] part of its way that an island goes
  double *cut;    // [count] of the present round
} StIslands;

StStatus st_islands_create(const StPiece *piece, StIslands **islands, StError *error);
void st_islands_destroy(StIslands *islands); // NULL is fine

// Islands of the rows that a matrix couples, all free to go their whole way. On one rank.
void st_islands_find(StIslands *islands, const StBlockMatrix *matrix);

// Islands that hit each other, or an obstacle, belong together from now on and go no farther than
// that; with `stay` they do not go at all.
void st_islands_shorten(StIslands *islands, const StAdvanceHits *hits, bool stay);

// p = factor × way, [rows][3].
void st_islands_apply(const StIslands *islands, const double *way, double *p);

// Whether some island goes farther than another.
bool st_islands_differ(const StIslands *islands);

#endif
