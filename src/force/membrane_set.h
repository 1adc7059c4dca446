// Triangles of cloth and shells as elements of the membrane energy (force/membrane_kernel.h).
#pragma once

#include "force/element_set.h"
#include "force/shell_material.h"

// factor: [material_count] on the energy of each material; triangles with 0 are left out.
StStatus st_membrane_set_create(const StDescription *description, const StPiece *piece,
                                const double *factor, StElementSet **set, StError *error);

// rest, edge: from the first corner to the others, [2][3]. Cauchy stress times thickness in the
// world, xx yy zz xy yz zx, N/m; returns the energy per rest area, J/m².
double st_membrane_tension(const StShellStiffness *stiffness, const double rest[6],
                           const double edge[6], double tension[6]);
