// Stress at vertices, recovered from that of the elements around each.
#pragma once

#include "field/field.h"

// stress: [vertices][6] Pa, zeros before. The mean over the elements around a vertex, weighted by
// volume. The stress of a linear element is constant. That of an element of second order is
// extrapolated linearly from its four integration points, where it is most accurate. A vertex that
// a cage carries gets the stress interpolated in its tet.
StStatus st_nodal_stress(const StFieldState *state, double *stress, StError *error);
