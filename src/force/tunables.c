// The table of this layer's tunables and the values in force.
#include "force/tunables.h"

ST_DEFINE_TUNABLES(force, StForceTunables, ST_FORCE_TUNABLES);
