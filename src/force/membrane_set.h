// Triangles of cloth and shells as elements of the membrane energy (force/membrane_kernel.h).
#pragma once

#include "force/element_set.h"

// factor: [material_count] on the energy of each material; triangles with 0 are left out.
StStatus st_membrane_set_create(const StDescription *description, const StPiece *piece,
                                const double *factor, StElementSet **set, StError *error);
