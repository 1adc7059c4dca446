// Numbers of a description that a program may change between steps, each with its name.
#pragma once

#include "model/description.h"

// The consequence of a change.
typedef enum StEffect {
  ST_EFFECT_FORCE,    // nothing: the value is read at every evaluation
  ST_EFFECT_JOINTS,   // joints are rebuilt
  ST_EFFECT_FRICTION, // contacts update their laws
  ST_EFFECT_REBUILD,  // everything is rebuilt
} StEffect;

typedef struct StParameter {
  char *name; // "materials.rubber.young"
  const char *unit, *doc;
  int count;                // 1 or 3
  double *value;            // [count] where it is in the description; NULL: it has only
  StCurve *curve;           // [count] what it is over time; NULL: it has none
  double fallback;          // where a curve is not given and there is no value
  const StParam *param;     // its range; NULL: any number
  StFrictionDesc *friction; // which it belongs to; NULL: none
  StEffect effect;
} StParameter;

typedef struct StParameters {
  int count;
  StParameter *item;
  size_t capacity;
} StParameters;

// All changeable numbers of a description. Gravity has the effect ST_EFFECT_REBUILD if none acts
// yet.
StStatus st_parameters_create(StDescription *description, StParameters *parameters, StError *error);
void st_parameters_free(StParameters *parameters);

// ST_BAD_INPUT with the closest names.
StStatus st_parameters_find(const StParameters *parameters, const char *name,
                            const StParameter **parameter, StError *error);

void st_parameter_get(const StParameter *parameter, double time, double *value);
StStatus st_parameter_set(const StParameter *parameter, const double *value, StError *error);

// Of all values; curves over time count as one.
unsigned long st_parameters_checksum(const StParameters *parameters);
