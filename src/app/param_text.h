// Parameters of descriptors on the command line: parsed from text, and described for lists.
#pragma once

#include "base/param.h"
#include "base/text.h"

// "3 mm", "12", "true" or a word, depending on the parameter's kind. Does not check the range.
StStatus st_param_parse(const char *text, const StParam *param, double *value, StError *error);

// Name, default, range and description; otherwise: the default in words; may be NULL.
void st_param_describe(StText *out, const StParam *param, const char *otherwise);

// Wraps a sentence to the width of a terminal, indented; ends the last line.
void st_text_wrap(StText *out, int indent, const char *sentence);
