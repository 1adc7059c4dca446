// Whether contact accepts a step: nothing inside anything, nothing passed through. Where something
// is inside, contact is stiffened so that the same force acts at half the thickness.
#ifndef ST_CONTACT_CONTACT_CHECK_H
#define ST_CONTACT_CONTACT_CHECK_H

#include "contact/contacts.h"

// Of one pair at the end of a step; combined over ranks by the caller.
typedef struct StPairEnd {
  int pair;
  double deepest; // smallest gap of a touching point, m; +INFINITY when none touches
  int vertex;     // description's number of that point, or of one that crossed; -1
  bool crossed;   // some point's path went through the surface
  int rank;       // whose finding it is
} StPairEnd;

// Of pairs that touch or were crossed, in their order, and maybe of others.
typedef struct StPairEnds {
  int count;
  StPairEnd *end; // [count]
  size_t capacity;
} StPairEnds;

void st_pair_ends_free(StPairEnds *ends); // frees the array

// Of one pair: nothing touches where there is no entry.
StPairEnd st_pair_ends_of(const StPairEnds *ends, int pair);

// From a set evaluated at the end of a step that began at `start`. before,
// after: local positions at the start and the end of the step; before is NULL for a state that no
// step has led to.
StStatus st_contact_check_measure(const StTouchSet *set, const StContactState *state, double start,
                                  const double *before, const double *after, StPairEnds *ends);

// Raises κ of the pairs that penetrate or, with primitives, come too close; returns how many.
// tried: [pairs] gaps at which that was done before in the same step; INFINITY: not yet. A gap
// between primitives that did not grow since then is not limited by κ, and is left as it is.
int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends, double *tried);

// The step is accepted, with the set and the ends last measured: overlaps and contacts that have
// ended are forgotten, and the sides of points that touch shells are remembered.
void st_contact_check_commit(const StTouchSet *set, const StPairEnds *ends, StContactState *state);

// The initial state: pairs that already overlap are exempt until they separate. Shells have no
// inside and never overlap.
void st_contact_check_begin(const StTouchSet *set, const StPairEnds *ends, StContactState *state);

#endif
