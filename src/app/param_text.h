// Parameters of descriptors on the command line: read from text, and described for lists.
#ifndef ST_APP_PARAM_TEXT_H
#define ST_APP_PARAM_TEXT_H

#include "base/param.h"
#include "base/text.h"

// "3 mm", "12", "true" or a word, as the parameter's kind says. Does not look at the range.
StStatus st_param_parse(const char *text, const StParam *param, double *value, StError *error);

// Whether the value is in the parameter's range.
StStatus st_param_check(const StParam *param, double value, StError *error);

// Name, default, range and sentence; otherwise: what holds without a value, NULL: nothing is said.
void st_param_describe(StText *out, const StParam *param, const char *otherwise);

// A sentence in lines that fit a terminal, each indented; ends the last one.
void st_text_wrap(StText *out, int indent, const char *sentence);

#endif
