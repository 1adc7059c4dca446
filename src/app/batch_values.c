// Parses lists of values.
#include "app/batch_values.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static StStatus add_value(StVaried *varied, const char *text, size_t length, StError *error) {
  while (length > 0 && text[0] == ' ')
    text++, length--;
  while (length > 0 && text[length - 1] == ' ')
    length--;
  if (length == 0)
    return st_fail(error, ST_BAD_INPUT, "--vary %s: a value is missing", varied->key);
  char **grown = realloc(varied->value, ((size_t)varied->count + 1) * sizeof *grown);
  ST_TRY_MEMORY(grown, error);
  varied->value = grown;
  ST_TRY_MEMORY(grown[varied->count] = strndup(text, length), error);
  varied->count++;
  return ST_OK;
}

// The next comma that separates values, or the end.
static const char *value_end(const char *text) {
  int depth = 0;
  bool quoted = false;
  for (; *text; text++) {
    quoted ^= *text == '"';
    depth += !quoted && (*text == '[' || *text == '{');
    depth -= !quoted && (*text == ']' || *text == '}');
    if (*text == ',' && !quoted && depth == 0)
      break;
  }
  return text;
}

// "1:3:5 MPa". *is_range is false for anything else.
static StStatus add_range(StVaried *varied, const char *text, bool *is_range, StError *error) {
  double low, high;
  int count, used = 0;
  *is_range = sscanf(text, "%lf:%lf:%d%n", &low, &high, &count, &used) == 3;
  if (!*is_range)
    return ST_OK;
  const char *unit = text + used + strspn(text + used, " ");
  if (count < 2 || count > ST_BATCH_RUNS)
    return st_fail(error, ST_BAD_INPUT,
                   "--vary %s: the third number says how many values there are, at least 2",
                   varied->key);
  for (int i = 0; i < count; i++) {
    char value[128];
    double at = low + (high - low) * i / (count - 1);
    snprintf(value, sizeof value, "%.12g%s%.60s", at, *unit ? " " : "", unit);
    ST_TRY(add_value(varied, value, strlen(value), error));
  }
  return ST_OK;
}

StStatus st_batch_values_add(StBatchValues *values, const char *text, StError *error) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return st_fail(error, ST_BAD_INPUT, "--vary %s: must be KEY=VALUE,VALUE or KEY=LOW:HIGH:COUNT",
                   text);
  if (values->key_count == ST_BATCH_KEYS)
    return st_fail(error, ST_BAD_INPUT, "at most %d keys can be varied", ST_BATCH_KEYS);
  StVaried *varied = &values->varied[values->key_count++];
  ST_TRY_MEMORY(varied->key = strndup(text, (size_t)(equals - text)), error);
  bool range;
  ST_TRY(add_range(varied, equals + 1, &range, error));
  for (const char *at = equals + 1; !range;) {
    const char *end = value_end(at);
    ST_TRY(add_value(varied, at, (size_t)(end - at), error));
    if (!*end)
      break;
    at = end + 1;
  }
  return ST_OK;
}

StStatus st_batch_values_finish(StBatchValues *values, bool together, StError *error) {
  values->together = together;
  double runs = together ? values->varied[0].count : 1;
  for (int k = 0; k < values->key_count; k++) {
    if (together && values->varied[k].count != values->varied[0].count)
      return st_fail(error, ST_BAD_INPUT,
                     "--together: %s has %d values and %s has %d; they must have the same number",
                     values->varied[0].key, values->varied[0].count, values->varied[k].key,
                     values->varied[k].count);
    runs *= together ? 1 : values->varied[k].count;
  }
  if (runs > ST_BATCH_RUNS)
    return st_fail(error, ST_BAD_INPUT, "these are %.0f runs; at most %d are possible", runs,
                   ST_BATCH_RUNS);
  values->run_count = (int)runs;
  return ST_OK;
}

void st_batch_values_free(StBatchValues *values) {
  for (int k = 0; k < values->key_count; k++) {
    for (int i = 0; i < values->varied[k].count; i++)
      free(values->varied[k].value[i]);
    free(values->varied[k].value);
    free(values->varied[k].key);
  }
  *values = (StBatchValues){0};
}

int st_batch_values_index(const StBatchValues *values, int run, int key) {
  if (values->together)
    return run;
  for (int k = values->key_count - 1; k > key; k--)
    run /= values->varied[k].count;
  return run % values->varied[key].count;
}

const char *st_batch_value(const StBatchValues *values, int run, int key) {
  return values->varied[key].value[st_batch_values_index(values, run, key)];
}

// The end of the number at the start of a text, before its unit; NULL: not a number.
static const char *unit_of(const char *text, double *number) {
  char *rest;
  *number = strtod(text, &rest);
  return rest == text ? NULL : rest + strspn(rest, " ");
}

// Any unit is accepted: the scene has checked it.
static bool parse_number(const char *text, double *number) {
  const char *unit = unit_of(text, number);
  if (!unit || !*unit)
    return unit != NULL;
  double factor = 1;
  StDimension dimension;
  int length = st_unit_word(unit);
  if (length == 0 || unit[length] || !st_unit_find(unit, length, &factor, &dimension))
    return false;
  *number *= factor;
  return true;
}

const char *st_batch_unit(const StBatchValues *values, int key) {
  const StVaried *varied = &values->varied[key];
  double number;
  const char *first = unit_of(varied->value[0], &number);
  for (int i = 1; i < varied->count && first; i++) {
    const char *unit = unit_of(varied->value[i], &number);
    if (!unit || strcmp(unit, first) != 0)
      return NULL;
  }
  return first;
}

double st_batch_number(const StBatchValues *values, int key, int index) {
  const StVaried *varied = &values->varied[key];
  double number = 0;
  if (st_batch_unit(values, key)) {
    unit_of(varied->value[index], &number);
    return number;
  }
  for (int i = 0; i < varied->count; i++) // if one is not a number, none is
    if (!parse_number(varied->value[i], &number))
      return index + 1;
  parse_number(varied->value[index], &number);
  return number;
}
