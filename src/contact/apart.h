// Moves bodies apart, each as a whole, that start in contact or overlap slightly: contact by
// primitives needs open gaps. Larger overlaps, and bodies without room to move, are rejected.
#ifndef ST_CONTACT_APART_H
#define ST_CONTACT_APART_H

#include "contact/tight.h"

typedef enum StApartVerdict {
  ST_APART_CLEAR,    // all gaps are open now
  ST_APART_DEEP,     // two bodies overlap by more than we correct
  ST_APART_NO_ROOM,  // no shift opens every gap
  ST_APART_COINCIDE, // two sheets coincide
  ST_APART_ITSELF,   // a body passes through or touches itself
} StApartVerdict;

typedef struct StApart {
  double *shift;      // [bodies][3] m
  StParties *because; // [bodies] the last thing a body was moved away from
  double *reach;      // [bodies] m, activation distance there
  StApartVerdict verdict;
  StTightSpot worst; // unless clear; gap: the overlap, as far as it is known
} StApart;

// fixed: [bodies] bodies that must not move. position: [place_count][3], updated.
StStatus st_apart_find(const StSkins *skins, double time, const bool *fixed, double *position,
                       StApart *apart, StError *error);
void st_apart_free(StApart *apart);

// Gaps smaller than this fraction of the activation distance are opened up to it.
#define ST_APART_SHARE 0.2

#endif
