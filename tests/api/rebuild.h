// Rebuilds a scene value by value with calls of the builder alone.
#ifndef TESTS_API_REBUILD_H
#define TESTS_API_REBUILD_H

#include <stiction/build.h>

#include "base/json.h"

#include <string.h>

static inline void put(StictionPart *part, const StJson *from);

static inline void put_children(StictionPart *part, const StJson *from) {
  for (const StJson *child = from->child; child; child = child->next)
    put(part, child);
}

static inline void put(StictionPart *part, const StJson *from) {
  switch (from->kind) {
  case ST_JSON_NULL: stiction_part_set_json(part, from->key, "null"); break;
  case ST_JSON_BOOLEAN: stiction_part_set_boolean(part, from->key, from->truth); break;
  case ST_JSON_NUMBER: stiction_part_set_number(part, from->key, from->number); break;
  case ST_JSON_STRING: stiction_part_set_text(part, from->key, from->text); break;
  case ST_JSON_NUMBERS:
    stiction_part_set_numbers(part, from->key, from->child_count, from->array);
    break;
  case ST_JSON_LIST: put_children(stiction_part_list(part, from->key), from); break;
  case ST_JSON_OBJECT: put_children(stiction_part_object(part, from->key), from); break;
  }
}

// NULL if the text is not a JSON object.
static inline StictionBuild *rebuild(const char *text) {
  StictionBuild *build = NULL;
  StJsonDocument *document = NULL;
  if (st_json_parse("text", text, strlen(text), &document, NULL) != ST_OK)
    return NULL;
  if (st_json_root(document)->kind == ST_JSON_OBJECT &&
      stiction_build_create(&build) == STICTION_OK)
    put_children(stiction_build_root(build), st_json_root(document));
  st_json_destroy(document);
  return build;
}

#endif
