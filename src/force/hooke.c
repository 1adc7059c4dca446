// The elastic parameters that most laws share.
#include "force/hooke.h"

const StParam st_hooke_params[2] = {
    ST_PARAM("young", "Young's modulus: stiffness in stretching.", .dimension = ST_PRESSURE,
             .fallback = NAN, ST_POSITIVE),
    ST_PARAM(
        "poisson",
        "Poisson's ratio: lateral contraction over extension; near 0.5 the volume is preserved.",
        .dimension = ST_PURE, .fallback = NAN, .min = -1, .min_open = true, .max = 0.5,
        .max_open = true),
};

void st_hooke_prepare(const double *value, double k[ST_LAW_CONSTANTS]) {
  double young = value[0], poisson = value[1];
  k[0] = young / (2 * (1 + poisson));
  k[1] = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  k[2] = k[3] = 0;
}
