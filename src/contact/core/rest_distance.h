// Features of one skin that are close to each other at rest. They must not be in contact in the
// rest shape, but must not pass through each other either: their activation distance is at most
// half of their rest distance.
#pragma once

#include "contact/broad_phase/candidates.h"

// The activation distance of two features of one skin, given that of features far apart.
double st_resting_reach(const StSkins *skins, const StCandidatePair *pair, double reach);

// Whether two neighbours are so close at rest that no distance could separate them.
bool st_resting_too_close(const StSkins *skins, const StCandidatePair *pair, double reach);
