// Stress at vertices, recovered from that of the elements around each.
#pragma once

#include "field/field.h"

// stress: [vertices][6] Pa, zeros before. Every element counts by its volume. One of second order
// has a linear stress, by its four points, which are those of best accuracy; others have the same
// everywhere. A vertex that a cage carries gets what its tet has there.
StStatus st_nodal_stress(const StFieldState *state, double *stress, StError *error);
