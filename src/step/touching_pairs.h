// Which pairs touch in a state, over all ranks.
#pragma once

#include "contact/core/contact_set.h"

typedef struct StTouchingPairs {
  int count;
  int *pair; // [count] ascending
  size_t capacity;
} StTouchingPairs;

// The pairs of a list of contacts. Collective.
StStatus st_touching_pairs_list(const StContactArray *contacts, StTouchingPairs *pairs,
                                StError *error);

bool st_touching_pairs_equal(const StTouchingPairs *a, const StTouchingPairs *b);

void st_touching_pairs_free(StTouchingPairs *pairs);
