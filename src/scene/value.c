// Single values: quantities, vectors, directions, words; errors say what would be right.
#include "scene/reader.h"

#include "math/vec3.h"
#include "scene/suggest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *unit_of(const StParam *param) {
  return param->kind == ST_REAL ? st_dimension_unit(param->dimension) : "";
}

// "more than 0 Pa and at most 5 Pa"
static void describe_range(const StParam *param, char *text, size_t size) {
  const char *unit = unit_of(param), *space = *unit ? " " : "";
  char low[80] = "", high[80] = "";
  if (isfinite(param->min))
    snprintf(low, sizeof low, "%s %g%s%s", param->min_open ? "more than" : "at least", param->min,
             space, unit);
  if (isfinite(param->max))
    snprintf(high, sizeof high, "%s %g%s%s", param->max_open ? "less than" : "at most", param->max,
             space, unit);
  snprintf(text, size, "%s%s%s", low, *low && *high ? " and " : "", high);
}

static StStatus check_range(const StReader *reader, const StJson *at, const StParam *param,
                            double value) {
  if (st_param_allows(param, value))
    return ST_OK;
  char range[200];
  describe_range(param, range, sizeof range);
  const char *unit = unit_of(param);
  return st_reader_fail(reader, at, "must be %s, is %g%s%s", range, value, *unit ? " " : "", unit);
}

// "a pressure (a number in Pa, or a text such as "3 kPa")"
static StStatus fail_not_quantity(const StReader *reader, const StJson *at, StDimension dimension) {
  const char *name = st_dimension_name(dimension), *unit = st_dimension_unit(dimension);
  const char *found = st_json_kind_name(at->kind);
  if (*unit == 0)
    return st_reader_fail(reader, at, "must be %s, is %s", name, found);
  return st_reader_fail(reader, at,
                        "must be %s: a number in %s or a string with a unit (%s), is %s", name,
                        unit, st_dimension_examples(dimension), found);
}

static StStatus read_quantity(const StReader *reader, const StJson *at, const StParam *param,
                              double *value) {
  if (at->kind == ST_JSON_NUMBER) {
    *value = at->number;
  } else if (at->kind == ST_JSON_STRING) {
    StStatus status = st_quantity_parse(at->text, param->dimension, value, reader->error);
    if (status != ST_OK)
      return st_reader_prefix(reader, at, status);
  } else {
    return fail_not_quantity(reader, at, param->dimension);
  }
  return check_range(reader, at, param, *value);
}

static StStatus read_integer(const StReader *reader, const StJson *at, const StParam *param,
                             double *value) {
  ST_TRY(st_reader_expect(reader, at, ST_JSON_NUMBER, "a whole number"));
  if (at->number != floor(at->number) || fabs(at->number) > INT_MAX)
    return st_reader_fail(reader, at, "must be a whole number, is %g", at->number);
  *value = at->number;
  return check_range(reader, at, param, *value);
}

// The index-th word that a key knows; NULL past the end.
static const char *word_at(const StParam *param, StVariantAt *variant_at, int index) {
  StVariant variant;
  if (variant_at)
    return variant_at(index, &variant) ? variant.name : NULL;
  return param->word ? param->word[index] : NULL;
}

static StStatus read_word(const StReader *reader, const StJson *at, const StParam *param,
                          StVariantAt *variant_at, int *index) {
  StSuggestion known = {.wanted = at->kind == ST_JSON_STRING ? at->text : ""};
  const char *word;
  for (int i = 0; (word = word_at(param, variant_at, i)); i++) {
    if (at->kind == ST_JSON_STRING && strcmp(word, at->text) == 0) {
      *index = i;
      st_suggestion_free(&known);
      return ST_OK;
    }
    st_suggestion_add(&known, word);
  }
  StStatus status = at->kind == ST_JSON_STRING
                        ? st_reader_fail(reader, at, "\"%.40s\" is not known; known: %s", at->text,
                                         st_suggestion_text(&known))
                        : st_reader_fail(reader, at, "must be one of the words %s; is %s",
                                         st_suggestion_text(&known), st_json_kind_name(at->kind));
  st_suggestion_free(&known);
  return status;
}

static StStatus read_scalar(StReader *reader, const StJson *at, const StParam *param,
                            StVariantAt *variant_at, double *value) {
  int index = 0;
  switch (param->kind) {
  case ST_REAL: return read_quantity(reader, at, param, value);
  case ST_INTEGER: return read_integer(reader, at, param, value);
  case ST_BOOLEAN:
    ST_TRY(st_reader_expect(reader, at, ST_JSON_BOOLEAN, "true or false"));
    *value = at->truth;
    return ST_OK;
  case ST_WORD:
    ST_TRY(read_word(reader, at, param, variant_at, &index));
    *value = index;
    return ST_OK;
  }
  return ST_OK;
}

StStatus st_reader_param(StReader *reader, const StJson *at, const StParam *param, double *value) {
  return read_scalar(reader, at, param, NULL, value);
}

static StStatus read_vector(const StReader *reader, const StJson *at, const StKey *key,
                            double *value) {
  bool scalar = key->scalar_too && (at->kind == ST_JSON_NUMBER || at->kind == ST_JSON_STRING);
  if (scalar) {
    double length;
    ST_TRY(read_quantity(reader, at, &key->param, &length));
    for (int i = 0; i < 3; i++)
      value[i] = key->along[i] != 0 ? length * key->along[i] : 0;
    return ST_OK;
  }
  const char *what =
      key->scalar_too ? "a list of three values, or a single one" : "a list of three values";
  if (at->kind != ST_JSON_NUMBERS)
    ST_TRY(st_reader_expect(reader, at, ST_JSON_LIST, what));
  if (at->child_count != 3)
    return st_reader_fail(reader, at, "must be %s, has %d", what, at->child_count);
  int i = 0;
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_quantity(reader, item, &key->param, &value[i++]));
  return ST_OK;
}

static StStatus read_direction(StReader *reader, const StJson *at, double *value) {
  static const char *const WORDS[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
  static const StKey NUMBERS = {.param = {.name = "direction"}};
  if (at->kind == ST_JSON_STRING) {
    const StParam words = {.word = WORDS};
    int index = 0;
    ST_TRY(read_word(reader, at, &words, NULL, &index));
    vec3_set(0, 0, 0, value);
    value[index % 3] = index < 3 ? 1 : -1;
    return ST_OK;
  }
  ST_TRY(
      st_reader_expect(reader, at, ST_JSON_LIST, "a direction: three numbers, or \"x\", \"-z\" …"));
  double given[3];
  ST_TRY(read_vector(reader, at, &NUMBERS, given));
  // Scaled by the largest first: squares of huge or tiny numbers would over- or underflow.
  double largest = fmax(fabs(given[0]), fmax(fabs(given[1]), fabs(given[2])));
  if (largest == 0)
    return st_reader_fail(reader, at, "a direction must not be zero");
  for (int i = 0; i < 3; i++)
    given[i] /= largest;
  double length = vec3_length(given);
  for (int i = 0; i < 3; i++)
    value[i] = given[i] / length;
  return ST_OK;
}

void st_reader_store(const StParam *param, double value, void *into) {
  if (param->kind == ST_REAL)
    *(double *)into = value;
  else if (param->kind == ST_BOOLEAN)
    *(bool *)into = value != 0;
  else
    *(int *)into = (int)value;
}

static StStatus expect_text(const StReader *reader, const StJson *at, const char *what) {
  ST_TRY(st_reader_expect(reader, at, ST_JSON_STRING, what));
  return at->text[0] ? ST_OK : st_reader_fail(reader, at, "must not be empty");
}

static StStatus expect_path(const StReader *reader, const StJson *at, const StKey *key) {
  bool numbers = at->kind == ST_JSON_LIST || at->kind == ST_JSON_NUMBERS;
  if ((key->table && at->kind == ST_JSON_OBJECT) || (key->numbers_too && numbers))
    return ST_OK;
  return expect_text(reader, at,
                     key->table         ? "the name of a file (a string) or a mesh (an object)"
                     : key->numbers_too ? "the name of a file (a string) or a list of numbers"
                                        : "the name of a file (a string)");
}

static StStatus expect_numbers(const StReader *reader, const StJson *at) {
  return at->kind == ST_JSON_NUMBERS
             ? ST_OK
             : st_reader_expect(reader, at, ST_JSON_LIST, "a list of numbers");
}

static StStatus expect_labels(const StReader *reader, const StJson *at) {
  ST_TRY(st_reader_expect(reader, at, ST_JSON_LIST, "a list of names"));
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(expect_text(reader, item, "a name (a string)"));
  return ST_OK;
}

static StStatus expect_names(const StReader *reader, const StJson *at) {
  if (at->kind == ST_JSON_STRING)
    return ST_OK;
  ST_TRY(st_reader_expect(reader, at, ST_JSON_LIST, "a name or a list of names"));
  return at->child_count ? ST_OK : st_reader_fail(reader, at, "an empty list chooses nothing");
}

static StStatus expect_objects(const StReader *reader, const StJson *at, const StKey *key) {
  int index;
  if (at->kind == ST_JSON_STRING && key->param.word)
    return read_word(reader, at, &key->param, NULL, &index);
  if (at->kind == ST_JSON_LIST)
    return at->child_count ? ST_OK : st_reader_fail(reader, at, "an empty list says nothing");
  return st_reader_expect(reader, at, ST_JSON_OBJECT, "an object or a list of objects");
}

static StStatus expect_curve(const StReader *reader, const StJson *at, const StKey *key) {
  double value;
  bool formula = at->kind == ST_JSON_STRING && st_expression_is_formula(at->text);
  if (at->kind == ST_JSON_LIST)
    return at->child_count ? ST_OK : st_reader_fail(reader, at, "at least one key is needed");
  if (at->kind == ST_JSON_OBJECT || formula)
    return ST_OK; // checked where it is read
  return read_quantity(reader, at, &key->param, &value);
}

static StStatus expect_quantity(const StReader *reader, const StJson *at, const StKey *key) {
  if (at->kind == ST_JSON_NUMBER || at->kind == ST_JSON_STRING)
    return ST_OK;
  return st_reader_fail(reader, at, "must be a number or a string with a unit (%s), is %s",
                        key->units, st_json_kind_name(at->kind));
}

// Kinds that are kept as nodes: only their outer form is checked here.
static StStatus expect_form(const StReader *reader, const StJson *at, const StKey *key) {
  switch (key->kind) {
  case ST_KEY_QUANTITY: return expect_quantity(reader, at, key);
  case ST_KEY_CURVE:
  case ST_KEY_CURVES: return expect_curve(reader, at, key);
  case ST_KEY_TEXT: return st_reader_expect(reader, at, ST_JSON_STRING, "a string");
  case ST_KEY_PATH: return expect_path(reader, at, key);
  case ST_KEY_NUMBERS: return expect_numbers(reader, at);
  case ST_KEY_LABELS: return expect_labels(reader, at);
  case ST_KEY_NAME: return st_reader_expect(reader, at, ST_JSON_STRING, "a name (a string)");
  case ST_KEY_NAMES: return expect_names(reader, at);
  case ST_KEY_OBJECTS: return expect_objects(reader, at, key);
  case ST_KEY_LIST: return st_reader_expect(reader, at, ST_JSON_LIST, "a list of objects");
  case ST_KEY_NAME_MAP:
    return st_reader_expect(reader, at, ST_JSON_OBJECT,
                            "an object of the form {\"label\": \"name\"}");
  case ST_KEY_NUMBER_MAP:
    return st_reader_expect(reader, at, ST_JSON_OBJECT, "an object of the form {\"name\": number}");
  case ST_KEY_MAP:
    return st_reader_expect(reader, at, ST_JSON_OBJECT, "an object of the form {\"name\": {…}}");
  case ST_KEY_OBJECT: return st_reader_expect(reader, at, ST_JSON_OBJECT, "an object");
  default: return ST_OK;
  }
}

StStatus st_reader_value(StReader *reader, const StJson *at, const StKey *key, void *into) {
  double value = 0;
  switch (key->kind) {
  case ST_KEY_SCALAR:
    ST_TRY(read_scalar(reader, at, &key->param, key->variant, &value));
    st_reader_store(&key->param, value, into);
    return ST_OK;
  case ST_KEY_VECTOR: return read_vector(reader, at, key, into);
  case ST_KEY_DIRECTION: return read_direction(reader, at, into);
  default:
    ST_TRY(expect_form(reader, at, key));
    *(const StJson **)into = at;
    return ST_OK;
  }
}
