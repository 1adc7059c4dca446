// Descent, see solve/newton.h.
#pragma once

#include "solve/search.h"

// From a search that has started. Collective.
StStatus st_descent_solve(StSearch *search, StLinear *linear, StError *error);
