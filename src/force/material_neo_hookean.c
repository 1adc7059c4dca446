// Descriptor of the neo-Hookean law.
#define LAW_KERNEL "force/neo_hookean_kernel.h"
#include "force/law_instances.h"

#include "force/hooke.h"

const StMaterialLaw st_law_neo_hookean = {
    .name = "neo_hookean",
    .summary = "Rubber-like solid that resists collapse without limit: "
               "W = μ/2 (I − 3) − μ ln J + λ/2 ln²J, infinite for J <= 0.",
    .param = st_hooke_params,
    .param_count = ST_HOOKE_PARAM_COUNT,
    .barrier = true,
    .rotation_invariant = true,
    .prepare = st_hooke_prepare,
    LAW_FUNCTIONS,
};
