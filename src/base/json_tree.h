// A JSON document in memory, built and changed value by value: by the reader, and by programs
// without a text. Values never move, and removed ones remain until the document is destroyed, so
// stale pointers can be detected.
#pragma once

#include "base/json.h"
#include "base/text.h"

typedef struct StJsonChunk StJsonChunk;

// Where a byte of the text is, counted from 1.
typedef struct StJsonMark {
  int line, column;
} StJsonMark;

enum { ST_JSON_STRIDE = 1024 }; // bytes between marks: short to count, and 1 % of the text

struct StJsonDocument {
  char *source; // [size + 2] NULL: there was no text
  size_t size;
  StJsonMark *mark; // [size / ST_JSON_STRIDE + 1] of every ST_JSON_STRIDE-th byte
  char *strings;    // [size + 2] of the text
  StJsonChunk *chunk;
  StJson *root;
  void *owner; // for the creator of the document
};

// The root is null.
StStatus st_json_create(StJsonDocument **document, StError *error);

StJson *st_json_top(StJsonDocument *document); // the root, writable

// Appends a null to a list or object, without a key; NULL: out of memory.
StJson *st_json_append(StJson *parent);

// The same in an object, with a copy of the key.
StStatus st_json_append_key(StJson *object, const char *key, StJson **child, StError *error);

// Depth below the root, which is 0.
int st_json_depth(const StJson *value);

// Replaces the kind and content of a value; removes the old content, children included. Texts and
// arrays are copied.
void st_json_set_list(StJson *value);
void st_json_set_object(StJson *value);
void st_json_set_number(StJson *value, double number);
void st_json_set_boolean(StJson *value, bool truth);
StStatus st_json_set_text(StJson *value, const char *text, StError *error);
StStatus st_json_set_numbers(StJson *value, int count, const double *array, StError *error);
StStatus st_json_set_copy(StJson *value, const StJson *from, StError *error); // with children

void st_json_remove(StJson *value); // not the root

// As text: indented by two spaces per level, on one line if it fits. Numbers are exact.
void st_json_write(StText *text, const StJson *value);
