// The table of this layer's tunables and the values in force.
#include "step/tunables.h"

ST_DEFINE_TUNABLES(step, StStepTunables, ST_STEP_TUNABLES);
