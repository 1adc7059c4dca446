// Features that a set takes from another one of the same skins at nearly the same positions, so
// that both have the same contacts (st_contacts_follow).
#pragma once

#include "contact/core/narrow_phase.h"

typedef struct StTakenFeatures {
  StFound *item, **list; // list: pointers to the items
  size_t item_capacity, list_capacity;
} StTakenFeatures;

void st_taken_features_free(StTakenFeatures *taken);

// Takes what the other set has found, but for the parts of the thickness, which change continuously
// and are those of the own search. Both are sorted by pair, then by id. False: out of memory.
bool st_taken_features_take(StTakenFeatures *taken, const StFound *const *own, size_t own_count,
                            const StFound *const *other, size_t count);
