// The search for near pairs: trees of skins against each other and themselves.
#ifndef ST_CONTACT_NEAR_FIND_H
#define ST_CONTACT_NEAR_FIND_H

#include "contact/near.h"

// Fills the lists, unsorted, from the boxes of places; the tree must be fitted to them.
StStatus st_near_find(StNear *near, StError *error);

#endif
