// Whether a step may be kept as far as contact goes: nothing inside anything, nothing passed
// through. Where something is inside, contact gets stiffer by what brings it out to half the
// thickness.
#ifndef ST_CONTACT_CONTACT_CHECK_H
#define ST_CONTACT_CONTACT_CHECK_H

#include "contact/contacts.h"

// Of one pair at the end of a step; combined over ranks by the caller.
typedef struct StPairEnd {
  double deepest; // smallest gap of a touching point, m; +INFINITY when none touches
  int vertex;     // description's number of that point, or of one that crossed; -1
  bool crossed;   // some point's path went through the surface
} StPairEnd;

// end: [pair_count], from a set evaluated at the end of a step that began at `start`. before,
// after: local positions at the start and the end of the step; before is NULL for a state that no
// step has led to.
StStatus st_contact_check_measure(const StTouchSet *set, const StContactState *state, double start,
                                  const double *before, const double *after, StPairEnd *end);

// Grows κ of the pairs that penetrate or, with primitives, come too close; returns how many do.
// tried: [pairs] gaps at which that was done before in the same step; INFINITY: it was not. A gap
// between primitives that did not grow since is not held up by κ, and is left as it is.
int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnd *end, double *tried);

// The step is kept, with the set and the ends last measured: overlaps that have ended and contacts
// that are over are forgotten, the sides of points that touch shells are remembered.
void st_contact_check_commit(const StTouchSet *set, const StPairEnd *end, StContactState *state);

// The state to start from: pairs that overlap already are let be until they are free. Shells have
// no inside and never overlap.
void st_contact_check_begin(const StTouchSet *set, const StPairEnd *end, StContactState *state);

#endif
