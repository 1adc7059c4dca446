// Descriptor of the law of small strains.
#define LAW_KERNEL "force/linear_kernel.h"
#define LAW_GUARD "force/guard_kernel.h"
#include "force/law_instances.h"

#include "force/hooke.h"

const StMaterialLaw st_law_linear = {
    .name = "linear",
    .summary = "Hooke's law for small strains about the rest shape; rotations count as strain: W = "
               "μ tr e² + λ/2 tr²e, e = (F + Fᵀ)/2 − 1.",
    .param = st_hooke_params,
    .param_count = ST_HOOKE_PARAM_COUNT,
    .prepare = st_hooke_prepare,
    LAW_FUNCTIONS,
};
