// JSON written into a text; base/json.h reads it.
#pragma once

#include "base/status.h"
#include "base/text.h"

// NULL becomes null. Bytes that are not UTF-8 become \udc80 … \udcff, as in Python.
void st_json_text_add_string(StText *text, const char *value);
void st_json_text_add_number(StText *text, double value); // exact; null when not finite
