// Sets the values of a build one by one. Keys are checked when a scene is made of it.
#include "api/build.h"

#include "api/call.h"
#include "base/memory.h"
#include "scene/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char TOO_DEEP[] = "lists and objects are nested too deeply (more than 64 levels)";

static StJson *node_of(StictionPart *part) {
  return (StJson *)part;
}

StictionBuild *st_part_build(const StictionPart *part) {
  return ((const StJson *)part)->document->owner;
}

void st_part_note(StictionPart *part, StStatus status, const StError *error) {
  StictionBuild *build = st_part_build(part);
  if (status == ST_OK || build->error.status != ST_OK)
    return;
  build->error = *error;
  build->error.status = status;
}

void st_part_fail(StictionPart *part, const char *key, const char *format, ...) {
  char where[400], what[600];
  StError error;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  st_reader_path(node_of(part), where, sizeof where);
  bool both = *where && key;
  StStatus status = st_fail(&error, ST_BAD_INPUT, "%s%s%.200s: %s", where, both ? "." : "",
                            key      ? key
                            : *where ? ""
                                     : st_part_build(part)->name,
                            what);
  st_part_note(part, status, &error);
}

StictionStatus st_part_status(const StictionPart *part) {
  const StError *error = &st_part_build(part)->error;
  if (error->status != ST_OK)
    st_call_report(error);
  return (StictionStatus)error->status;
}

static bool is_text(const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    size_t length = st_utf8_length(text, left);
    if (length == 0)
      return false;
    text += length;
    left -= length;
  }
  return true;
}

// Whether the part can have such a key.
static bool can_have(StictionPart *part, const char *key) {
  const StJson *node = node_of(part);
  if (st_part_build(part)->error.status != ST_OK)
    return false;
  if (node->removed)
    st_part_fail(part, NULL, "this part was removed or replaced");
  else if (node->kind == ST_JSON_LIST && key)
    st_part_fail(part, NULL, "is a list, whose items have no keys such as \"%.60s\"", key);
  else if (node->kind != ST_JSON_LIST && node->kind != ST_JSON_OBJECT)
    st_part_fail(part, NULL, "is %s, which has no keys", st_json_kind_name(node->kind));
  else if (node->kind == ST_JSON_OBJECT && (!key || !*key))
    st_part_fail(part, NULL, "the key is NULL or empty, which is for lists only");
  else if (key && !is_text(key))
    st_part_fail(part, NULL, "a key is not UTF-8 text");
  else if (st_json_depth(node) + 1 >= ST_JSON_DEPTH)
    st_part_fail(part, NULL, "%s", TOO_DEEP);
  else
    return true;
  return false;
}

static StJson *find(StictionPart *part, const char *key) {
  return key ? (StJson *)st_json_get(node_of(part), key) : NULL;
}

static StJson *append(StictionPart *part, const char *key) {
  StError error;
  StJson *child = NULL;
  StStatus status = key ? st_json_append_key(node_of(part), key, &child, &error) : ST_OK;
  if (!key && !(child = st_json_append(node_of(part))))
    status = st_fail_memory(&error);
  st_part_note(part, status, &error);
  return child;
}

StJson *st_part_place(StictionPart *part, const char *key) {
  if (!can_have(part, key))
    return NULL;
  st_part_build(part)->changed = true;
  StJson *found = find(part, key);
  return found ? found : append(part, key);
}

StictionStatus stiction_part_set_number(StictionPart *part, const char *key, double value) {
  ST_NEED(part);
  if (!isfinite(value))
    st_part_fail(part, key, "must be a finite number, is %g", value);
  StJson *place = st_part_place(part, key);
  if (place)
    st_json_set_number(place, value);
  return st_part_status(part);
}

StictionStatus stiction_part_set_boolean(StictionPart *part, const char *key, bool value) {
  ST_NEED(part);
  StJson *place = st_part_place(part, key);
  if (place)
    st_json_set_boolean(place, value);
  return st_part_status(part);
}

static void set_text(StictionPart *part, const char *key, StJson *place, const char *text) {
  StError error;
  if (!text)
    st_part_fail(part, key, "the text is NULL");
  else if (!is_text(text))
    st_part_fail(part, key, "the text is not UTF-8");
  else
    st_part_note(part, st_json_set_text(place, text, &error), &error);
}

StictionStatus stiction_part_set_text(StictionPart *part, const char *key, const char *text) {
  ST_NEED(part);
  StJson *place = st_part_place(part, key);
  if (place)
    set_text(part, key, place, text);
  return st_part_status(part);
}

StictionStatus stiction_part_set_vector(StictionPart *part, const char *key, double x, double y,
                                        double z) {
  const double value[3] = {x, y, z};
  return stiction_part_set_numbers(part, key, 3, value);
}

static bool is_array(StictionPart *part, const char *key, int count, const void *array) {
  if (count >= 0 && (count == 0 || array))
    return true;
  st_part_fail(part, key, "the array is NULL, or its length negative");
  return false;
}

StictionStatus stiction_part_set_texts(StictionPart *part, const char *key, int count,
                                       const char *const *text) {
  ST_NEED(part);
  StJson *place = is_array(part, key, count, text) ? st_part_place(part, key) : NULL;
  if (place)
    st_json_set_list(place);
  for (int i = 0; place && i < count; i++) {
    StJson *item = append((StictionPart *)place, NULL);
    if (item)
      set_text(part, key, item, text[i]);
  }
  return st_part_status(part);
}

static bool are_finite(StictionPart *part, const char *key, int count, const double *number) {
  for (int i = 0; i < count; i++)
    if (!isfinite(number[i])) {
      st_part_fail(part, key, "item %d must be a finite number, is %g", i, number[i]);
      return false;
    }
  return true;
}

StictionStatus stiction_part_set_numbers(StictionPart *part, const char *key, int count,
                                         const double *number) {
  ST_NEED(part);
  StError error;
  bool good = is_array(part, key, count, number) && are_finite(part, key, count, number);
  StJson *place = good ? st_part_place(part, key) : NULL;
  if (place)
    st_part_note(part, st_json_set_numbers(place, count, number, &error), &error);
  return st_part_status(part);
}

StictionStatus stiction_part_set_integers(StictionPart *part, const char *key, int count,
                                          const int *number) {
  ST_NEED(part);
  if (!is_array(part, key, count, number))
    return st_part_status(part);
  ST_FREE double *copy = ST_ROOM(double, count);
  StError error;
  if (!copy)
    st_part_note(part, st_fail_memory(&error), &error);
  for (int i = 0; copy && i < count; i++)
    copy[i] = number[i];
  if (copy)
    stiction_part_set_numbers(part, key, count, copy);
  return st_part_status(part);
}

static int height_of(const StJson *node) {
  int most = -1;
  for (const StJson *child = node->child; child; child = child->next) {
    int height = height_of(child);
    most = height > most ? height : most;
  }
  return most + 1;
}

static StStatus copy_json(StJson *place, const char *json, StError *error) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  char where[400];
  st_reader_path(place, where, sizeof where);
  ST_TRY(st_json_parse_packed(where, json, strlen(json), &document, error));
  const StJson *root = st_json_root(document);
  return st_json_depth(place) + height_of(root) < ST_JSON_DEPTH
             ? st_json_set_copy(place, root, error)
             : st_fail(error, ST_BAD_INPUT, "%s: %s", where, TOO_DEEP);
}

StictionStatus stiction_part_set_json(StictionPart *part, const char *key, const char *json) {
  ST_NEED(part);
  StError error;
  if (!json)
    st_part_fail(part, key, "the text is NULL");
  StJson *place = st_part_place(part, key);
  if (place)
    st_part_note(part, copy_json(place, json, &error), &error);
  return st_part_status(part);
}

StictionStatus stiction_part_remove(StictionPart *part, const char *key) {
  ST_NEED(part);
  if (!can_have(part, key))
    return st_part_status(part);
  StJson *found = find(part, key);
  if (!found)
    st_part_fail(part, key, "there is nothing to remove");
  else
    st_json_remove(found);
  st_part_build(part)->changed = true;
  return st_part_status(part);
}

// The object or list under a key, created if it does not exist.
static StictionPart *get(StictionPart *part, const char *key, StJsonKind kind) {
  bool list = kind == ST_JSON_LIST;
  StictionPart *lost = (StictionPart *)&st_part_build(part)->lost;
  if (!can_have(part, key))
    return lost;
  StJson *found = find(part, key);
  if (found && found->kind != kind) {
    st_part_fail(part, key, "is %s already, not %s", st_json_kind_name(found->kind),
                 st_json_kind_name(kind));
    return lost;
  }
  if (!found && (found = st_part_place(part, key))) {
    if (list)
      st_json_set_list(found);
    else
      st_json_set_object(found);
  }
  return found ? (StictionPart *)found : lost;
}

StictionPart *stiction_part_object(StictionPart *part, const char *key) {
  return part ? get(part, key, ST_JSON_OBJECT) : NULL;
}

StictionPart *stiction_part_list(StictionPart *part, const char *key) {
  return part ? get(part, key, ST_JSON_LIST) : NULL;
}

StictionPart *stiction_part_add(StictionPart *part, const char *key) {
  return stiction_part_object(stiction_part_list(part, key), NULL);
}

int stiction_part_count(const StictionPart *part) {
  return part ? ((const StJson *)part)->child_count : 0;
}

const char *stiction_part_key(const StictionPart *part, int index) {
  const StJson *child = part && index >= 0 ? ((const StJson *)part)->child : NULL;
  while (child && index-- > 0)
    child = child->next;
  return child ? child->key : NULL;
}

const char *stiction_part_json(StictionPart *part, const char *key) {
  const StJson *value = part && key ? st_json_get(node_of(part), key) : (const StJson *)part;
  if (!value)
    return NULL;
  StText *text = &st_part_build(part)->text;
  st_text_free(text);
  st_json_write(text, value);
  if (text->failed)
    return NULL;
  text->data[text->length - 1] = 0; // its last newline
  return text->data;
}
