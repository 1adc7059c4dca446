// Where Newton's method starts.
#ifndef ST_STEP_GUESS_H
#define ST_STEP_GUESS_H

#include "step/strategies.h"

// A velocity between the current one (share 1) and the one that leaves every vertex where the step
// found it (share 0), which no element can object to.
void st_guess_velocity(StSolving *solving, const StState *state, double share);

// Where nothing is in the way: the current velocity, or what becomes of it if it goes on changing
// as it did, whichever leaves the smaller residual. What is known of it is in `options.start`, as
// below. Collective.
void st_guess_trend(StSolving *solving, const StState *state);

// Where nothing may pass through anything: of the guesses that a free path leads to, the one that
// leaves the smallest residual. They are: staying in place, which is always possible; going on as
// before, so that what flies or slides alone takes as few iterations as if nothing could be in the
// way; and the places reached earlier in this step, so that contacts found by one stage or by a
// rejected attempt need not be found again. The solution of the same stage in an attempt that was
// rejected is taken without comparison: most of it is right, but the contacts that have become
// stiffer since then make its residual large. Collective.
StStatus st_guess_free(StSolving *solving, const StState *state);

#endif
