// Explains why a step could not be solved: the time, the vertex with the largest residual and the
// strongest force on it.
#pragma once

#include "step/attempt.h"

// Fills *error with ST_NOT_SOLVED and the reason of the last failed attempt. Collective.
StStatus st_diagnose(const StAttempt *attempt, const StState *state, double h, StError *error);

// st_newton_reason_text in the words of mechanics.
const char *st_diagnose_reason(StNewtonReason reason);
