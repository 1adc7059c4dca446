// Whether anything passes through anything in a step: sweeps what the step means to do, from its
// start to its end (contact/ccd/sweep.h), on all ranks, before it is committed.
#pragma once

#include "step/state.h"
#include "step/system.h"

typedef struct StStepSweep StStepSweep;

// *sweep is NULL where contact is not by primitives: there paths are checked with the contacts.
StStatus st_step_sweep_create(const StSystem *system, StStepSweep **sweep, StError *error);
void st_step_sweep_destroy(StStepSweep *sweep); // NULL is fine

// Where other ghosts become known, the ends are exchanged anew. rings: velocities at the end of a
// step say little about the motion within it. *passed: the same on all ranks; *why then names what
// passed through what, or which body turned over without the spin for it. Collective.
StStatus st_step_sweep_look(StStepSweep *sweep, const StStepEnds *ends, bool rings, bool *passed,
                            StError *why, StError *error);
