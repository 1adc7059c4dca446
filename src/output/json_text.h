// The little JSON that the files of a run are made of: strings and numbers written into a text, and
// values of the outermost object found again. Scenes have a reader of their own, with positions.
#ifndef ST_OUTPUT_JSON_TEXT_H
#define ST_OUTPUT_JSON_TEXT_H

#include "base/status.h"
#include "base/text.h"

void st_json_text_add_string(StText *text, const char *value); // NULL becomes null
void st_json_text_add_number(StText *text, double value);      // exact; null when not finite

// Where the value of a key of the outermost object begins, NULL when there is none.
const char *st_json_text_find(const char *json, const char *key);

// The string at *cursor, unescaped, with *cursor moved behind it; free() it. Takes what
// st_json_text_add_string writes. ST_BAD_INPUT when there is no such string there, ST_SYSTEM_FAULT
// when memory is short: then nothing is changed.
StStatus st_json_text_read_string(const char **cursor, char **value);

// Moves *cursor past blanks and, when it comes next, the given character; tells whether it did.
bool st_json_text_accept(const char **cursor, char expected);

#endif
