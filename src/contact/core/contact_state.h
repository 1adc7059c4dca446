// The memory of contact from step to step: factors of stiffness, anchors, the contacts at the start
// of the step, and the state of a method (contact/core/method.h). It changes only through the
// functions here and in contact/core/contact_check.h: when a step begins, when it is committed,
// when it is solved again with stiffer contact, and when bodies that meet within a step get larger
// factors.
#pragma once

#include "contact/barrier/adaptive_stiffness.h"
#include "contact/core/contact_set.h"
#include "contact/friction/anchors.h"

typedef struct StSmoothState StSmoothState;

typedef struct StContactState {
  const struct StContactMethodType *method;
  uint64_t version;      // of everything a set depends on; a set with another version is stale
  StSmoothState *smooth; // of contact by smooth surfaces, for its own files
  StStiffness stiffness; // of contact by primitives, as is …
  double *sharpness;     // … [edges of the skins] at the start of the step
  double *start;         // [vertex_count][3] positions at the start of the current step
  bool begun;            // whether a step has begun
  double ease;           // of friction (st_contacts_next_ease); 0: it is as it is
  double start_time;     // time at the start of the current step
  bool committed;        // the step is committed, but the anchors are still those of its start
  StAnchors anchors;
  StContactArray before; // contacts at the start of the step
} StContactState;

StStatus st_contact_state_create(const struct StContacts *contacts, StContactState **state,
                                 StError *error);
void st_contact_state_destroy(StContactState *state); // NULL is fine

// κ of a pair.
double st_contact_state_stiffness(const struct StContacts *contacts, const StContactState *state,
                                  int pair);

// Begins a step at these positions.
void st_contact_state_begin(const struct StContacts *contacts, StContactState *state, double time,
                            const double *position);

// Changes factors of stiffness: `release` sets those of the next step, `restart` resets them to
// those the step began with, and `lift` raises some within an attempt.
void st_contact_state_release(StContactState *state, const StFactors *next);
void st_contact_state_restart(StContactState *state);
void st_contact_state_lift(StContactState *state, const StFactors *raised);

// Replaces the anchors by those that a committed step leaves behind; `set` is from the end of that
// step. Until this call the set still has the friction of that step. like: as in
// st_anchors_renew_like, or NULL. False: out of memory.
bool st_contact_state_anchor(StContactState *state, const StContactSet *set, const double *position,
                             const StAnchors *like);

// Positions were changed from outside: drops all anchors, and what else belongs to the old ones.
void st_contact_state_drop_anchors(const struct StContacts *contacts, StContactState *state);

// Eases friction from here on; 0: not any more.
void st_contact_state_ease(StContactState *state, double ease);

// Stores the contacts that lagged friction will use.
StStatus st_contact_state_lag(StContactState *state, const StContactSet *set, StError *error);

// Resets κ of all pairs and all factors to their initial values.
void st_contact_state_forget(const struct StContacts *contacts, StContactState *state);

// The method's memory for checkpoints, as bytes that are the same on all ranks, and equal for equal
// states; NULL: no memory, otherwise free() them. ST_BAD_INPUT: they are not of these contacts.
// `rename`, in place, gives pairs the numbers of another scene; -1: they are left out.
typedef int (*StPairTranslation)(const void *context, int pair);

char *st_contact_state_pack(const struct StContacts *contacts, StContactState *state, size_t *size);
StStatus st_contact_state_unpack(const struct StContacts *contacts, StContactState *state,
                                 const char *bytes, size_t size);
void st_contact_state_rename(const StContactState *state, char *bytes, size_t *size,
                             StPairTranslation translate, const void *context);
