// Descriptor of the stable neo-Hookean law.
#define LAW_KERNEL "force/stable_neo_hookean_kernel.h"
#define LAW_GUARD "force/guard_kernel.h"
#include "force/law_instances.h"

#include "force/hooke.h"

// At rest P = ¾ μ' − λ' (a − 1) = 0, and dP = ¾ μ' · 2ε + (λ' − ⅝ μ') tr ε: Hooke's law with these.
static void prepare(const double *value, double k[ST_LAW_CONSTANTS]) {
  double hooke[ST_LAW_CONSTANTS];
  st_hooke_prepare(value, hooke);
  k[0] = hooke[0] * 4 / 3;
  k[1] = hooke[1] + hooke[0] * 5 / 6;
  k[2] = 1 + 0.75 * k[0] / k[1];
  k[3] = 0;
}

const StMaterialLaw st_law_stable_neo_hookean = {
    .name = "stable_neo_hookean",
    .summary = "Rubber-like solid that recovers from inversion, where inversion is allowed: W = "
               "μ'/2 (I − 3 − ln(I + 1)) + λ'/2 (J − 1 − ¾ μ'/λ')² less its value at rest, μ' = "
               "4μ/3, λ' = λ + 5μ/6.",
    .param = st_hooke_params,
    .param_count = ST_HOOKE_PARAM_COUNT,
    .rotation_invariant = true,
    .prepare = prepare,
    LAW_FUNCTIONS,
};
