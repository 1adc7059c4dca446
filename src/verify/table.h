// Rows of verification as text: lines of a table, and JSON for programs.
#pragma once

#include "base/text.h"
#include "verify/verify.h"

void st_verify_add_head(StText *text);
void st_verify_add_line(StText *text, const StVerifyRow *row);
void st_verify_add_json(StText *text, const StVerifyRow *row); // one object, no newline
