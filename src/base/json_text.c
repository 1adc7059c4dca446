// Writing JSON values.
#include "base/json_text.h"

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
  size_t left = strlen(value);
  for (const char *c = value; left > 0;) {
    size_t length = st_utf8_length(c, left);
    char letter = short_escape(*c);
    if (letter)
      st_text_add(text, "\\%c", letter);
    else if (length == 0) // a byte that is not valid text, as file names may contain
      st_text_add(text, "\\udc%02x", (unsigned char)*c);
    else if ((unsigned char)*c < 0x20 || *c == 0x7f)
      st_text_add(text, "\\u%04x", (unsigned char)*c);
    else
      st_text_add_bytes(text, c, length);
    length += length == 0;
    c += length;
    left -= length;
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

StJsonOut st_json_begin(StText *text, char opening, int indent) {
  st_text_add_bytes(text, &opening, 1);
  return (StJsonOut){.text = text, .indent = indent, .end = opening == '{' ? '}' : ']'};
}

void st_json_end(StJsonOut *out) {
  if (out->any && out->indent >= 0)
    st_text_add(out->text, "\n%*s", out->indent - 2, "");
  else if (out->any && out->end == '}')
    st_text_add(out->text, " ");
  st_text_add_bytes(out->text, &out->end, 1);
}

void st_json_key(StJsonOut *out, const char *key) {
  st_text_add(out->text, out->any ? "," : "");
  if (out->indent >= 0)
    st_text_add(out->text, "\n%*s", out->indent, "");
  else if (out->any || out->end == '}')
    st_text_add(out->text, " ");
  out->any = true;
  if (key) {
    st_json_text_add_string(out->text, key);
    st_text_add(out->text, ": ");
  }
}

void st_json_string(StJsonOut *out, const char *key, const char *value) {
  st_json_key(out, key);
  st_json_text_add_string(out->text, value);
}

void st_json_number(StJsonOut *out, const char *key, double value) {
  st_json_key(out, key);
  st_json_text_add_number(out->text, value);
}

StJsonOut st_json_lines(StJsonOut *out, const char *key, char opening) {
  st_json_key(out, key);
  return st_json_begin(out->text, opening, out->indent + 2);
}

StJsonOut st_json_line(StJsonOut *out, const char *key, char opening) {
  st_json_key(out, key);
  return st_json_begin(out->text, opening, -1);
}
