// A strict JSON reader (RFC 8259 plus // comments) that remembers where every key and value is, so
// that code that rejects a value later can name its line. Limits the depth and the number of values
// that are not packed.
#pragma once

#include "base/status.h"

enum { ST_JSON_DEPTH = 64, ST_JSON_VALUES = 1 << 22 };

typedef enum StJsonKind {
  ST_JSON_NULL,
  ST_JSON_BOOLEAN,
  ST_JSON_NUMBER,
  ST_JSON_STRING,
  ST_JSON_LIST,
  ST_JSON_OBJECT,
  ST_JSON_NUMBERS, // a long list of numbers in one array, if the document is packed
} StJsonKind;

// Lists with at least this many numbers are packed; shorter ones have children like all others.
enum { ST_JSON_PACKED = 17 };

// The place of values created by a program (base/json_tree.h).
#define ST_JSON_NOWHERE ((size_t)-1)

typedef struct StJson StJson;

struct StJson {
  StJsonKind kind;
  bool truth;           // boolean
  double number;        // number, finite
  const char *text;     // string, UTF-8, no 0 inside
  const double *array;  // numbers, [child_count]
  const char *key;      // of this value in its object; otherwise NULL
  size_t place, end;    // byte offsets of the value's start and of the first byte after it
  size_t key_place;     // byte offset of its key
  int index;            // among its siblings
  int child_count;      // list, object; numbers: how many
  StJson *child, *last; // the first and the last one
  StJson *next;         // the next sibling
  StJson *parent;       // NULL for the root
  // For base/json_tree.h:
  struct StJsonDocument *document;
  bool removed;             // no longer in the document
  bool owns_text, owns_key; // free() them
};

typedef struct StJsonDocument StJsonDocument;

// name: used in messages. The text is copied.
StStatus st_json_parse(const char *name, const char *text, size_t size, StJsonDocument **document,
                       StError *error);

// The same, with long lists of numbers packed, for what may hold meshes.
StStatus st_json_parse_packed(const char *name, const char *text, size_t size,
                              StJsonDocument **document, StError *error);

// A file that Stiction wrote, with strings by st_json_text_add_string.
StStatus st_json_read_own(const char *path, StJsonDocument **document, StError *error);

void st_json_destroy(StJsonDocument *document);

// For ST_FINALLY.
static inline void st_json_destroy_at(StJsonDocument **at) {
  st_json_destroy(*at);
}

const StJson *st_json_root(const StJsonDocument *document);

// Line and column, from 1, of a byte; columns count characters, as editors do.
void st_json_place(const StJsonDocument *document, size_t place, int *line, int *column);

const StJson *st_json_get(const StJson *object, const char *key);    // NULL: not there
const char *st_json_get_text(const StJson *object, const char *key); // NULL: not a string
double st_json_get_number(const StJson *object, const char *key);    // NaN: not a number

const char *st_json_kind_name(StJsonKind kind); // "a number", "a list" …
