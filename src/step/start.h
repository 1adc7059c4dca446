// The state a simulation starts from: rest positions or those given, and the initial motion of each
// body.
#pragma once

#include "step/boundary.h"
#include "step/state.h"
#include "step/system.h"

void st_start(const StDescription *description, const StPiece *piece, const StBoundary *boundary,
              StState *state);

// Rejects values whose products overflow, such as 1e308 Pa: the stiffness of each force, as the
// first step of size h sees it. Leaves the matrix cleared. Collective.
StStatus st_start_check(const StSystem *system, const StPoint *at, double h, StError *error);
