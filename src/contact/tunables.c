// The table of this layer's tunables and the values in force.
#include "contact/tunables.h"

#include <math.h>

ST_DEFINE_TUNABLES(contact, StContactTunables, ST_CONTACT_TUNABLES);
