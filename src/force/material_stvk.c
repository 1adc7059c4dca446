// Descriptor of the St. Venant–Kirchhoff law.
#define LAW_KERNEL "force/stvk_kernel.h"
#define LAW_GUARD "force/guard_kernel.h"
#include "force/law_instances.h"

#include "force/hooke.h"

const StMaterialLaw st_law_stvk = {
    .name = "stvk",
    .summary = "Hooke's law between Green strain and second Piola stress, soft under strong "
               "compression: W = μ tr G² + λ/2 tr²G, G = (FᵀF − 1)/2.",
    .param = st_hooke_params,
    .param_count = ST_HOOKE_PARAM_COUNT,
    .rotation_invariant = true,
    .prepare = st_hooke_prepare,
    LAW_FUNCTIONS,
};
