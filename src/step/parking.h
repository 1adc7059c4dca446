// Islands that are done while others of the same solve go on. They stay parked where they are, and
// nothing that concerns them alone is computed: a heap that comes down has hundreds of islands, of
// which a few take most of the iterations. What comes to touch them releases them.
#pragma once

#include "contact/core/skins.h"
#include "step/islands.h"

typedef struct StParking {
  const StPiece *piece;
  const StSkins *skins; // NULL: nothing is ever parked
  bool any;             // some are
  bool *row;            // [independent_count]
  bool *skin;           // [skin_count] all rows of it are, or it is an obstacle's
  double *residual;     // [independent_count][3] of the rows that are
} StParking;

StStatus st_parking_create(const StPiece *piece, const StSkins *skins, StParking **parking,
                           StError *error);
void st_parking_destroy(StParking *parking); // NULL is fine

// Parks these rows, of whole islands, at residuals r. NULL: releases all. True: some are released.
bool st_parking_set(StParking *parking, const bool *row, const double *r);

// Releases islands that others contact. True: there were some.
bool st_parking_release_touched(StParking *parking, const StIslands *islands,
                                const StContactArray *list);
