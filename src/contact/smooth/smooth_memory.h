// State of contact by smooth surfaces as bytes of a checkpoint: each pair that may differ from its
// initial state, then the sides of points at shells. See contact/core/method.h.
#pragma once

#include "contact/core/contacts.h"

// Equal states give equal bytes. NULL: no memory.
char *st_smooth_memory_pack(const StContacts *contacts, StContactState *state, size_t *size);

// ST_BAD_INPUT: the bytes are not of these contacts, and nothing is restored.
StStatus st_smooth_memory_unpack(const StContacts *contacts, StContactState *state,
                                 const char *bytes, size_t size);

// Gives pairs other numbers, in place, and leaves out those that have none, and all sides.
void st_smooth_memory_rename(char *bytes, size_t *size, StPairTranslation translate,
                             const void *context);

// The sides of the points of two-sided pairs, the same on all ranks: per pair one number for each
// vertex of the collider. False if a number is not a triangle of its surface; then nothing is
// restored.
int st_smooth_memory_side_count(const StContacts *contacts);
void st_smooth_memory_sides(const StContacts *contacts, const StContactState *state, int *side);
bool st_smooth_memory_restore_sides(const StContacts *contacts, StContactState *state,
                                    const int *side);
