// What contacts of one scene remember, handed over to a scene that has some of the same bodies and
// obstacles, known by their names. Both scenes list the two sides of a pair in the same order, or
// the pair is a new one.
#pragma once

#include "contact/core/contacts.h"
#include "contact/smooth/smooth_state.h"

// Where things of one scene are in another; -1: nowhere.
typedef struct StMatch {
  const StDescription *from, *to;
  int *body, *obstacle; // of `from`
  int *vertex;          // [vertices of from]
  int place_count;      // of rigid places of `from`, …
  int *place;           // … and where they are
} StMatch;

// from, to: NULL for a scene in which nothing touches. Free it in any case.
StStatus st_match_create(const StDescription *from, const StContacts *from_contacts,
                         const StDescription *to, const StContacts *to_contacts, StMatch *match,
                         StError *error);
void st_match_free(StMatch *match);

// Packed anchors (contact/friction/anchors.h) of `from` as those of `to`, in their order; those
// that lose a side are left out. NULL: no memory; free() them.
char *st_match_anchors(const StMatch *match, const char *bytes, size_t *size);

// What a simulation that takes over begins with.
typedef struct StHandover {
  int pair_count;
  StPairMemory *pair; // [pair_count] of pairs of `to`
  StFactors factors;  // of stiffness, of vertices of `to`
  char *anchors;
  size_t anchors_size;
} StHandover;

void st_handover_free(StHandover *handover);

// Factors of stiffness of `from`, those of vertices that are in both.
void st_match_factors(const StMatch *match, StFactors *factors);

// The pairs that are in both. False: no memory.
bool st_handover_pairs(const StMatch *match, const StContacts *contacts,
                       const StContactState *state, StHandover *handover);
