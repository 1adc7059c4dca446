// The state a simulation starts from: rest positions or those given, and the initial motion of each
// body.
#ifndef ST_STEP_START_H
#define ST_STEP_START_H

#include "step/boundary.h"
#include "step/state.h"

void st_start(const StDescription *description, const StPiece *piece, const StBoundary *boundary,
              StState *state);

#endif
