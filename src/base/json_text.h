// JSON written into a text; base/json.h reads it.
#pragma once

#include "base/status.h"
#include "base/text.h"

// NULL becomes null. Bytes that are not UTF-8 become \udc80 … \udcff, as in Python.
void st_json_text_add_string(StText *text, const char *value);
void st_json_text_add_number(StText *text, double value); // exact; null when not finite

// An object or a list that is being written: commas, line breaks and brackets come by themselves.
typedef struct StJsonOut {
  StText *text;
  int indent; // of members, which have lines of their own; -1: all on one line
  bool any;   // it has a member
  char end;   // its closing bracket
} StJsonOut;

// opening: '{' or '['.
StJsonOut st_json_begin(StText *text, char opening, int indent);
void st_json_end(StJsonOut *out);

// Begins a member, whose value is then written to the text. NULL: an item of a list.
void st_json_key(StJsonOut *out, const char *key);
void st_json_string(StJsonOut *out, const char *key, const char *value);
void st_json_number(StJsonOut *out, const char *key, double value);

// A member with members of its own, on lines or on one line.
StJsonOut st_json_lines(StJsonOut *out, const char *key, char opening);
StJsonOut st_json_line(StJsonOut *out, const char *key, char opening);
