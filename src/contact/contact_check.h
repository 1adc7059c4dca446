// Decides whether contact accepts a step: nothing may be inside anything else or have passed
// through it. Where something is inside, contact is stiffened so that the same force acts at half
// the thickness.
#ifndef ST_CONTACT_CONTACT_CHECK_H
#define ST_CONTACT_CONTACT_CHECK_H

#include "contact/contacts.h"
#include "contact/impact.h"

// One pair at the end of a step; the caller combines ranks.
typedef struct StPairEnd {
  int pair;
  double deepest; // smallest gap of a touching point, m; +INFINITY when none touches
  int vertex;     // description's number of that point, or of one that crossed; -1
  bool crossed;   // some point's path went through the surface
  StImpact impact;
  StCarrying carrying;
  StPressedBefore before;
  int rank; // the rank that found it
} StPairEnd;

// Pairs that touch or were crossed, in order; may contain other pairs.
typedef struct StPairEnds {
  int count;
  StPairEnd *end; // [count]
  size_t capacity;
  double span; // of the step, s
} StPairEnds;

void st_pair_ends_free(StPairEnds *ends); // frees the array

// The entry of one pair; a pair without an entry touches nothing.
StPairEnd st_pair_ends_of(const StPairEnds *ends, int pair);

// From a set evaluated at the end of a step that began at `start`. before, after: local positions
// at the start and the end of the step, velocity: at the end. before and velocity are NULL for an
// initial state.
StStatus st_contact_check_measure(const StTouchSet *set, const StContactState *state, double start,
                                  const double *before, const double *after, const double *velocity,
                                  StPairEnds *ends);

// Raises κ of the pairs that penetrate or, with primitives, come too close or are about to; returns
// how many. Where bodies pressed on each other when the step began, and raising κ would store more
// than a little of the bodies' energy (J), their thickness becomes what the gap was then, so that
// nothing is stored in the stiffer barrier; see st_contact_check_widen.
// tried: [pairs] gaps at which κ was raised before in the same step; INFINITY: not yet. If raising
// κ did not widen a gap between primitives, something other than κ limits it, and κ stays.
int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends, double energy, double *tried);

// The smallest gap over its thickness in this set, of pairs whose κ would be raised for it;
// INFINITY: none would.
double st_contact_check_closest(const StTouchSet *set, const StContactState *state,
                                const double *tried);

// Pairs that meet: those in this set that did not press when the step began. How they close is
// told by these velocities, [vertex_count][3]. all: those that pressed, too, because they may not
// have on another rank.
StStatus st_contact_check_meet(const StTouchSet *set, const StContactState *state,
                               const double *velocity, bool all, StPairEnds *ends);

// Raises κ of those that come too fast to be stopped within a step of this span (s); returns how
// many.
int st_contact_check_brace(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends, double span);

// Accepts the step with the set and the ends last measured: forgets overlaps and contacts that have
// ended, and remembers the sides of points that touch shells.
void st_contact_check_commit(const StTouchSet *set, const StPairEnds *ends, StContactState *state);

// Then κ changes from the next step on: it falls back where stiffened contact is no longer needed,
// and rises where cloth carries more than it is made for.
void st_contact_check_ease(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends);
void st_contact_check_firm(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends);

// Thin barriers get their whole thickness back once nothing is within that, so that it stores
// nothing. First those that touch nothing get it on trial; false: none does. thin: [pairs], 0; what
// they had goes there.
bool st_contact_check_widen(const StPairEnds *ends, StContactState *state, double *thin);

// Then those that touch in a set with these thicknesses become negative in thin …
void st_contact_check_find_touching(const StTouchSet *set, double *thin);

// … and get back what they had. The others also get their first κ. thin is 0 again.
void st_contact_check_narrow(const StContacts *contacts, StContactState *state, double *thin);

// The initial state: pairs that overlap already are exempt until they separate. Shells have no
// inside and never overlap.
void st_contact_check_begin(const StTouchSet *set, const StPairEnds *ends, StContactState *state);

#endif
