// What contact remembers from step to step: stiffness, overlaps at the start, radii of surfaces,
// sides of shells, anchors, and the touches at the start of the step. It changes only through the
// functions here and in contact/contact_check.h and contact/sides.h: when a step begins, is
// committed, or is to be solved again with stiffer contact.
#ifndef ST_CONTACT_CONTACT_STATE_H
#define ST_CONTACT_CONTACT_STATE_H

#include "contact/anchors.h"
#include "contact/touch_set.h"

typedef struct StPairState {
  double stiffness; // κ at present
  bool overlapping; // began so, and has not been free since
  double depth;     // deepest gap allowed while overlapping (negative)
  bool marked;      // the pair is in the state's list
  int *side;        // two-sided pairs: [point_count] as st_surface_side has it; 0: out of reach
  double middle[3]; // mean of the points at the step's start
} StPairState;

typedef struct StContactState {
  uint64_t version; // of everything a set depends on: one evaluated with another is void
  int pair_count;
  StPairState *pair;
  // Pairs that may be otherwise than they began: stiffened, overlapping, or with a smooth surface.
  // Few of many are.
  int marked_count;
  int *marked;       // [pair_count] the first marked_count
  double *radius;    // [surfaces] m, see st_surface_grow_radius
  double *start;     // [vertex_count][3] where the present step began; …
  bool begun;        // … if one has begun
  double start_time; // when
  bool committed;    // it has been committed, and the anchors are still those it began with
  StAnchors anchors;
  double *sharpness;  // [edges of the skins] at its start
  StTouchList before; // touches at its start
} StContactState;

StStatus st_contact_state_create(const struct StContacts *contacts, StContactState **state,
                                 StError *error);
void st_contact_state_destroy(StContactState *state); // NULL is fine

// Puts a pair into the list.
void st_contact_state_mark(StContactState *state, int pair);

// A step begins here: surfaces may need a larger radius, and the sides that points keep are those
// they are on now.
void st_contact_state_begin(const struct StContacts *contacts, StContactState *state, double time,
                            const double *position);

// After a step that ended with this set has been committed: takes over the anchors it leaves
// behind. Until then the set still shows friction as it was at the end of the step. False: no
// memory.
bool st_contact_state_anchor(StContactState *state, const StTouchSet *set, const double *position);

// Drops all anchors: positions have been changed from outside.
void st_contact_state_let_go(StContactState *state);

// Stores a set's touches as those that lagged friction uses.
StStatus st_contact_state_lag(StContactState *state, const StTouchSet *set, StError *error);

// Of one pair, for checkpoints.
typedef struct StPairMemory {
  double stiffness, depth, radius;
  int pair, overlapping;
} StPairMemory;

// Puts the pairs that have anything to remember, those marked, in their order; all others are as
// they began.
void st_contact_state_sort(StContactState *state);
void st_contact_state_remember(const struct StContacts *contacts, const StContactState *state,
                               int pair, StPairMemory *memory); // equal states give equal bytes

// All pairs become as they began; then those remembered as they were.
void st_contact_state_forget(const struct StContacts *contacts, StContactState *state);
void st_contact_state_recall(const struct StContacts *contacts, StContactState *state,
                             const StPairMemory *memory);

#endif
