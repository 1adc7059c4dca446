// Physical dimensions and units: "600 kPa", "4800 rpm", "0.2 mm", "4.6e-5 1/atm". Everything inside
// the library is SI; only this file knows other units.
#pragma once

#include "base/status.h"

// Exponents of metre, kilogram, second and radian. Radians count, so that "50 Hz" is not an angular
// velocity.
typedef struct StDimension {
  signed char m, kg, s, rad;
} StDimension;

#define ST_PURE ((StDimension){0, 0, 0, 0})
#define ST_LENGTH_DIMENSION ((StDimension){1, 0, 0, 0})
#define ST_AREA ((StDimension){2, 0, 0, 0})
#define ST_VOLUME ((StDimension){3, 0, 0, 0})
#define ST_MASS ((StDimension){0, 1, 0, 0})
#define ST_TIME ((StDimension){0, 0, 1, 0})
#define ST_RATE ((StDimension){0, 0, -1, 0})
#define ST_ANGLE ((StDimension){0, 0, 0, 1})
#define ST_SPIN ((StDimension){0, 0, -1, 1})
#define ST_SPEED ((StDimension){1, 0, -1, 0})
#define ST_ACCELERATION ((StDimension){1, 0, -2, 0})
#define ST_FORCE_DIMENSION ((StDimension){1, 1, -2, 0})
#define ST_ENERGY ((StDimension){2, 1, -2, 0})
#define ST_PRESSURE ((StDimension){-1, 1, -2, 0})
#define ST_DENSITY ((StDimension){-3, 1, 0, 0})
#define ST_AREA_DENSITY ((StDimension){-2, 1, 0, 0})
#define ST_INERTIA ((StDimension){2, 1, 0, 0})             // kg m²
#define ST_TENSION ((StDimension){0, 1, -2, 0})            // N/m
#define ST_TORSION_STIFFNESS ((StDimension){2, 1, -2, -1}) // N m/rad
#define ST_TORSION_DAMPING ((StDimension){2, 1, -1, -1})   // N m s/rad
#define ST_DAMPING_RATE ((StDimension){0, 1, -1, 0})       // N s/m
#define ST_AREA_DAMPING ((StDimension){-2, 1, -1, 0})      // Pa s/m
#define ST_BEDDING ((StDimension){-2, 1, -2, 0})           // Pa/m
#define ST_COMPRESSIBILITY ((StDimension){1, -1, 2, 0})    // 1/Pa

bool st_dimension_equal(StDimension a, StDimension b);

// The SI unit as a user would write it: "Pa", "kg/m^3", "rad/s"; "" for a pure number.
const char *st_dimension_unit(StDimension dimension);

// For messages and manuals: "a pressure", and units a user may write: "Pa, kPa, MPa, atm".
const char *st_dimension_name(StDimension dimension);
const char *st_dimension_examples(StDimension dimension);

// Parses "600 kPa" into SI. A bare number ("600") is SI already. On failure the text says which
// units would be right ("a pressure is needed, such as Pa, kPa, MPa, atm"), without naming file or
// key.
StStatus st_quantity_parse(const char *text, StDimension dimension, double *value, StError *error);

// The dimension of a unit, "kg/m^3"; "": a plain number. False: not a unit.
bool st_unit_dimension(const char *unit, StDimension *dimension);

// Building blocks for texts with units. Length of the word at the start of a text: letters, and
// symbols used in units. Its factor to SI and dimension; false: not a unit. The end of the decimal
// number at the start; NULL: none.
int st_unit_word(const char *text);
bool st_unit_find(const char *word, int length, double *factor, StDimension *dimension);
const char *st_number_end(const char *text);
