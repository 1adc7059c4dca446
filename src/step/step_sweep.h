// Whether anything passes through anything in a step: sweeps what the step means to do, from its
// start to its end (contact/ccd/sweep.h), on all ranks, before it is committed.
#ifndef ST_STEP_STEP_SWEEP_H
#define ST_STEP_STEP_SWEEP_H

#include "step/system.h"

typedef struct StStepSweep StStepSweep;

// *sweep is NULL where contact is not by primitives: there paths are checked with the contacts.
StStatus st_step_sweep_create(const StSystem *system, StStepSweep **sweep, StError *error);
void st_step_sweep_destroy(StStepSweep *sweep); // NULL is fine

// A step as it is meant, with ghosts: [vertex_count][3].
typedef struct StStepEnds {
  double start, end; // times
  double *before, *after;
  double *speed; // at the end; exchanged anew with the others where other ghosts become known
} StStepEnds;

// *passed: the same on all ranks; *why then tells what passed through what. Collective.
StStatus st_step_sweep_look(StStepSweep *sweep, const StStepEnds *ends, bool *passed, StError *why,
                            StError *error);

#endif
