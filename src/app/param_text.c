// Parameters from and to text.
#include "app/param_text.h"

#include "app/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static StStatus parse_word(const char *text, const StParam *param, double *value, StError *error) {
  int count = 0;
  for (; param->word[count]; count++)
    if (strcmp(param->word[count], text) == 0) {
      *value = count;
      return ST_OK;
    }
  const char *nearest = st_nearest_name(text, param->word, count);
  return st_fail(error, ST_BAD_INPUT, "there is no '%s'; %s '%s'?", text,
                 nearest ? "did you mean" : "how about", nearest ? nearest : param->word[0]);
}

static StStatus parse_integer(const char *text, double *value, StError *error) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (end == text || *end || errno)
    return st_fail(error, ST_BAD_INPUT, "'%s' is not a whole number", text);
  *value = (double)number;
  return ST_OK;
}

StStatus st_param_parse(const char *text, const StParam *param, double *value, StError *error) {
  switch (param->kind) {
  case ST_REAL: return st_quantity_parse(text, param->dimension, value, error);
  case ST_INTEGER: return parse_integer(text, value, error);
  case ST_WORD: return parse_word(text, param, value, error);
  case ST_BOOLEAN: break;
  }
  *value = strcmp(text, "true") == 0;
  if (*value == 0 && strcmp(text, "false") != 0)
    return st_fail(error, ST_BAD_INPUT, "'%s' is neither true nor false", text);
  return ST_OK;
}

enum { LINE_WIDTH = 96 };

static void add_range(StText *out, const StParam *param) {
  bool below = isfinite(param->min), above = isfinite(param->max);
  if (param->kind == ST_BOOLEAN) {
    st_text_add(out, "true or false");
  } else if (param->word) {
    for (int i = 0; param->word[i]; i++)
      st_text_add(out, "%s%s", i ? " | " : "", param->word[i]);
  } else if (param->min < param->max && (below || above)) {
    if (below)
      st_text_add(out, "%s %g", param->min_open ? ">" : ">=", param->min);
    if (above)
      st_text_add(out, "%s%s %g", below ? ", " : "", param->max_open ? "<" : "<=", param->max);
  } else {
    st_text_add(out, "any");
  }
}

static void add_default(StText *out, const StParam *param) {
  const char *unit = st_dimension_unit(param->dimension);
  if (st_param_required(param))
    st_text_add(out, "-%s%s", *unit ? " " : "", unit);
  else if (param->kind == ST_BOOLEAN)
    st_text_add(out, "%s", param->fallback != 0 ? "true" : "false");
  else if (param->word)
    st_text_add(out, "%s", param->word[(int)param->fallback]);
  else if (isinf(param->fallback))
    st_text_add(out, "auto%s%s", *unit ? ", " : "", unit);
  else
    st_text_add(out, "%g%s%s", param->fallback, *unit ? " " : "", unit);
}

static void pad(StText *out, size_t line_start, size_t column) {
  do
    st_text_add(out, " ");
  while (!out->failed && out->length - line_start < column);
}

// Columns a word takes: bytes that start a character.
static int word_width(const char *word, size_t length) {
  int width = 0;
  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)word[i] & 0xC0) != 0x80;
  return width;
}

void st_text_wrap(StText *out, int indent, const char *sentence) {
  int column = 0;
  while (sentence && *sentence) {
    size_t length = strcspn(sentence, " ");
    int width = word_width(sentence, length);
    bool fits = column > 0 && column + 1 + width <= LINE_WIDTH;
    if (fits)
      st_text_add(out, " ");
    else
      st_text_add(out, "%s%*s", column > 0 ? "\n" : "", indent, "");
    column = fits ? column + 1 + width : indent + width;
    st_text_add_bytes(out, sentence, length);
    sentence += length + strspn(sentence + length, " ");
  }
  st_text_add(out, "\n");
}

void st_param_describe(StText *out, const StParam *param, const char *otherwise) {
  size_t start = out->length;
  st_text_add(out, "    %s", param->name);
  pad(out, start, 28);
  add_default(out, param);
  pad(out, start, 44);
  add_range(out, param);
  st_text_add(out, "\n");
  st_text_wrap(out, 8, param->doc);
  if (st_param_required(param) && otherwise) {
    StText line = {0};
    st_text_add(&line, "Default: %s", otherwise);
    st_text_wrap(out, 8, line.failed ? otherwise : line.data);
    st_text_free(&line);
  }
}
