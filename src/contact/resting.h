// Features of one skin that rest close to each other. They must not touch as they rest, but must
// not pass through each other either: they touch below half of the distance they rest at.
#ifndef ST_CONTACT_RESTING_H
#define ST_CONTACT_RESTING_H

#include "contact/near.h"

// The activation distance of a pair of features of one skin, given that of features far apart.
double st_resting_reach(const StSkins *skins, const StNearPair *pair, double reach);

// Whether they rest so close, next to each other, that no distance could tell them apart.
bool st_resting_together(const StSkins *skins, const StNearPair *pair, double reach);

#endif
