// The table of this layer's tunables and the values in force.
#include "solve/tunables.h"

ST_DEFINE_TUNABLES(solve, StSolveTunables, ST_SOLVE_TUNABLES);
