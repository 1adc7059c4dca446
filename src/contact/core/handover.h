// Hands the memory of contact (anchors, factors of stiffness, pairs) from one scene to another that
// has some of the same bodies and obstacles, identified by their names. Both scenes list the two
// sides of a pair in the same order; otherwise the pair counts as a new one.
#pragma once

#include "contact/core/contacts.h"

// Index in the scene `to` of each body, obstacle, vertex and rigid place of the scene `from`; -1:
// it is not in `to`.
typedef struct StMatch {
  const StDescription *from, *to;
  int *body, *obstacle; // [bodies] and [obstacles] of `from`
  int *vertex;          // [vertices of from]
  int place_count;      // rigid places of `from`, …
  int *place;           // … [place_count] their indices in `to`
} StMatch;

// from, to: NULL for a scene without contact. Free *match in any case.
StStatus st_match_create(const StDescription *from, const StContacts *from_contacts,
                         const StDescription *to, const StContacts *to_contacts, StMatch *match,
                         StError *error);
void st_match_free(StMatch *match);

// Translates packed anchors (contact/friction/anchors.h) of `from` into those of `to`, in their
// order. Anchors that lose a side are left out. NULL: no memory; free() the result.
char *st_match_anchors(const StMatch *match, const char *bytes, size_t *size);

// The memory of contact with which a simulation that takes over begins.
typedef struct StHandover {
  StFactors factors; // factors of stiffness of vertices of `to`
  size_t memory_size, anchors_size;
  char *memory, *anchors; // st_contact_state_unpack, st_anchors_unpack
} StHandover;

void st_handover_free(StHandover *handover);

// Translates factors of stiffness of `from`; those of vertices that are not in `to` are dropped.
void st_match_factors(const StMatch *match, StFactors *factors);

// Takes the method's memory of the pairs that are in both scenes, if both have that method. False:
// no memory.
bool st_handover_pairs(const StMatch *match, const StContacts *contacts, StContactState *state,
                       StHandover *handover);
