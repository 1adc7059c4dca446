// Which simulations derivatives cover.
#pragma once

#include "step/simulation.h"

// ST_BAD_INPUT, with what is not covered.
StStatus st_coverage_check(const StSimulation *simulation, StError *error);
