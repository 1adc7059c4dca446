// The search for candidate pairs: trees of skins against each other and themselves.
#pragma once

#include "contact/broad_phase/candidates.h"

// Fills the lists, unsorted, for the boxes of places, to which the tree must be fitted. only: NULL,
// or [skin_count] the skins whose pairs are sought and added to those that are there, maybe twice.
StStatus st_candidates_find(StCandidates *near, const bool *only, StError *error);
