// Ranges and ticks.
#include "output/plot_axis.h"

#include <float.h>
#include <math.h>

bool st_scale_shows(bool logarithmic, double value) {
  return isfinite(value) && (!logarithmic || value > 0);
}

double st_scale_at(const StScale *scale, double value) {
  if (scale->logarithmic)
    return log(value / scale->low) / log(scale->high / scale->low);
  return (value - scale->low) / (scale->high - scale->low);
}

// The largest of 1, 2, 5 × 10ⁿ that gives at least four ticks.
static double tick_step(double span) {
  double rough = span / 4, decade = pow(10, floor(log10(rough)));
  return decade * (rough >= 5 * decade ? 5 : rough >= 2 * decade ? 2 : 1);
}

static void add_tick(StScale *scale, double value) {
  double slack = 1e-9;
  double at = st_scale_at(scale, value);
  if (at > -slack && at < 1 + slack && scale->tick_count < ST_SCALE_TICKS)
    scale->tick[scale->tick_count++] = value;
}

static void add_linear_ticks(StScale *scale) {
  double step = tick_step(scale->high - scale->low);
  double first = ceil(scale->low / step - 1e-9);
  for (int i = 0; i < ST_SCALE_TICKS; i++) {
    double value = (first + i) * step;
    add_tick(scale, fabs(value) < 1e-9 * step ? 0 : value);
  }
}

// Few decades get 1, 2, 5; many get powers of ten, of which some may be skipped.
static void add_logarithmic_ticks(StScale *scale) {
  int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
  bool fine = last - first <= 3;
  int stride = 1 + (last - first) / 8;
  for (int n = first; n <= last; n += stride)
    for (int m = 0; m < (fine ? 3 : 1); m++)
      add_tick(scale, pow(10, n) * (const double[]){1, 2, 5}[m]);
}

static void pad(StScale *scale) {
  if (scale->logarithmic) {
    double factor = scale->high > scale->low ? pow(scale->high / scale->low, 0.05) : 2;
    scale->low = fmax(scale->low / factor, DBL_MIN);
    scale->high = fmin(scale->high * factor, DBL_MAX);
    return;
  }
  // Less than ticks can tell apart is a single value with rounding errors.
  double span = scale->high - scale->low, size = fmax(fabs(scale->low), fabs(scale->high));
  double margin = span > 1e-7 * size ? 0.05 * span : (size > 0 ? size : 1) / 2;
  scale->low = fmax(scale->low - margin, -DBL_MAX);
  scale->high = fmin(scale->high + margin, DBL_MAX);
}

StScale st_scale(const StPlotAxis *axis, double least, double most) {
  bool given = axis->low < axis->high && st_scale_shows(axis->logarithmic, axis->low);
  StScale scale = {.logarithmic = axis->logarithmic, .low = least, .high = most};
  if (!(least <= most))
    scale.low = 1, scale.high = axis->logarithmic ? 10 : 2;
  if (given)
    scale.low = axis->low, scale.high = axis->high;
  else
    pad(&scale);
  if (scale.logarithmic)
    add_logarithmic_ticks(&scale);
  else
    add_linear_ticks(&scale);
  return scale;
}
