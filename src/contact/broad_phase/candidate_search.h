// The search for candidate pairs: trees of skins against each other and themselves.
#pragma once

#include "contact/broad_phase/candidates.h"

// Fills the lists, unsorted, from the boxes of places, to which the tree must be fitted already.
// only: NULL, or [skin_count] the skins whose pairs are searched for and appended to the lists,
// which may then contain a pair twice.
StStatus st_candidates_find(StCandidates *candidates, const bool *only, StError *error);
