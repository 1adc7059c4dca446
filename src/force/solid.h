// Queries to the elastic force: stresses and volumes of its elements.
#pragma once

#include "force/force.h"

// Cauchy stress of the piece's owned elements, [owned_tet_count][6]: xx yy zz xy yz zx, Pa. Laws of
// small strain report their own stress, which does not distinguish rest and current shape.
void st_solid_stress(const void *data, const StPoint *at, double *stress);

// Current volume of the piece's owned elements, m³, and the number of inverted ones.
double st_solid_volume(const void *data, const StPoint *at, int *inverted);
