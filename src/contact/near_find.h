// The search for near pairs: trees of skins against each other and themselves.
#ifndef ST_CONTACT_NEAR_FIND_H
#define ST_CONTACT_NEAR_FIND_H

#include "contact/near.h"

// Fills the lists, unsorted, for the boxes of places, to which the tree must be fitted.
StStatus st_near_find(StNear *near, StError *error);

#endif
