// One named, documented, unit-carrying parameter of a material, force, shape, integrator or solver.
// The scene checker, the defaults, the manual, `stiction list` and the tests all read these.
#pragma once

#include "base/unit.h"

#include <math.h>

enum { ST_PARAM_MAX = 12 };

typedef enum StParamKind { ST_REAL, ST_INTEGER, ST_BOOLEAN, ST_WORD } StParamKind;

typedef struct StParam {
  const char *name; // also the key in a scene: lower case, words joined by _
  const char *doc;  // one sentence, what it does
  StParamKind kind;
  StDimension dimension;
  double fallback; // NAN: must be given
  double min, max; // inclusive unless open
  bool min_open, max_open;
  bool over_time;          // ST_REAL: a parameter of a force that may change over time
  const char *const *word; // ST_WORD: allowed words, NULL-terminated; the value is the index
} StParam;

// A row of a table of parameters: its name, its sentence, and what else it has.
#define ST_PARAM(name_, doc_, ...)                                                                 \
  { .name = name_, .doc = doc_, __VA_ARGS__ }

#define ST_RANGE(min_, max_) .min = min_, .max = max_
#define ST_NOT_NEGATIVE ST_RANGE(0, INFINITY)
#define ST_POSITIVE ST_NOT_NEGATIVE, .min_open = true

// Whether a value is in the range; min = max = 0: no limits.
static inline bool st_param_allows(const StParam *param, double value) {
  if (param->min == 0 && param->max == 0)
    return true;
  bool low = param->min_open ? value > param->min : value >= param->min;
  bool high = param->max_open ? value < param->max : value <= param->max;
  return low && (high || param->max == INFINITY);
}

static inline bool st_param_required(const StParam *param) {
  return isnan(param->fallback);
}

// A type chosen by name with its values, in the order of its parameter list.
typedef struct StChoice {
  const char *name; // points into a descriptor, never freed
  double value[ST_PARAM_MAX];
} StChoice;

// Fills value[] with the fallbacks.
static inline void st_param_defaults(const StParam *param, int count, double *value) {
  for (int i = 0; i < count; i++)
    value[i] = param[i].fallback;
}
