// Whether anything passes through anything in a step: sweeps what the step means to do, from its
// start to its end (contact/ccd/sweep.h), on all ranks, before it is committed.
#pragma once

#include "step/state.h"
#include "step/system.h"

typedef struct StStepSweep StStepSweep;

// *sweep is NULL where contact is not by primitives: there paths are checked with the contacts.
StStatus st_step_sweep_create(const StSystem *system, StStepSweep **sweep, StError *error);
void st_step_sweep_destroy(StStepSweep *sweep); // NULL is fine

// Where other ghosts become known, the ends are exchanged anew. *passed: the same on all ranks;
// *why then names what passed through what. Collective.
StStatus st_step_sweep_look(StStepSweep *sweep, const StStepEnds *ends, bool *passed, StError *why,
                            StError *error);
