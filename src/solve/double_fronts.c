// Fronts in double precision.
typedef double number;
#define LAPACK(name) d##name##_

#include "solve/fronts_kernel.h"

const StFrontsType st_double_fronts = {create, destroy, factor, solve};
