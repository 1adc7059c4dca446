// Decides whether contact accepts a step: at its end nothing may be inside another body or
// obstacle, or have passed through it. Where a point penetrates a smooth surface, contact is
// stiffened so that the same force acts at half the thickness.
#pragma once

#include "base/log.h"
#include "contact/core/contacts.h"

// One pair at the end of a step; the caller combines ranks.
typedef struct StPairEnd {
  int pair;
  double deepest; // smallest gap of the pair's contacts, m; +INFINITY: it has none
  int vertex;     // description's number of the vertex with that gap, or of one that crossed; -1
  bool crossed;   // some point's path went through the surface
  int rank;       // the rank that found it
} StPairEnd;

// Pairs with contacts or with crossed surfaces, in order; may contain other pairs.
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

// Stiffens the pairs that penetrate; returns their number. 0 with a barrier, which lets nothing
// penetrate.
int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends);

// Commits the step that ended with this set and the ends last measured.
void st_contact_check_commit(const StContactSet *set, const StPairEnds *ends,
                             StContactState *state);

// The initial state: fails for deep overlaps, and warns of others. Where a method allows these,
// their pairs are exempt until they separate.
StStatus st_contact_check_begin(const StContactSet *set, const StPairEnds *ends,
                                StContactState *state, const StLog *log, StError *error);

// "vertex 3 of body "a" is 0.1 mm inside …".
void st_pair_end_describe(const StPairEnd *end, const StDescription *description, char *text,
                          size_t size);
