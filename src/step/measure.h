// Global quantities of a state: energies, momenta, volume. Collective; all ranks get the same
// numbers.
#ifndef ST_STEP_MEASURE_H
#define ST_STEP_MEASURE_H

#include "step/record.h"
#include "step/system.h"

// Fills the physical part of the report. position, velocity: [vertex_count][3] with ghosts.
void st_measure(const StSystem *system, const StPoint *at, StReport *report);

#endif
