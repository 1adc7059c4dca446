// Numbers of a description that a program may change between steps, each with its name.
#ifndef ST_API_PARAMETERS_H
#define ST_API_PARAMETERS_H

#include "model/description.h"

// What has to be done about a change.
typedef enum StEffect {
  ST_EFFECT_FORCE,    // what acts is read whenever it is asked for
  ST_EFFECT_JOINTS,   // joints are made anew
  ST_EFFECT_FRICTION, // contacts take over their laws
  ST_EFFECT_REBUILD,  // all is made anew
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

// All of a description that may be changed. Gravity has the effect ST_EFFECT_REBUILD where none
// acts.
StStatus st_parameters_create(StDescription *description, StParameters *parameters, StError *error);
void st_parameters_free(StParameters *parameters);

// ST_BAD_INPUT with the names that come closest.
StStatus st_parameters_find(const StParameters *parameters, const char *name,
                            const StParameter **parameter, StError *error);

void st_parameter_get(const StParameter *parameter, double time, double *value);
StStatus st_parameter_set(const StParameter *parameter, const double *value, StError *error);

// Of all values; curves that follow time by themselves count as one.
unsigned long st_parameters_checksum(const StParameters *parameters);

#endif
