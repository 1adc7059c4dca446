// Descriptors of the volume models and their one parameter.
#include "force/volume_model.h"

#include "base/memory.h"

#include "force/volume_model_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "force/volume_model_kernel.h"
#undef ST_COMPLEX_KERNEL

#include <string.h>

static const StParam compressibility[] = {
    ST_PARAM("compressibility",
             "Relative change of volume per pressure, κ_v; for a gas one over its pressure, for "
             "water 4.6e-5/atm.",
             .dimension = ST_COMPRESSIBILITY, .fallback = 1 / 101325.0, ST_POSITIVE),
};

static const StVolumeModel model_quadratic = {
    .name = "quadratic",
    .summary = "Pressure falls in proportion to the growth of volume: U = (V − V₀)²/(2V₀κ_v) − (p "
               "− p₀)(V − V₀).",
    .param = compressibility,
    .param_count = ST_LENGTH(compressibility),
    .by_volume = true,
    .slopes = quadratic_real,
    .slopes_complex = quadratic_complex,
};

static const StVolumeModel model_ideal_gas = {
    .name = "ideal_gas",
    .summary = "Pressure times volume stays constant, as in a gas of constant temperature: U = "
               "p₀(V − V₀) − p V₀ ln(V/V₀), infinite for V <= 0.",
    .by_volume = true,
    .barrier = true,
    .slopes = ideal_gas_real,
    .slopes_complex = ideal_gas_complex,
};

static const StVolumeModel model_nearly_incompressible = {
    .name = "nearly_incompressible",
    .summary = "A liquid: pressure falls with the logarithm of volume, steeply when compressed: U "
               "= (V₀ − V(1 − ln(V/V₀)))/κ_v − (p − p₀)(V − V₀), infinite for V <= 0.",
    .param = compressibility,
    .param_count = ST_LENGTH(compressibility),
    .by_volume = true,
    .barrier = true,
    .slopes = nearly_incompressible_real,
    .slopes_complex = nearly_incompressible_complex,
};

static const StVolumeModel model_prescribed = {
    .name = "prescribed",
    .summary =
        "The inside pressure is as given over time, whatever the volume: U = −(p − p₀)(V − V₀).",
    .slopes = prescribed_real,
    .slopes_complex = prescribed_complex,
};

const StVolumeModel *const st_volume_models[] = {
    &model_quadratic, &model_ideal_gas, &model_nearly_incompressible, &model_prescribed, NULL,
};

const StVolumeModel *st_volume_model_find(const char *name) {
  for (const StVolumeModel *const *model = st_volume_models; *model; model++)
    if (strcmp((*model)->name, name) == 0)
      return *model;
  return NULL;
}
