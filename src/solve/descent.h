// Descent, see solve/newton.h.
#ifndef ST_SOLVE_DESCENT_H
#define ST_SOLVE_DESCENT_H

#include "solve/search.h"

// From a search that has started. Collective.
StStatus st_descent_solve(StSearch *search, StLinear *linear, StError *error);

#endif
