// Where Newton's method starts.
#pragma once

#include "step/strategies.h"

// A velocity between the current one (share 1) and the one that leaves every vertex where the step
// began (share 0), at which no element is inverted.
void st_guess_velocity(StSolving *solving, const StState *state, double share);

// Where steps have no limits: the current velocity or its extrapolation, whichever leaves the
// smaller residual. `options.start` gets what is known of it, as below. Collective.
void st_guess_trend(StSolving *solving, const StState *state);

// Where steps are limited: of the guesses that a free path leads to, the one that leaves the
// smallest residual. They are: staying in place, which is always possible; going on as before, so
// that bodies that fly or slide alone take as few iterations as without limits; and the warm starts
// of this step, so that contacts found by one stage or by a rejected attempt need not be found
// again. The solution of the same stage in a rejected attempt is taken without comparison: most of
// it is right, but contacts that are stiffer since then make its residual large. Collective.
StStatus st_guess_free(StSolving *solving, const StState *state);
