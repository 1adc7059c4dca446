// Quantities: every unit, the grammar, and the text of every error.
#include "base/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

typedef struct Good {
  const char *text;
  StDimension dimension;
  double value;
} Good;

static const Good GOOD[] = {
    {"600 kPa", {-1, 1, -2, 0}, 6e5},
    {"600kPa", {-1, 1, -2, 0}, 6e5},
    {"  600  kPa  ", {-1, 1, -2, 0}, 6e5},
    {"4800 rpm", {0, 0, -1, 1}, 4800 * 2 * PI / 60},
    {"0.2 mm", {1, 0, 0, 0}, 2e-4},
    {"2.5 cm", {1, 0, 0, 0}, 2.5e-2},
    {"3 km", {1, 0, 0, 0}, 3e3},
    {"7 um", {1, 0, 0, 0}, 7e-6},
    {"7 µm", {1, 0, 0, 0}, 7e-6},
    {"7 μm", {1, 0, 0, 0}, 7e-6},
    {"8 nm", {1, 0, 0, 0}, 8e-9},
    {"1 in", {1, 0, 0, 0}, 0.0254},
    {"1 ft", {1, 0, 0, 0}, 0.3048},
    {"1 yd", {1, 0, 0, 0}, 0.9144},
    {"1 mi", {1, 0, 0, 0}, 1609.344},
    {"1 mile", {1, 0, 0, 0}, 1609.344},
    {"5 g", {0, 1, 0, 0}, 5e-3},
    {"5 kg", {0, 1, 0, 0}, 5},
    {"5 t", {0, 1, 0, 0}, 5e3},
    {"1 lb", {0, 1, 0, 0}, 0.45359237},
    {"1 oz", {0, 1, 0, 0}, 0.45359237 / 16},
    {"5 ms", {0, 0, 1, 0}, 5e-3},
    {"5 us", {0, 0, 1, 0}, 5e-6},
    {"5 min", {0, 0, 1, 0}, 300},
    {"2 h", {0, 0, 1, 0}, 7200},
    {"60 Hz", {0, 0, -1, 0}, 60},
    {"2 kHz", {0, 0, -1, 0}, 2e3},
    {"60 1/s", {0, 0, -1, 0}, 60},
    {"60/s", {0, 0, -1, 0}, 60},
    {"4.6e-5 1/atm", {1, -1, 2, 0}, 4.6e-5 / 101325},
    {"4.6e-5/atm", {1, -1, 2, 0}, 4.6e-5 / 101325},
    {"1 atm", {-1, 1, -2, 0}, 101325},
    {"1 bar", {-1, 1, -2, 0}, 1e5},
    {"1 mbar", {-1, 1, -2, 0}, 100},
    {"1 psi", {-1, 1, -2, 0}, 4.4482216152605 / (0.0254 * 0.0254)},
    {"3 MPa", {-1, 1, -2, 0}, 3e6},
    {"200 GPa", {-1, 1, -2, 0}, 2e11},
    {"2 N/mm^2", {-1, 1, -2, 0}, 2e6},
    {"1 g/cm^3", {-3, 1, 0, 0}, 1000},
    {"1 kg/m3", {-3, 1, 0, 0}, 1},
    {"0.2 kg/m²", {-2, 1, 0, 0}, 0.2},
    {"0.2 kg/m2", {-2, 1, 0, 0}, 0.2},
    {"150 g/m²", {-2, 1, 0, 0}, 0.15},
    {"500 N/m", {0, 1, -2, 0}, 500},
    {"2 kN/m", {0, 1, -2, 0}, 2000},
    {"3 J", {2, 1, -2, 0}, 3},
    {"40 uJ", {2, 1, -2, 0}, 4e-5},
    {"9.81 m/s^2", {1, 0, -2, 0}, 9.81},
    {"9.81 m/s2", {1, 0, -2, 0}, 9.81},
    {"9.81 m/s²", {1, 0, -2, 0}, 9.81},
    {"9.81 m s^-2", {1, 0, -2, 0}, 9.81},
    {"9.81 m/s/s", {1, 0, -2, 0}, 9.81},
    {"9.81 m/(s*s)", {1, 0, -2, 0}, 9.81},
    {"36 km/h", {1, 0, -1, 0}, 10},
    {"100 mph", {1, 0, -1, 0}, 44.704},
    {"3 N*m", {2, 1, -2, 0}, 3},
    {"3 N*m/rad", {2, 1, -2, -1}, 3},
    {"2 N*m/deg", {2, 1, -2, -1}, 360 / PI},
    {"3 N*m", {2, 1, -2, -1}, 3}, // per radian is understood
    {"0.5 N*m*s/rad", {2, 1, -1, -1}, 0.5},
    {"3 N·m", {2, 1, -2, 0}, 3},
    {"3 N m", {2, 1, -2, 0}, 3},
    {"3 kJ", {2, 1, -2, 0}, 3e3},
    {"3 mN", {1, 1, -2, 0}, 3e-3},
    {"3 kN", {1, 1, -2, 0}, 3e3},
    {"3 kW", {2, 1, -3, 0}, 3e3},
    {"2 l", {3, 0, 0, 0}, 2e-3},
    {"2 mL", {3, 0, 0, 0}, 2e-6},
    {"2 m³", {3, 0, 0, 0}, 2},
    {"180 deg", {0, 0, 0, 1}, PI},
    {"180°", {0, 0, 0, 1}, PI},
    {"1 turn", {0, 0, 0, 1}, 2 * PI},
    {"1 rev/s", {0, 0, -1, 1}, 2 * PI},
    {"3 mrad", {0, 0, 0, 1}, 3e-3},
    {"90 deg/s", {0, 0, -1, 1}, PI / 2},
    {"35 %", {0, 0, 0, 0}, 0.35},
    {"35%", {0, 0, 0, 0}, 0.35},
    {"35", {0, 0, 0, 0}, 35},
    {"-1.5e3", {-1, 1, -2, 0}, -1500},
    {"+2", {1, 0, 0, 0}, 2},
    {".5 m", {1, 0, 0, 0}, 0.5},
    {"5. m", {1, 0, 0, 0}, 5},
    {"1E-3 m", {1, 0, 0, 0}, 1e-3},
    {"4 m*m/m", {1, 0, 0, 0}, 4},
    {"4 kg/s/s", {0, 1, -2, 0}, 4},
    {"2 min", {0, 0, 1, 0}, 120},
};

static void test_values(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
    double value = NAN;
    StError error = {0};
    StStatus status = st_quantity_parse(GOOD[i].text, GOOD[i].dimension, &value, &error);
    if (status != ST_OK)
      fail_msg("%s: %s", GOOD[i].text, error.text);
    if (!(fabs(value - GOOD[i].value) <= 4e-16 * fabs(GOOD[i].value)))
      fail_msg("%s: %.17g, not %.17g", GOOD[i].text, value, GOOD[i].value);
  }
}

typedef struct Bad {
  const char *text;
  StDimension dimension;
  const char *message;
} Bad;

#define NEEDS_PRESSURE "; a pressure is needed, such as Pa, kPa, MPa, atm"
#define NEEDS_LENGTH "; a length is needed, such as m, cm, mm, in, ft"

static const Bad BAD[] = {
    {"", {1, 0, 0, 0}, "\"\" does not start with a number" NEEDS_LENGTH},
    {"   ", {1, 0, 0, 0}, "\"   \" does not start with a number" NEEDS_LENGTH},
    {"kPa", {-1, 1, -2, 0}, "\"kPa\" does not start with a number" NEEDS_PRESSURE},
    {"inf", {1, 0, 0, 0}, "\"inf\" does not start with a number" NEEDS_LENGTH},
    {"nan m", {1, 0, 0, 0}, "\"nan m\" does not start with a number" NEEDS_LENGTH},
    {"- 3 m", {1, 0, 0, 0}, "\"- 3 m\" does not start with a number" NEEDS_LENGTH},
    {".", {1, 0, 0, 0}, "\".\" does not start with a number" NEEDS_LENGTH},
    {"0x10 m", {1, 0, 0, 0}, "\"0x10 m\" has no known unit: \"x\"" NEEDS_LENGTH},
    {"1e999", {1, 0, 0, 0}, "\"1e999\" is too large" NEEDS_LENGTH},
    {"1e308 km", {1, 0, 0, 0}, "\"1e308 km\" is too large" NEEDS_LENGTH},
    {"600 kPaa", {-1, 1, -2, 0}, "\"600 kPaa\" has no known unit: \"kPaa\"" NEEDS_PRESSURE},
    {"600 kg", {-1, 1, -2, 0}, "\"600 kg\" is a mass" NEEDS_PRESSURE},
    {"600 m^5", {-1, 1, -2, 0}, "\"600 m^5\" is something else" NEEDS_PRESSURE},
    {"600 kPa,", {-1, 1, -2, 0}, "\"600 kPa,\" does not end in a unit" NEEDS_PRESSURE},
    {"600 kPa 3", {-1, 1, -2, 0}, "\"600 kPa 3\" does not end in a unit" NEEDS_PRESSURE},
    {"600 kPa/", {-1, 1, -2, 0}, "\"600 kPa/\" does not end in a unit" NEEDS_PRESSURE},
    {"600 (kPa", {-1, 1, -2, 0}, "\"600 (kPa\" does not end in a unit" NEEDS_PRESSURE},
    {"600 kPa)", {-1, 1, -2, 0}, "\"600 kPa)\" does not end in a unit" NEEDS_PRESSURE},
    {"3 m^", {1, 0, 0, 0}, "\"3 m^\" does not end in a unit" NEEDS_LENGTH},
    {"3 m^0", {1, 0, 0, 0}, "\"3 m^0\" does not end in a unit" NEEDS_LENGTH},
    {"3 m^12", {1, 0, 0, 0}, "\"3 m^12\" does not end in a unit" NEEDS_LENGTH},
    {"3 (((((m)))))", {1, 0, 0, 0}, "\"3 (((((m)))))\" does not end in a unit" NEEDS_LENGTH},
    {"3 (((m^9)^9)^9)", {1, 0, 0, 0}, "\"3 (((m^9)^9)^9)\" has too large an exponent" NEEDS_LENGTH},
    {"3 inch",
     {1, 0, 0, 0},
     "\"3 inch\" has no known unit: \"inch\" (did you mean \"in\"?)" NEEDS_LENGTH},
    {"3 Inches",
     {1, 0, 0, 0},
     "\"3 Inches\" has no known unit: \"Inches\" (did you mean \"in\"?)" NEEDS_LENGTH},
    {"2 kPascals", {-1, 1, -2, 0}, "\"2 kPascals\" has no known unit: \"kPascals\"" NEEDS_PRESSURE},
    {"9 pascals",
     {-1, 1, -2, 0},
     "\"9 pascals\" has no known unit: \"pascals\" (did you mean \"Pa\"?)" NEEDS_PRESSURE},
    {"3 kft", {1, 0, 0, 0}, "\"3 kft\" has no known unit: \"kft\"" NEEDS_LENGTH},
    {"3 M", {1, 0, 0, 0}, "\"3 M\" has no known unit: \"M\"" NEEDS_LENGTH},
    {"50 Hz",
     {0, 0, -1, 1},
     "\"50 Hz\" is a rate; an angular velocity is needed, such as rad/s, deg/s, turn/s, rpm"},
    {"3 m", {0, 0, 0, 0}, "\"3 m\" is a length; a plain number is needed, such as 0.5 or \"50 %\""},
};

static void test_refusals(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    double value = 42;
    StError error = {0};
    StStatus status = st_quantity_parse(BAD[i].text, BAD[i].dimension, &value, &error);
    if (status != ST_BAD_INPUT)
      fail_msg("%s: was taken as %g", BAD[i].text, value);
    assert_string_equal(error.text, BAD[i].message);
    assert_true(value == 42);
  }
}

static void test_names(void **state) {
  (void)state;
  assert_string_equal(st_dimension_unit(ST_PRESSURE), "Pa");
  assert_string_equal(st_dimension_unit(ST_DENSITY), "kg/m^3");
  assert_string_equal(st_dimension_unit(ST_SPIN), "rad/s");
  assert_string_equal(st_dimension_unit(ST_PURE), "");
  assert_string_equal(st_dimension_name(ST_COMPRESSIBILITY), "a compressibility");
  assert_string_equal(st_dimension_unit((StDimension){7, 0, 0, 0}), "SI units");
  assert_true(st_dimension_equal(ST_SPEED, (StDimension){1, 0, -1, 0}));
  assert_false(st_dimension_equal(ST_RATE, ST_SPIN));
}

static double parsed(const char *text, StDimension dimension) {
  double value;
  return st_quantity_parse(text, dimension, &value, NULL) == ST_OK ? value : NAN;
}

// Units suggested in a message must be accepted.
static void test_proposals(void **state) {
  (void)state;
  const StDimension all[] = {
      ST_LENGTH_DIMENSION,
      ST_AREA,
      ST_VOLUME,
      ST_MASS,
      ST_TIME,
      ST_RATE,
      ST_ANGLE,
      ST_SPIN,
      ST_SPEED,
      ST_ACCELERATION,
      ST_FORCE_DIMENSION,
      ST_ENERGY,
      ST_PRESSURE,
      ST_DENSITY,
      ST_AREA_DENSITY,
      ST_TENSION,
      ST_COMPRESSIBILITY,
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    char list[200], text[100];
    snprintf(list, sizeof list, "%s, %s", st_dimension_examples(all[i]), st_dimension_unit(all[i]));
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
      snprintf(text, sizeof text, "3 %s", word);
      if (!(parsed(text, all[i]) > 0))
        fail_msg("%s is proposed and refused", word);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_proposals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
