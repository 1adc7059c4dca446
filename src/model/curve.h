// A number over time: keys, a sine, or a formula. Its value and its exact rate of change, for
// prescribed motions, pressures, torques and loads.
#pragma once

#include "base/expression.h"

#include <math.h>

typedef enum StInterpolation {
  ST_LINEAR, // constant rate between keys
  ST_SMOOTH, // cubics with zero slope at the ends, monotone in between: C¹
  ST_CUBIC,  // the cubic spline through the keys (not-a-knot): C²
} StInterpolation;

// mean + amplitude sin(frequency (t − start) + phase) from start to end; constant before and after.
typedef struct StSine {
  double mean, amplitude;
  double frequency; // rad/s
  double phase;     // rad
  double start, end;
} StSine;

typedef enum StCurveKind { ST_CURVE_KEYS, ST_CURVE_SINE, ST_CURVE_FORMULA } StCurveKind;

typedef struct StCurve {
  StCurveKind kind;
  // Constant before the first key, and after the last one unless `extend`: then it continues at its
  // last rate.
  int key_count;
  double *time;  // [key_count] strictly increasing, seconds
  double *value; // [key_count]
  double *rate;  // [key_count] slopes of the cubics between keys; NULL: linear
  bool extend;
  StSine sine;
  StExpression *formula; // times `factor`, plus `offset`
  double factor, offset;
} StCurve;

// The same number at all times. Owns nothing.
static inline StCurve st_curve_constant(double value) {
  return (StCurve){.kind = ST_CURVE_SINE, .sine = {.mean = value, .end = INFINITY}};
}

void st_curve_free(StCurve *curve); // frees what it owns, not the struct

bool st_curve_is_given(const StCurve *curve); // false: no value was set

// Computes the rates at the keys for an interpolation.
StStatus st_curve_interpolate(StCurve *curve, StInterpolation interpolation, StError *error);

void st_curve_scale(StCurve *curve, double factor, double offset); // value → factor value + offset

double st_curve_at(const StCurve *curve, double time, double fallback); // fallback: if not given

// The part that is still missing of a quantity that rises from zero over the time `rise`.
static inline double st_curve_missing(double time, double rise) {
  return time < rise ? 1 - fmax(time, 0) / rise : 0;
}

// The value at time 0 rises from zero over the time `rise`; changes since then are as given.
double st_curve_risen(const StCurve *curve, double time, double rise, double fallback);

// Value and rate; 0 if not given.
double st_curve_evaluate(const StCurve *curve, double time, double *rate);

// The largest |rate| up to a time: at keys and mean rates between them; exact for a sine; sampled
// for a formula. Not finite if some sample is not.
double st_curve_largest_rate(const StCurve *curve, double duration);

// The largest |value| up to a time, found in the same way; not finite if some sample is not.
double st_curve_largest_value(const StCurve *curve, double duration);

// Instants at which value or rate jump; needs room for st_curve_corner_bound of them. Keys denser
// than steps of this length are samples of a curve and do not count.
size_t st_curve_corner_bound(const StCurve *curve);
int st_curve_corners(const StCurve *curve, double step, double *time);
