// Ranges and ticks.
#include "plot/axis.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

// A few decades get ticks at 1, 2, 5, and less than one decade gets more; many get powers of ten,
// some of which may be skipped.
static void add_logarithmic_ticks(StScale *scale) {
  static const struct {
    int count;
    double times[8];
  } set[] = {{1, {1}}, {3, {1, 2, 5}}, {8, {1, 1.5, 2, 3, 4, 5, 6, 8}}};
  int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
  int stride = 1 + (last - first) / 10;
  for (int fine = last - first <= 3; fine < 3 && scale->tick_count < 3; fine++) {
    scale->tick_count = 0;
    for (int n = first; n <= last; n += stride)
      for (int m = 0; m < set[fine].count; m++)
        add_tick(scale, pow(10, n) * set[fine].times[m]);
  }
}

static void pad(StScale *scale) {
  if (scale->logarithmic) {
    double factor = scale->high > scale->low ? pow(scale->high / scale->low, 0.05) : 2;
    scale->low = fmax(scale->low / factor, DBL_MIN);
    scale->high = fmin(scale->high * factor, DBL_MAX);
    return;
  }
  // A range smaller than ticks can resolve is a single value with rounding errors.
  double span = scale->high - scale->low, size = fmax(fabs(scale->low), fabs(scale->high));
  double margin = span > 1e-7 * size ? 0.05 * span : (size > 0 ? size : 1) / 2;
  scale->low = fmax(scale->low - margin, -DBL_MAX);
  scale->high = fmin(scale->high + margin, DBL_MAX);
}

// Numbers with five digits before the point, or zeros after it, are labelled as multiples of 10³,
// 10⁶ …
static void choose_linear_labels(StScale *scale) {
  double size = 0, step = tick_step(scale->high - scale->low);
  for (int i = 0; i < scale->tick_count; i++)
    size = fmax(size, fabs(scale->tick[i]));
  if (size >= 1e5 || (size > 0 && size < 1e-3))
    scale->exponent = 3 * (int)floor(log10(size) / 3);
  scale->decimals = (int)fmax(0, scale->exponent - floor(log10(step) + 1e-9));
}

static void choose_logarithmic_labels(StScale *scale) {
  for (int i = 0; i < scale->tick_count; i++)
    if (scale->tick[i] >= 1e5 || scale->tick[i] < 0.999e-3)
      scale->powers = true;
}

static void add_superscript(char *label, int number) {
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  snprintf(plain, sizeof plain, "%d", number);
  for (const char *c = plain; *c; c++) {
    size_t used = strlen(label);
    snprintf(label + used, ST_SCALE_LABEL - used, "%s", *c == '-' ? "⁻" : digit[*c - '0']);
  }
}

void st_scale_label(const StScale *scale, int tick, char label[ST_SCALE_LABEL]) {
  double value = scale->tick[tick];
  if (scale->powers) {
    int n = (int)floor(log10(value) + 1e-9);
    double times = value / pow(10, n);
    snprintf(label, ST_SCALE_LABEL, times < 1.01 ? "10" : "%.2g·10", times);
    add_superscript(label, n);
  } else if (scale->logarithmic) {
    snprintf(label, ST_SCALE_LABEL, "%.9g", value);
  } else {
    double shown = value / pow(10, scale->exponent);
    snprintf(label, ST_SCALE_LABEL, "%s%.*f", shown < 0 ? "−" : "", scale->decimals, fabs(shown));
  }
}

void st_scale_factor(const StScale *scale, char label[ST_SCALE_LABEL]) {
  label[0] = 0;
  if (scale->exponent == 0)
    return;
  snprintf(label, ST_SCALE_LABEL, "× 10");
  add_superscript(label, scale->exponent);
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
  if (scale.logarithmic) {
    add_logarithmic_ticks(&scale);
    choose_logarithmic_labels(&scale);
  } else {
    add_linear_ticks(&scale);
    choose_linear_labels(&scale);
  }
  return scale;
}
