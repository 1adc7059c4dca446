// A JSON document in memory, built and changed value by value: by the reader, and by programs that
// have no text. Values never move, and removed ones stay until the document is destroyed, so that
// stale pointers can be recognised.
#ifndef ST_BASE_JSON_TREE_H
#define ST_BASE_JSON_TREE_H

#include "base/json.h"
#include "base/text.h"

typedef struct StJsonChunk StJsonChunk;

struct StJsonDocument {
  char *source; // [size + 2] NULL: there was no text
  size_t size;
  char *strings; // [size + 2] of the text
  StJsonChunk *chunk;
  StJson *root;
  void *owner; // whoever made the document may put something here
};

// The root is null.
StStatus st_json_create(StJsonDocument **document, StError *error);

StJson *st_json_top(StJsonDocument *document); // the root, to be changed

// A new null at the end of a list or object, which has no key yet; NULL: no memory.
StJson *st_json_append(StJson *parent);

// The same in an object, with a copy of the key.
StStatus st_json_append_key(StJson *object, const char *key, StJson **child, StError *error);

// How far below the root it stands; the root 0.
int st_json_depth(const StJson *value);

// Give a value another kind and content; what it was, children included, is removed. Texts and
// arrays are copied.
void st_json_set_list(StJson *value);
void st_json_set_object(StJson *value);
void st_json_set_number(StJson *value, double number);
void st_json_set_boolean(StJson *value, bool truth);
StStatus st_json_set_text(StJson *value, const char *text, StError *error);
StStatus st_json_set_numbers(StJson *value, int count, const double *array, StError *error);
StStatus st_json_set_copy(StJson *value, const StJson *from, StError *error); // and all below it

void st_json_remove(StJson *value); // not the root

// As text: two blanks deeper with each level, on one line what fits there. Numbers keep their bits.
void st_json_write(StText *text, const StJson *value);

#endif
