// Parses quantities into SI: a number, then a product of units with exponents ("kg m/s^2",
// "1/atm").
#include "base/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Unit {
  const char *name;
  double factor; // to SI
  StDimension dimension;
  bool prefixed; // takes k, m, M …
} Unit;

#define PI 3.14159265358979323846

static const Unit UNITS[] = {
    {"m", 1, {1, 0, 0, 0}, true},
    {"in", 0.0254, {1, 0, 0, 0}, false},
    {"ft", 0.3048, {1, 0, 0, 0}, false},
    {"yd", 0.9144, {1, 0, 0, 0}, false},
    {"mi", 1609.344, {1, 0, 0, 0}, false},
    {"mile", 1609.344, {1, 0, 0, 0}, false},
    {"l", 1e-3, {3, 0, 0, 0}, true},
    {"L", 1e-3, {3, 0, 0, 0}, true},
    {"g", 1e-3, {0, 1, 0, 0}, true},
    {"t", 1e3, {0, 1, 0, 0}, false},
    {"lb", 0.45359237, {0, 1, 0, 0}, false},
    {"oz", 0.028349523125, {0, 1, 0, 0}, false},
    {"s", 1, {0, 0, 1, 0}, true},
    {"min", 60, {0, 0, 1, 0}, false},
    {"h", 3600, {0, 0, 1, 0}, false},
    {"Hz", 1, {0, 0, -1, 0}, true},
    {"N", 1, {1, 1, -2, 0}, true},
    {"lbf", 4.4482216152605, {1, 1, -2, 0}, false},
    {"J", 1, {2, 1, -2, 0}, true},
    {"W", 1, {2, 1, -3, 0}, true},
    {"Pa", 1, {-1, 1, -2, 0}, true},
    {"bar", 1e5, {-1, 1, -2, 0}, true},
    {"atm", 101325, {-1, 1, -2, 0}, false},
    {"psi", 6894.757293168361, {-1, 1, -2, 0}, false},
    {"rad", 1, {0, 0, 0, 1}, true},
    {"deg", PI / 180, {0, 0, 0, 1}, false},
    {"°", PI / 180, {0, 0, 0, 1}, false},
    {"turn", 2 * PI, {0, 0, 0, 1}, false},
    {"rev", 2 * PI, {0, 0, 0, 1}, false},
    {"rpm", 2 * PI / 60, {0, 0, -1, 1}, false},
    {"mph", 0.44704, {1, 0, -1, 0}, false},
    {"%", 0.01, {0, 0, 0, 0}, false},
};

typedef struct Prefix {
  const char *name;
  double factor;
} Prefix;

static const Prefix PREFIXES[] = {
    {"G", 1e9},  {"M", 1e6},       {"k", 1e3},       {"h", 1e2},  {"d", 1e-1}, {"c", 1e-2},
    {"m", 1e-3}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"u", 1e-6}, {"n", 1e-9},
};

// How messages name a dimension.
typedef struct Noun {
  StDimension dimension;
  const char *name;     // "a pressure"
  const char *unit;     // SI
  const char *examples; // what a user may write
} Noun;

static const Noun NOUNS[] = {
    {{0, 0, 0, 0}, "a plain number", "", "0.5 or \"50 %\""},
    {{1, 0, 0, 0}, "a length", "m", "m, cm, mm, in, ft"},
    {{2, 0, 0, 0}, "an area", "m^2", "m^2, cm^2, mm^2"},
    {{3, 0, 0, 0}, "a volume", "m^3", "m^3, cm^3, l"},
    {{-1, 0, 0, 0}, "an inverse length", "1/m", "1/m, 1/mm"},
    {{0, 1, 0, 0}, "a mass", "kg", "kg, g, t, lb"},
    {{0, 0, 1, 0}, "a time", "s", "s, ms, min, h"},
    {{0, 0, -1, 0}, "a rate", "1/s", "1/s, Hz, kHz"},
    {{0, 0, 0, 1}, "an angle", "rad", "rad, deg, turn"},
    {{0, 0, -1, 1}, "an angular velocity", "rad/s", "rad/s, deg/s, turn/s, rpm"},
    {{0, 0, -2, 1}, "an angular acceleration", "rad/s^2", "rad/s^2, rpm/s"},
    {{1, 0, -1, 0}, "a speed", "m/s", "m/s, mm/s, km/h, mph"},
    {{1, 0, -2, 0}, "an acceleration", "m/s^2", "m/s^2, mm/s^2, km/h/s"},
    {{1, 1, -1, 0}, "a momentum", "kg*m/s", "kg*m/s, N*s"},
    {{1, 1, -2, 0}, "a force", "N", "N, kN, mN, lbf"},
    {{2, 1, -2, 0}, "an energy or torque", "J", "J, kJ, N*m"},
    {{2, 1, -2, -1}, "a torsion stiffness", "N*m/rad", "N*m/rad, N*m/deg"},
    {{2, 1, -1, -1}, "a torsion damping", "N*m*s/rad", "N*m*s/rad, N*m*s/deg"},
    {{2, 1, -3, 0}, "a power", "W", "W, kW"},
    {{-1, 1, -2, 0}, "a pressure", "Pa", "Pa, kPa, MPa, atm"},
    {{-1, 1, -1, 0}, "a viscosity", "Pa*s", "Pa*s, mPa*s"},
    {{-3, 1, 0, 0}, "a density", "kg/m^3", "kg/m^3, g/cm^3"},
    {{-2, 1, 0, 0}, "an area density", "kg/m^2", "kg/m^2, g/m^2"},
    {{-1, 1, 0, 0}, "a line density", "kg/m", "kg/m, g/m"},
    {{0, 1, -2, 0}, "a tension", "N/m", "N/m, kN/m, N/mm"},
    {{0, 1, -1, 0}, "a damping rate", "kg/s", "kg/s, N*s/m"},
    {{-2, 1, -2, 0}, "a bedding stiffness", "Pa/m", "Pa/m, kPa/mm, N/m^3"},
    {{-2, 1, -1, 0}, "a damping rate per area", "Pa*s/m", "Pa*s/m, N*s/m^3"},
    {{1, -1, 2, 0}, "a compressibility", "1/Pa", "1/Pa, 1/atm, 1/MPa"},
};

enum { NOUN_COUNT = sizeof NOUNS / sizeof NOUNS[0] };

// The units of a text, read from left to right.
typedef struct Parser {
  const char *at;
  int depth;
  const char *unknown; // a word that is not a unit
  int unknown_length;
} Parser;

typedef struct Measure {
  double factor;
  int exponent[4];
} Measure;

bool st_dimension_equal(StDimension a, StDimension b) {
  return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad;
}

static const Noun *find_noun(StDimension dimension) {
  for (int i = 0; i < NOUN_COUNT; i++)
    if (st_dimension_equal(NOUNS[i].dimension, dimension))
      return &NOUNS[i];
  return NULL;
}

const char *st_dimension_unit(StDimension dimension) {
  const Noun *noun = find_noun(dimension);
  return noun ? noun->unit : "SI units";
}

const char *st_dimension_name(StDimension dimension) {
  const Noun *noun = find_noun(dimension);
  return noun ? noun->name : "a quantity in SI units";
}

const char *st_dimension_examples(StDimension dimension) {
  const Noun *noun = find_noun(dimension);
  return noun ? noun->examples : "products of m, kg, s and rad";
}

int st_unit_word(const char *text) {
  int length = 0;
  for (;;) {
    unsigned char c = (unsigned char)text[length];
    if (isalpha(c) || c == '%')
      length++;
    else if (!strncmp(text + length, "°", 2) || !strncmp(text + length, "\u00b5", 2) ||
             !strncmp(text + length, "\u03bc", 2))
      length += 2;
    else
      return length;
  }
}

static const Unit *find_unit(const char *word, int length) {
  for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
    if ((int)strlen(UNITS[i].name) == length && !memcmp(UNITS[i].name, word, (size_t)length))
      return &UNITS[i];
  return NULL;
}

// Plain names win over prefixed ones: "min" is a minute, not a milli-inch.
static const Unit *find_with_prefix(const char *word, int length, double *prefix) {
  *prefix = 1;
  const Unit *unit = find_unit(word, length);
  for (size_t i = 0; !unit && i < sizeof PREFIXES / sizeof PREFIXES[0]; i++) {
    int size = (int)strlen(PREFIXES[i].name);
    if (size >= length || memcmp(word, PREFIXES[i].name, (size_t)size) != 0)
      continue;
    unit = find_unit(word + size, length - size);
    *prefix = PREFIXES[i].factor;
    if (unit && !unit->prefixed)
      unit = NULL;
  }
  return unit;
}

bool st_unit_find(const char *word, int length, double *factor, StDimension *dimension) {
  double prefix;
  const Unit *unit = length ? find_with_prefix(word, length, &prefix) : NULL;
  if (!unit)
    return false;
  *factor = prefix * unit->factor;
  *dimension = unit->dimension;
  return true;
}

static void skip_space(Parser *parser) {
  while (*parser->at == ' ' || *parser->at == '\t')
    parser->at++;
}

static bool accept(Parser *parser, const char *sign) {
  size_t length = strlen(sign);
  if (strncmp(parser->at, sign, length) != 0)
    return false;
  parser->at += length;
  return true;
}

// "^2", "^-2", "2", "²", "³" or nothing (1). One digit is enough. 0: invalid.
static int parse_exponent(Parser *parser) {
  if (accept(parser, "²"))
    return 2;
  if (accept(parser, "³"))
    return 3;
  bool caret = accept(parser, "^");
  int sign = caret && accept(parser, "-") ? -1 : 1;
  if (!isdigit((unsigned char)*parser->at))
    return caret ? 0 : 1;
  int value = *parser->at++ - '0';
  return isdigit((unsigned char)*parser->at) ? 0 : sign * value;
}

static void measure_multiply(Measure *left, const Measure *right, int power) {
  left->factor *= pow(right->factor, power);
  for (int i = 0; i < 4; i++)
    left->exponent[i] += power * right->exponent[i];
}

static bool parse_product(Parser *parser, Measure *measure);

static bool parse_group(Parser *parser, Measure *measure) {
  if (++parser->depth > 4)
    return false;
  if (!parse_product(parser, measure))
    return false;
  parser->depth--;
  skip_space(parser);
  return accept(parser, ")");
}

static bool parse_factor(Parser *parser, int sign, Measure *measure) {
  Measure one = {1, {0}};
  skip_space(parser);
  if (accept(parser, "(")) {
    if (!parse_group(parser, &one))
      return false;
  } else if (parser->at[0] == '1' && !isdigit((unsigned char)parser->at[1])) {
    parser->at++;
    return true;
  } else {
    int length = st_unit_word(parser->at);
    StDimension unit;
    if (!st_unit_find(parser->at, length, &one.factor, &unit)) {
      parser->unknown = parser->at;
      parser->unknown_length = length;
      return false;
    }
    one = (Measure){one.factor, {unit.m, unit.kg, unit.s, unit.rad}};
    parser->at += length;
  }
  int exponent = parse_exponent(parser);
  if (exponent == 0)
    return false;
  measure_multiply(measure, &one, sign * exponent);
  return true;
}

static bool parse_product(Parser *parser, Measure *measure) {
  skip_space(parser);
  bool more =
      accept(parser, "/") ? parse_factor(parser, -1, measure) : parse_factor(parser, 1, measure);
  while (more) {
    skip_space(parser);
    if (!*parser->at || *parser->at == ')')
      return true;
    bool divide = accept(parser, "/");
    if (!divide && !accept(parser, "*"))
      accept(parser, "·"); // a space alone also multiplies
    more = parse_factor(parser, divide ? -1 : 1, measure);
  }
  return false;
}

// strtod alone would accept "inf" and "0x1p3".
const char *st_number_end(const char *text) {
  const char *at = text + (*text == '-' || *text == '+');
  const char *digits = at;
  while (isdigit((unsigned char)*at))
    at++;
  size_t count = (size_t)(at - digits);
  if (*at == '.') {
    const char *fraction = ++at;
    while (isdigit((unsigned char)*at))
      at++;
    count += (size_t)(at - fraction);
  }
  if (count == 0)
    return NULL;
  if (*at == 'e' || *at == 'E') {
    const char *power = at + 1 + (at[1] == '-' || at[1] == '+');
    if (isdigit((unsigned char)*power)) {
      while (isdigit((unsigned char)*power))
        power++;
      at = power;
    }
  }
  return at;
}

static StStatus fail_needed(StError *error, const char *text, StDimension dimension,
                            const char *what) {
  return st_fail(error, ST_BAD_INPUT, "\"%.60s\" %s; %s is needed, such as %s", text, what,
                 st_dimension_name(dimension), st_dimension_examples(dimension));
}

// Words that people write for a unit, in the singular.
static const struct {
  const char *word, *unit;
} WORDS[] = {
    {"inch", "in"},        {"foot", "ft"},       {"feet", "ft"},       {"yard", "yd"},
    {"meter", "m"},        {"metre", "m"},       {"millimeter", "mm"}, {"millimetre", "mm"},
    {"centimeter", "cm"},  {"centimetre", "cm"}, {"kilometer", "km"},  {"kilometre", "km"},
    {"liter", "l"},        {"litre", "l"},       {"gram", "g"},        {"kilogram", "kg"},
    {"kilo", "kg"},        {"ton", "t"},         {"tonne", "t"},       {"pound", "lb"},
    {"lb", "lb"},          {"ounce", "oz"},      {"second", "s"},      {"sec", "s"},
    {"millisecond", "ms"}, {"minute", "min"},    {"hour", "h"},        {"hr", "h"},
    {"hertz", "Hz"},       {"newton", "N"},      {"joule", "J"},       {"watt", "W"},
    {"pascal", "Pa"},      {"radian", "rad"},    {"degree", "deg"},    {"revolution", "turn"},
    {"cc", "cm^3"},        {"percent", "%"},     {"kph", "km/h"},      {"kmh", "km/h"},
    {"fps", "Hz"},         {"micron", "um"},
};

// "in" for "inch", "Inches" …; NULL: none is known.
static const char *meant_unit(const char *word, int length) {
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
    int known = (int)strlen(WORDS[i].word), rest = length - known;
    if (rest < 0 || strncasecmp(WORDS[i].word, word, (size_t)known) != 0)
      continue;
    if (rest == 0 || strncasecmp(word + known, "s", (size_t)rest) == 0 ||
        (rest == 2 && strncasecmp(word + known, "es", 2) == 0))
      return WORDS[i].unit;
  }
  return NULL;
}

static StStatus fail_unit(StError *error, const char *text, const Parser *parser,
                          StDimension dimension) {
  char what[96];
  int length = parser->unknown ? parser->unknown_length : 0;
  const char *meant = length > 0 ? meant_unit(parser->unknown, length) : NULL;
  if (length > 0)
    snprintf(what, sizeof what, "has no known unit: \"%.*s\"%s%s%s", length < 30 ? length : 30,
             parser->unknown, meant ? " (did you mean \"" : "", meant ? meant : "",
             meant ? "\"?)" : "");
  else
    snprintf(what, sizeof what, "does not end in a unit");
  return fail_needed(error, text, dimension, what);
}

static bool measure_dimension(const Measure *measure, StDimension *dimension) {
  for (int i = 0; i < 4; i++)
    if (abs(measure->exponent[i]) > 100)
      return false;
  *dimension = (StDimension){(signed char)measure->exponent[0], (signed char)measure->exponent[1],
                             (signed char)measure->exponent[2], (signed char)measure->exponent[3]};
  return true;
}

static StStatus fail_dimension(StError *error, const char *text, StDimension found,
                               StDimension needed) {
  char what[80];
  const Noun *noun = find_noun(found);
  snprintf(what, sizeof what, "is %s", noun ? noun->name : "something else");
  return fail_needed(error, text, needed, what);
}

bool st_unit_dimension(const char *unit, StDimension *dimension) {
  Parser parser = {.at = unit};
  Measure measure = {1, {0}};
  bool read = !*unit || (parse_product(&parser, &measure) && !*parser.at);
  return read && measure_dimension(&measure, dimension);
}

// "Per radian" may be left out, as in tables of springs.
static bool suits(StDimension found, StDimension needed) {
  if (needed.rad < 0 && found.rad == 0)
    found.rad = needed.rad;
  return st_dimension_equal(found, needed);
}

StStatus st_quantity_parse(const char *text, StDimension dimension, double *value, StError *error) {
  Parser parser = {.at = text};
  skip_space(&parser);
  const char *end = st_number_end(parser.at);
  if (!end)
    return fail_needed(error, text, dimension, "does not start with a number");
  double number = strtod(parser.at, NULL);
  parser.at = end;
  skip_space(&parser);
  Measure measure = {1, {0}};
  bool bare = *parser.at == 0;
  if (!bare && (!parse_product(&parser, &measure) || *parser.at))
    return fail_unit(error, text, &parser, dimension);
  StDimension found;
  if (!measure_dimension(&measure, &found))
    return fail_needed(error, text, dimension, "has too large an exponent");
  if (!bare && !suits(found, dimension))
    return fail_dimension(error, text, found, dimension);
  double result = number * measure.factor;
  if (!isfinite(result))
    return fail_needed(error, text, dimension, "is too large");
  *value = result;
  return ST_OK;
}
