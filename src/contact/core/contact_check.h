// Decides whether contact accepts a step: nothing may be inside anything else or have passed
// through it. Where something is inside a smooth surface, contact is stiffened so that the same
// force acts at half the thickness.
#pragma once

#include "contact/core/contacts.h"

// One pair at the end of a step; the caller combines ranks.
typedef struct StPairEnd {
  int pair;
  double deepest; // smallest gap of a touching point, m; +INFINITY when none touches
  int vertex;     // description's number of that point, or of one that crossed; -1
  bool crossed;   // some point's path went through the surface
  int rank;       // the rank that found it
} StPairEnd;

// Pairs that touch or were crossed, in order; may contain other pairs.
typedef struct StPairEnds {
  int count;
  StPairEnd *end; // [count]
  size_t capacity;
} StPairEnds;

void st_pair_ends_free(StPairEnds *ends); // frees the array

// The entry of one pair; a pair without an entry has no contacts.
StPairEnd st_pair_ends_of(const StPairEnds *ends, int pair);

// From a set evaluated at the end of a step that began at `start`. before, after: local positions
// at the start and the end of the step. before is NULL for an initial state.
StStatus st_contact_check_measure(const StContactSet *set, const StContactState *state,
                                  double start, const double *before, const double *after,
                                  StPairEnds *ends);

// Stiffens the pairs that penetrate; returns how many. A barrier never lets anything inside.
int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends);

// Accepts the step with the set and the ends last measured.
void st_contact_check_commit(const StContactSet *set, const StPairEnds *ends,
                             StContactState *state);

// The initial state: pairs that overlap already are exempt until they separate.
void st_contact_check_begin(const StContactSet *set, const StPairEnds *ends, StContactState *state);
