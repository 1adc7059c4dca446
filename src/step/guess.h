// The first guess of Newton's method in a stage.
#pragma once

#include "step/strategies.h"

// Velocity at a share between the current one (share 1) and the one that leaves every vertex where
// it was at the start of the step (share 0), at which no element is inverted.
void st_guess_velocity(StSolving *solving, const StState *state, double share);

// Where steps have no limits: chooses the current velocity or its extrapolation, whichever leaves
// the smaller residual. `options.start` gets what is known of that guess, also below. Collective.
void st_guess_trend(StSolving *solving, const StState *state);

// Where contact limits steps: chooses the guess with the smallest residual among those to which a
// free path leads. The guesses are: staying in place, which is always possible; the current
// velocity or its extrapolation, so that bodies that fly or slide alone take as few iterations as
// without limits; and the warm starts of this step, so that contacts found by another stage or a
// rejected attempt need not be found again. The solution of the same stage in a rejected attempt is
// chosen without comparison: most of it is right, but contacts that have become stiffer since then
// make its residual large. A good extrapolation is also chosen without comparison, if there are no
// warm starts. Collective.
StStatus st_guess_free(StSolving *solving, const StState *state);

// Makes room for a new warm start by dropping the oldest. The caller fills in its position.
double *st_warm_starts_add(StWarmStarts *warm, double time, double ah);
