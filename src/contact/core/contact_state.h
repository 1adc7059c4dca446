// The memory of contact from step to step: factors of stiffness, anchors, and the contacts at the
// start of the step; of smooth surfaces κ, initial overlaps, radii, and sides of shells. It changes
// only through the functions here and in contact/core/contact_check.h and contact/smooth/sides.h:
// when a step begins, is committed, or is solved again with stiffer contact, and while bodies meet.
#ifndef ST_CONTACT_CORE_CONTACT_STATE_H
#define ST_CONTACT_CORE_CONTACT_STATE_H

#include "contact/barrier/adaptive_stiffness.h"
#include "contact/core/contact_set.h"
#include "contact/friction/anchors.h"

typedef struct StPairState {
  double stiffness; // current κ; of primitives always the description's
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
  StStiffness stiffness; // of contact by primitives
  // Pairs of smooth contact that may differ from their initial state: stiffened, overlapping, or
  // with the surface of a mesh. Usually few.
  int marked_count;
  int *marked;      // [pair_count] the first marked_count
  double *radius;   // [surfaces] m, see st_surface_grow_radius
  double *start;    // [vertex_count][3] where the current step began
  double *way;      // [vertex_count][3] m, how far vertices go in it at the speed they begin with
  double duration;  // s, of it
  double *next_way; // the same of the step that begins next
  double next_duration;
  bool begun;        // whether one has begun
  double start_time; // when
  bool committed;    // it has been committed, but the anchors are still those it began with
  StAnchors anchors;
  double *sharpness;     // [edges of the skins] at the start of the step
  StContactArray before; // contacts at the start of the step
} StContactState;

StStatus st_contact_state_create(const struct StContacts *contacts, StContactState **state,
                                 StError *error);
void st_contact_state_destroy(StContactState *state); // NULL is fine

// Adds a pair to the list.
void st_contact_state_mark(StContactState *state, int pair);

// Begins a step at these positions: enlarges the radii of surfaces where needed, and takes the
// sides that points are on now as those to keep.
void st_contact_state_begin(const struct StContacts *contacts, StContactState *state, double time,
                            const double *position);

// Factors of stiffness with which a step begins; those with which its attempts do; and raises some
// within an attempt.
void st_contact_state_release(StContactState *state, const StFactors *next);
void st_contact_state_restart(StContactState *state);
void st_contact_state_lift(StContactState *state, const StFactors *raised);

// Before a step begins: the velocities, [vertex_count][3], that it begins with, and its duration.
void st_contact_state_expect(const struct StContacts *contacts, StContactState *state,
                             const double *velocity, double duration);

// Replaces the anchors by those that a committed step leaves behind; `set` is from the end of that
// step. Until this call the set still shows friction as it was then. False: out of memory.
bool st_contact_state_anchor(StContactState *state, const StContactSet *set,
                             const double *position);

// Drops all anchors, because positions were changed from outside.
void st_contact_state_let_go(StContactState *state);

// Stores the contacts that lagged friction will use.
StStatus st_contact_state_lag(StContactState *state, const StContactSet *set, StError *error);

// One pair, for checkpoints.
typedef struct StPairMemory {
  double stiffness, depth, radius;
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
