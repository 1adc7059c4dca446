// Writing and finding JSON values.
#include "output/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char short_escape(char c) {
  switch (c) {
  case '"': return '"';
  case '\\': return '\\';
  case '\n': return 'n';
  case '\t': return 't';
  case '\r': return 'r';
  default: return 0;
  }
}

void st_json_text_add_string(StText *text, const char *value) {
  if (!value) {
    st_text_add(text, "null");
    return;
  }
  st_text_add_bytes(text, "\"", 1);
  for (const char *c = value; *c; c++) {
    char letter = short_escape(*c);
    if (letter)
      st_text_add(text, "\\%c", letter);
    else if ((unsigned char)*c < 0x20 || *c == 0x7f)
      st_text_add(text, "\\u%04x", (unsigned char)*c);
    else
      st_text_add_bytes(text, c, 1);
  }
  st_text_add_bytes(text, "\"", 1);
}

void st_json_text_add_number(StText *text, double value) {
  if (!isfinite(value)) {
    st_text_add(text, "null");
    return;
  }
  char digits[40];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  st_text_add(text, "%s", digits);
}

static const char *skip_blanks(const char *c) {
  return c + strspn(c, " \t\r\n");
}

bool st_json_text_accept(const char **cursor, char expected) {
  *cursor = skip_blanks(*cursor);
  if (**cursor != expected || !expected)
    return false;
  ++*cursor;
  return true;
}

// Behind the closing quote of the string that begins at c; the end of the text when it never
// closes.
static const char *skip_string(const char *c) {
  for (c++; *c && *c != '"'; c++)
    if (*c == '\\' && c[1])
      c++;
  return *c ? c + 1 : c;
}

static bool string_is(const char *begin, const char *end, const char *word) {
  size_t length = strlen(word);
  return end - begin == (ptrdiff_t)length + 2 && memcmp(begin + 1, word, length) == 0;
}

const char *st_json_text_find(const char *json, const char *key) {
  int depth = 0;
  for (const char *c = json; *c;) {
    if (*c == '"') {
      const char *end = skip_string(c);
      const char *after = skip_blanks(end);
      if (depth == 1 && *after == ':' && string_is(c, end, key))
        return skip_blanks(after + 1);
      c = end;
      continue;
    }
    if (*c == '{' || *c == '[')
      depth++;
    if (*c == '}' || *c == ']')
      depth--;
    c++;
  }
  return NULL;
}

// One character, which may be escaped, at *c; -1 for what st_json_text_add_string never writes.
static int read_character(const char **c) {
  if (**c != '\\')
    return (unsigned char)*(*c)++;
  char letter = (*c)[1];
  if (!letter)
    return -1;
  *c += 2;
  switch (letter) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  case '"':
  case '\\':
  case '/': return letter;
  case 'u': break;
  default: return -1;
  }
  char digits[5] = {0};
  strncpy(digits, *c, 4);
  char *end;
  long code = strtol(digits, &end, 16);
  if (end != digits + 4 || code <= 0 || code > 0x7f)
    return -1;
  *c += 4;
  return (int)code;
}

StStatus st_json_text_read_string(const char **cursor, char **value) {
  const char *c = skip_blanks(*cursor);
  if (*c != '"')
    return ST_BAD_INPUT;
  const char *end = skip_string(c);
  char *text = malloc((size_t)(end - c) + 1);
  if (!text)
    return ST_SYSTEM_FAULT;
  size_t length = 0;
  int character = 0;
  for (c++; *c && *c != '"' && character >= 0;) {
    character = read_character(&c);
    text[length++] = (char)character;
  }
  if (*c != '"' || character < 0) {
    free(text);
    return ST_BAD_INPUT;
  }
  text[length] = 0;
  *cursor = c + 1;
  *value = text;
  return ST_OK;
}
