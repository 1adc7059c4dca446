// Young's modulus and Poisson's ratio, the parameters that most laws share, and Lamé's constants.
#pragma once

#include "force/material.h"

extern const StParam st_hooke_params[2]; // young, poisson
enum { ST_HOOKE_PARAM_COUNT = 2 };

// k[0] = μ, k[1] = λ, Pa, and zeros. value: young, poisson.
void st_hooke_prepare(const double *value, double k[ST_LAW_CONSTANTS]);
