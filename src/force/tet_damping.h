// Damping of tetrahedra by stiffness: −β K v, β of each element's material, K its stiffness against
// the rate of Green's strain, with the moduli that its law has at rest (force/viscous_kernel.h).
#pragma once

#include "force/force.h"

typedef struct StTetDamping StTetDamping;

StStatus st_tet_damping_create(const StDescription *description, const StPiece *piece,
                               StTetDamping **damping, StError *error);
void st_tet_damping_destroy(StTetDamping *damping); // NULL is fine
StStatus st_tet_damping_bind(StTetDamping *damping, const StBlockMatrix *matrix, StError *error);

// As in StForceType.
bool st_tet_damping_add(const StTetDamping *damping, const StPoint *at, double *force,
                        StTrouble *trouble);
void st_tet_damping_add_blocks(const StTetDamping *damping, const StPoint *at, double by_position,
                               double by_velocity, StBlockMatrix *matrix);
void st_tet_damping_add_complex(const StTetDamping *damping, const StDual *position,
                                const StDual *velocity, StDual *force);
