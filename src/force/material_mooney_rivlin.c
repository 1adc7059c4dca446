// Descriptor of the Mooney–Rivlin law and its parameters.
#define LAW_KERNEL "force/mooney_rivlin_kernel.h"
#include "force/law_instances.h"

#include "base/memory.h"

static const StParam params[] = {
    ST_PARAM("c10", "First coefficient; c10 + c01 is half the shear modulus at rest.",
             .dimension = ST_PRESSURE, .fallback = NAN, ST_POSITIVE),
    ST_PARAM("c01", "Second coefficient: how far shear stress departs from neo-Hookean.",
             .dimension = ST_PRESSURE, .fallback = 0, ST_NOT_NEGATIVE),
    ST_PARAM("bulk", "Bulk modulus at rest: stiffness against a change of volume.",
             .dimension = ST_PRESSURE, .fallback = NAN, ST_POSITIVE),
};

static void prepare(const double *value, double k[ST_LAW_CONSTANTS]) {
  for (int i = 0; i < ST_LENGTH(params); i++)
    k[i] = value[i];
  k[3] = 0;
}

const StMaterialLaw st_law_mooney_rivlin = {
    .name = "mooney_rivlin",
    .summary = "Two-parameter rubber with separate shape and volume terms (as in Holzapfel, "
               "Nonlinear Solid Mechanics, 6.5): W = c10 (J^(-2/3) I1 − 3) + c01 (J^(-4/3) I2 − 3) "
               "+ B/2 ln²J, B = bulk, infinite for J <= 0; at rest μ = 2(c10 + c01), λ = B − 2μ/3.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .barrier = true,
    .rotation_invariant = true,
    .prepare = prepare,
    LAW_FUNCTIONS,
};
