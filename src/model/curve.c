// A number over time. Between keys it is linear, or the Hermite cubic of values and rates at both:
// monotone with harmonic-mean slopes (after Fritsch and Butland), or a spline.
#include "model/curve.h"

#include "base/memory.h"

#include <math.h>

enum { SAMPLES = 2000 };

void st_curve_free(StCurve *curve) {
  free(curve->time);
  free(curve->value);
  free(curve->rate);
  st_expression_destroy(curve->formula);
  *curve = (StCurve){0};
}

bool st_curve_is_given(const StCurve *curve) {
  return curve->kind != ST_CURVE_KEYS || curve->key_count > 0;
}

static double width(const StCurve *curve, int key) {
  return curve->time[key + 1] - curve->time[key];
}

static double secant(const StCurve *curve, int key) {
  return (curve->value[key + 1] - curve->value[key]) / width(curve, key);
}

// Slope of the monotone cubic at a key: zero at the ends and at extrema.
static double monotone_slope(const StCurve *curve, int key) {
  if (key == 0 || key == curve->key_count - 1)
    return 0;
  double before = secant(curve, key - 1), after = secant(curve, key);
  if (before * after <= 0)
    return 0;
  double h0 = width(curve, key - 1), h1 = width(curve, key);
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / before + w1 / after);
}

static void short_spline(const StCurve *curve, double *rate) {
  if (curve->key_count == 2)
    rate[0] = rate[1] = secant(curve, 0);
  if (curve->key_count != 3)
    return;
  double h0 = width(curve, 0), h1 = width(curve, 1), d0 = secant(curve, 0), d1 = secant(curve, 1);
  rate[1] = (h1 * d0 + h0 * d1) / (h0 + h1); // the parabola's
  rate[0] = 2 * d0 - rate[1];
  rate[2] = 2 * d1 - rate[1];
}

// One row of the spline's equations: below, on and above the diagonal, and the right-hand side.
typedef struct Row {
  double below, middle, above, right;
} Row;

// At either end the first two cubics coincide (not-a-knot).
static Row end_row(double h0, double h1, double d0, double d1) {
  double both = h0 + h1;
  return (Row){0, h1, both, ((h0 + 2 * both) * h1 * d0 + h0 * h0 * d1) / both};
}

static Row spline_row(const StCurve *curve, int key) {
  int last = curve->key_count - 1;
  if (key == 0)
    return end_row(width(curve, 0), width(curve, 1), secant(curve, 0), secant(curve, 1));
  if (key == last) {
    Row row = end_row(width(curve, last - 1), width(curve, last - 2), secant(curve, last - 1),
                      secant(curve, last - 2));
    return (Row){row.above, row.middle, 0, row.right};
  }
  double h0 = width(curve, key - 1), h1 = width(curve, key);
  return (Row){h1, 2 * (h0 + h1), h0, 3 * (h1 * secant(curve, key - 1) + h0 * secant(curve, key))};
}

// Elimination from top to bottom, then back. above: [key_count]
static void solve_spline(const StCurve *curve, double *above, double *rate) {
  int count = curve->key_count;
  for (int i = 0; i < count; i++) {
    Row row = spline_row(curve, i);
    double middle = row.middle - (i > 0 ? row.below * above[i - 1] : 0);
    above[i] = row.above / middle;
    rate[i] = (row.right - (i > 0 ? row.below * rate[i - 1] : 0)) / middle;
  }
  for (int i = count - 2; i >= 0; i--)
    rate[i] -= above[i] * rate[i + 1];
}

static StStatus find_spline(const StCurve *curve, double *rate, StError *error) {
  if (curve->key_count <= 3) {
    short_spline(curve, rate);
    return ST_OK;
  }
  ST_FREE double *above = ST_NEW(double, curve->key_count);
  ST_TRY_MEMORY(above, error);
  solve_spline(curve, above, rate);
  return ST_OK;
}

StStatus st_curve_interpolate(StCurve *curve, StInterpolation interpolation, StError *error) {
  free(curve->rate);
  curve->rate = NULL;
  if (interpolation == ST_LINEAR)
    return ST_OK;
  ST_TRY_MEMORY(curve->rate = ST_NEW(double, curve->key_count), error);
  if (interpolation == ST_CUBIC)
    return find_spline(curve, curve->rate, error);
  for (int i = 0; i < curve->key_count; i++)
    curve->rate[i] = monotone_slope(curve, i);
  return ST_OK;
}

void st_curve_scale(StCurve *curve, double factor, double offset) {
  for (int i = 0; i < curve->key_count; i++) {
    curve->value[i] = factor * curve->value[i] + offset;
    if (curve->rate)
      curve->rate[i] *= factor;
  }
  curve->sine.amplitude *= factor;
  curve->sine.mean = factor * curve->sine.mean + offset;
  curve->factor *= factor;
  curve->offset = factor * curve->offset + offset;
}

static int interval(const StCurve *curve, double t) {
  int low = 0, high = curve->key_count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (curve->time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Hermite cubic on [time[key], time[key + 1]] and its derivative.
static double hermite(const StCurve *curve, int key, double t, double *rate) {
  double h = width(curve, key), s = (t - curve->time[key]) / h, r = 1 - s;
  double x0 = curve->value[key], x1 = curve->value[key + 1];
  double d0 = curve->rate[key], d1 = curve->rate[key + 1];
  *rate = 6 * (x1 - x0) / h * s * r + d0 * r * (1 - 3 * s) + d1 * s * (3 * s - 2);
  return x0 + (x1 - x0) * s * s * (3 - 2 * s) + h * s * r * (d0 * r - d1 * s);
}

static double keys_at(const StCurve *curve, double t, double *rate) {
  int last = curve->key_count - 1;
  *rate = 0;
  if (last < 0)
    return 0;
  if (t < curve->time[0])
    return curve->value[0];
  if (t >= curve->time[last]) {
    if (curve->extend && last > 0)
      *rate = curve->rate ? curve->rate[last] : secant(curve, last - 1);
    return curve->value[last] + *rate * (t - curve->time[last]);
  }
  int key = interval(curve, t);
  if (curve->rate)
    return hermite(curve, key, t, rate);
  *rate = secant(curve, key);
  return curve->value[key] + *rate * (t - curve->time[key]);
}

static double sine_at(const StSine *sine, double t, double *rate) {
  double angle = sine->frequency * (fmin(fmax(t, sine->start), sine->end) - sine->start);
  bool acts = t >= sine->start && t < sine->end;
  *rate = acts ? sine->amplitude * sine->frequency * cos(angle + sine->phase) : 0;
  return sine->mean + sine->amplitude * sin(angle + sine->phase);
}

static double formula_at(const StCurve *curve, double t, double *rate) {
  double value = st_expression_at(curve->formula, t, rate);
  *rate *= curve->factor;
  return curve->factor * value + curve->offset;
}

double st_curve_evaluate(const StCurve *curve, double time, double *rate) {
  switch (curve->kind) {
  case ST_CURVE_SINE: return sine_at(&curve->sine, time, rate);
  case ST_CURVE_FORMULA: return formula_at(curve, time, rate);
  case ST_CURVE_KEYS: break;
  }
  return keys_at(curve, time, rate);
}

double st_curve_at(const StCurve *curve, double time, double fallback) {
  double rate;
  return st_curve_is_given(curve) ? st_curve_evaluate(curve, time, &rate) : fallback;
}

double st_curve_risen(const StCurve *curve, double time, double rise, double fallback) {
  double missing = st_curve_missing(time, rise), value = st_curve_at(curve, time, fallback);
  return missing > 0 ? value - missing * st_curve_at(curve, 0, fallback) : value;
}

static double larger(double a, double b) {
  return fabs(b) <= a ? a : fabs(b); // keeps NaN
}

// Sampled at evenly spaced instants.
static double sampled(const StCurve *curve, double duration, bool of_rate) {
  double largest = 0;
  for (int i = 0; i <= SAMPLES; i++) {
    double rate, value = st_curve_evaluate(curve, duration * i / SAMPLES, &rate);
    largest = larger(largest, of_rate ? rate : value);
    if (isnan(largest))
      return largest;
  }
  return largest;
}

double st_curve_largest_rate(const StCurve *curve, double duration) {
  if (curve->kind == ST_CURVE_SINE)
    return fabs(curve->sine.amplitude * curve->sine.frequency);
  if (curve->kind == ST_CURVE_FORMULA)
    return sampled(curve, duration, true);
  double largest = 0;
  for (int i = 0; i + 1 < curve->key_count; i++)
    largest = larger(largest, secant(curve, i));
  for (int i = 0; curve->rate && i < curve->key_count; i++)
    largest = larger(largest, curve->rate[i]);
  return largest;
}

double st_curve_largest_value(const StCurve *curve, double duration) {
  if (curve->kind == ST_CURVE_SINE)
    return fabs(curve->sine.mean) + fabs(curve->sine.amplitude);
  if (curve->kind == ST_CURVE_FORMULA)
    return sampled(curve, duration, false);
  double largest = 0;
  for (int i = 0; i < curve->key_count; i++)
    largest = larger(largest, curve->value[i]);
  return largest;
}

size_t st_curve_corner_bound(const StCurve *curve) {
  return curve->kind == ST_CURVE_KEYS ? (size_t)curve->key_count : 2;
}

int st_curve_corners(const StCurve *curve, double step, double *time) {
  int count = 0, last = curve->key_count - 1;
  if (curve->kind == ST_CURVE_SINE) {
    time[count++] = curve->sine.start;
    time[count++] = curve->sine.end;
  }
  if (curve->kind != ST_CURVE_KEYS || last < 0)
    return count;
  if (!curve->rate && curve->time[last] - curve->time[0] >= last * step)
    for (int i = 0; i <= last; i++)
      time[count++] = curve->time[i];
  for (int i = 0; curve->rate && i <= last; i += last > 0 ? last : 1)
    if (curve->rate[i] != 0 && !(curve->extend && i == last))
      time[count++] = curve->time[i];
  return count;
}
