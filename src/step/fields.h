// Forces of vertices and stresses of tets at a committed state, gathered for a snapshot.
#pragma once

#include "step/gather.h"
#include "step/system.h"

// scratch: [vertex_count][3]. Collective.
StStatus st_fields_forces(const StSystem *system, const StGather *gather, const StPoint *at,
                          double *scratch, StSnapshot *snapshot, StError *error);
StStatus st_fields_stress(const StSystem *system, const StGather *gather, const StPoint *at,
                          StSnapshot *snapshot, StError *error);
