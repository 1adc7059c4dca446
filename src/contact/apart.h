// Moves bodies apart that start in contact or slightly inside each other, each as a whole: contact
// by primitives needs open gaps. Larger overlaps, and bodies without room, are rejected.
#ifndef ST_CONTACT_APART_H
#define ST_CONTACT_APART_H

#include "contact/tight.h"

typedef enum StApartVerdict {
  ST_APART_CLEAR,    // every gap is open now
  ST_APART_DEEP,     // two overlap by more than is put right
  ST_APART_NO_ROOM,  // no shift opens every gap
  ST_APART_COINCIDE, // two sheets lie in each other
  ST_APART_ITSELF,   // a body passes through or touches itself
} StApartVerdict;

typedef struct StApart {
  double *shift;      // [bodies][3] m
  StParties *because; // [bodies] of the last thing a body was moved away from
  double *reach;      // [bodies] m, activation distance there
  StApartVerdict verdict;
  StTightSpot worst; // unless it is clear; gap: the overlap, as far as it is known
} StApart;

// fixed: [bodies] those that are not to be moved. position: [place_count][3], moved here.
StStatus st_apart_find(const StSkins *skins, double time, const bool *fixed, double *position,
                       StApart *apart, StError *error);
void st_apart_free(StApart *apart);

// Gaps that are smaller than this share of the activation distance are opened up to it.
#define ST_APART_SHARE 0.2

#endif
