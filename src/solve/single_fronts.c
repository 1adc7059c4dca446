// Fronts in single precision.
typedef float number;
#define LAPACK(name) s##name##_

#include "solve/fronts_kernel.h"

const StFrontsType st_single_fronts = {create, destroy, factor, solve};
