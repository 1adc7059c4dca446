// What contact remembers from step to step: stiffness, initial overlaps, radii of surfaces, sides
// of shells, anchors, and the touches at the start of the step. It changes only through the
// functions here and in contact/contact_check.h and contact/sides.h: when a step begins, is
// committed, or is solved again with stiffer contact.
#ifndef ST_CONTACT_CONTACT_STATE_H
#define ST_CONTACT_CONTACT_STATE_H

#include "contact/anchors.h"
#include "contact/touch_set.h"

typedef struct StPairState {
  double stiffness; // current κ
  double accepted;  // κ that the last accepted step left behind
  double change;    // factor of κ from the next step on, see st_contact_check_ease and …_firm
  double reach;     // current thickness, as a fraction of the description's: less than 1 after a
                    // pair that pressed was hit, see st_contact_check_stiffen
  bool overlapping; // the pair overlapped at the start and has not separated since
  double depth;     // deepest gap allowed while overlapping (negative)
  bool marked;      // the pair is in the state's list
  int *side;        // two-sided pairs: [point_count] as in st_surface_side; 0: out of reach
  double middle[3]; // mean of the points at the step's start
} StPairState;

typedef struct StContactState {
  uint64_t version; // of everything a set depends on: a set evaluated with another version is stale
  int pair_count;
  StPairState *pair;
  // Pairs that may differ from their initial state: stiffened, overlapping, or with a smooth
  // surface. Usually few.
  int marked_count;
  int *marked;       // [pair_count] the first marked_count
  double *radius;    // [surfaces] m, see st_surface_grow_radius
  double *start;     // [vertex_count][3] where the current step began; …
  bool begun;        // … if one has begun
  double start_time; // when
  bool committed;    // it has been committed, but the anchors are still those it began with
  StAnchors anchors;
  double *sharpness;  // [edges of the skins] at the start of the step
  StTouchList before; // touches at the start of the step
} StContactState;

StStatus st_contact_state_create(const struct StContacts *contacts, StContactState **state,
                                 StError *error);
void st_contact_state_destroy(StContactState *state); // NULL is fine

// Current thickness of a pair, m.
double st_contact_state_thickness(const struct StContacts *contacts, const StContactState *state,
                                  int pair);

// Adds a pair to the list.
void st_contact_state_mark(StContactState *state, int pair);

// Begins a step at these positions: enlarges the radii of surfaces where needed, and takes the
// sides that points are on now as those to keep.
void st_contact_state_begin(const struct StContacts *contacts, StContactState *state, double time,
                            const double *position);

// The step is accepted: κ as it is now is what attempts at the next one begin with.
void st_contact_state_accept(const struct StContacts *contacts, StContactState *state);

// Replaces the anchors by those that a committed step leaves behind; `set` is from the end of that
// step. Until this call the set still shows friction as it was then. False: out of memory.
bool st_contact_state_anchor(StContactState *state, const StTouchSet *set, const double *position);

// Drops all anchors, because positions were changed from outside.
void st_contact_state_let_go(StContactState *state);

// Stores the touches that lagged friction will use.
StStatus st_contact_state_lag(StContactState *state, const StTouchSet *set, StError *error);

// One pair, for checkpoints.
typedef struct StPairMemory {
  double stiffness, reach, depth, radius;
  int pair, overlapping;
} StPairMemory;

// Sorts the list of marked pairs, the only ones that checkpoints need.
void st_contact_state_sort(StContactState *state);
void st_contact_state_remember(const struct StContacts *contacts, const StContactState *state,
                               int pair, StPairMemory *memory); // equal states give equal bytes

// Resets all pairs to their initial state; `recall` then restores the saved ones.
void st_contact_state_forget(const struct StContacts *contacts, StContactState *state);
void st_contact_state_recall(const struct StContacts *contacts, StContactState *state,
                             const StPairMemory *memory);

#endif
