// Finds a value in the parsed text, and replaces it in the text itself.
#include "scene/set.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unit.h"
#include "scene/parts.h"
#include "scene/suggest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Setting {
  const char *before, *assignment; // for messages
  const char *path;                // remaining key path
  size_t length;                   // of that
  const char *value;               // after the =
  StError *error;
} Setting;

static StStatus fail_setting(const Setting *setting, const char *words) {
  return st_fail(setting->error, ST_BAD_INPUT, "%s%.200s: %s", setting->before, setting->assignment,
                 words);
}

static StStatus fail_unknown(const Setting *setting, const StJson *at, const char *wanted) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = wanted};
  char where[200];
  st_reader_path(at, where, sizeof where);
  for (const StJson *child = at->child; child; child = child->next)
    st_suggestion_add(&known, child->key);
  st_fail(setting->error, ST_BAD_INPUT, "%s%.200s: there is no \"%.60s\" in %s; known: %s",
          setting->before, setting->assignment, wanted, *where ? where : "the scene",
          st_suggestion_text(&known));
  return ST_BAD_INPUT;
}

// Whether a key of this length ends there: at the end of the path, or before the next key.
static bool ends_at(const Setting *setting, size_t length) {
  return length == setting->length || setting->path[length] == '.' || setting->path[length] == '[';
}

static void advance(Setting *setting, size_t length) {
  if (length < setting->length && setting->path[length] == '.')
    length++;
  setting->path += length;
  setting->length -= length;
}

// The child that the path starts with; the longest match, because names may contain dots. NULL:
// none.
static const StJson *find_child(const Setting *setting, const StJson *at) {
  const StJson *best = NULL;
  for (const StJson *child = at->child; child && at->kind == ST_JSON_OBJECT; child = child->next) {
    size_t length = strlen(child->key);
    if (length <= setting->length && strncmp(child->key, setting->path, length) == 0 &&
        ends_at(setting, length) && (!best || length > strlen(best->key)))
      best = child;
  }
  return best;
}

// "[2]" or "2" at the start of the path.
static StStatus take_index(Setting *setting, const StJson *at, const StJson **child) {
  const char *c = setting->path;
  bool bracket = *c == '[';
  char *end, where[200];
  st_reader_path(at, where, sizeof where);
  long index = isdigit((unsigned char)c[bracket]) ? strtol(c + bracket, &end, 10) : -1;
  if (index < 0 || (bracket && *end++ != ']') || !ends_at(setting, (size_t)(end - c)))
    return st_fail(setting->error, ST_BAD_INPUT,
                   "%s%.200s: %s is a list; its items go by number, %s[0] being the first",
                   setting->before, setting->assignment, where, where);
  if (index >= at->child_count)
    return st_fail(setting->error, ST_BAD_INPUT,
                   "%s%.200s: %s has %d %s, counted from 0; there is no item %ld", setting->before,
                   setting->assignment, where, at->child_count,
                   at->child_count == 1 ? "item" : "items", index);
  *child = at->child;
  for (long i = 0; i < index; i++)
    *child = (*child)->next;
  advance(setting, (size_t)(end - c));
  return ST_OK;
}

// Whether the names in a top-level object are chosen by the user: bodies, materials …
static bool holds_names(const StJson *at) {
  if (!at->parent || at->parent->parent)
    return false;
  for (int i = 0; i < st_keys_scene.key_count; i++)
    if (strcmp(st_keys_scene.key[i].param.name, at->key) == 0)
      return st_keys_scene.key[i].kind == ST_KEY_MAP;
  return false;
}

static bool is_json(const char *value) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  return st_json_parse("value", value, strlen(value), &document, NULL) == ST_OK;
}

static void add_text(StText *text, const char *value, size_t length) {
  st_text_add(text, "\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)value[i];
    if (c == '"' || c == '\\')
      st_text_add(text, "\\%c", c);
    else if (c < 0x20)
      st_text_add(text, "\\u%04x", c);
    else
      st_text_add_bytes(text, &value[i], 1);
  }
  st_text_add(text, "\"");
}

// The new keys, each an object around the next, and the value.
static StStatus add_new(const Setting *setting, StText *text) {
  const char *path = setting->path;
  size_t left = setting->length;
  int depth = 0;
  while (left > 0) {
    size_t length = 0;
    while (length < left && path[length] != '.')
      length++;
    if (length == 0 || memchr(path, '[', length))
      return fail_setting(setting, "the key is not complete, or counts items of a list that is not "
                                   "there");
    st_text_add(text, depth++ ? "{" : "");
    add_text(text, path, length);
    st_text_add(text, ": ");
    path += length + (length < left);
    left -= length + (length < left);
  }
  if (is_json(setting->value))
    st_text_add(text, "%s", setting->value);
  else
    add_text(text, setting->value, strlen(setting->value));
  while (--depth > 0)
    st_text_add(text, "}");
  return ST_OK;
}

// The first key of the remaining path, to free().
static char *next_key(const Setting *setting) {
  size_t length = 0;
  while (length < setting->length && !ends_at(setting, length))
    length++;
  return strndup(setting->path, length);
}

static bool is_scene_key(const char *key) {
  for (int i = 0; i < st_keys_scene.key_count; i++)
    if (strcmp(st_keys_scene.key[i].param.name, key) == 0)
      return true;
  return false;
}

static StStatus fail_scene_key(const Setting *setting, const char *key) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = key};
  for (int i = 0; i < st_keys_scene.key_count; i++)
    st_suggestion_add(&known, st_keys_scene.key[i].param.name);
  st_fail(setting->error, ST_BAD_INPUT, "%s%.200s: unknown key \"%.60s\"; known: %s",
          setting->before, setting->assignment, key, st_suggestion_text(&known));
  return ST_BAD_INPUT;
}

static StStatus check_new(const Setting *setting, const StJson *at) {
  if (at->kind != ST_JSON_OBJECT) {
    char where[200];
    st_reader_path(at, where, sizeof where);
    return st_fail(setting->error, ST_BAD_INPUT, "%s%.200s: %s is %s, which has no keys",
                   setting->before, setting->assignment, where, st_json_kind_name(at->kind));
  }
  char *key = next_key(setting);
  ST_TRY_MEMORY(key, setting->error);
  if (!at->parent && !is_scene_key(key)) {
    StStatus status = fail_scene_key(setting, key);
    free(key);
    return status;
  }
  bool whole = strlen(key) == setting->length && setting->value[0] == '{';
  StStatus status = holds_names(at) && !whole ? fail_unknown(setting, at, key) : ST_OK;
  free(key);
  return status;
}

static StStatus splice(const Setting *setting, const StJson *at, const char *old, size_t size,
                       StText *text) {
  bool replace = setting->length == 0;
  size_t from = replace ? at->place : at->place + 1; // after the brace
  size_t to = replace ? at->end : from;
  st_text_add_bytes(text, old, from);
  if (replace && is_json(setting->value))
    st_text_add(text, "%s", setting->value);
  else if (replace)
    add_text(text, setting->value, strlen(setting->value));
  else
    ST_TRY(add_new(setting, text));
  if (!replace && at->child_count > 0)
    st_text_add(text, ", ");
  st_text_add_bytes(text, old + to, size - to);
  return text->failed ? st_fail_memory(setting->error) : ST_OK;
}

// Follows the path as far as it goes.
static StStatus follow(Setting *setting, const StJson **at) {
  while (setting->length > 0) {
    const StJson *child = find_child(setting, *at);
    if (child)
      advance(setting, strlen(child->key));
    else if ((*at)->kind == ST_JSON_LIST)
      ST_TRY(take_index(setting, *at, &child));
    if (!child)
      break;
    *at = child;
  }
  return ST_OK;
}

static StStatus find_and_splice(Setting *setting, const StJson *at, const char *old, size_t size,
                                StText *text) {
  ST_TRY(follow(setting, &at));
  if (setting->length > 0)
    ST_TRY(check_new(setting, at));
  return splice(setting, at, old, size, text);
}

StStatus st_scene_quantity(const char *text, double *number, StDimension *dimension,
                           StError *error) {
  const char *end = st_number_end(text);
  while (end && *end == ' ')
    end++;
  if (end && st_unit_dimension(end, dimension))
    return st_quantity_parse(text, *dimension, number, error);
  return st_fail(error, ST_BAD_INPUT, "\"%.60s\" is not a number, or a number with a unit", text);
}

static StStatus read_number(const Setting *setting, const StJson *value, double *number,
                            StDimension *dimension) {
  *dimension = ST_PURE;
  *number = value->number;
  if (value->kind == ST_JSON_NUMBER)
    return ST_OK;
  if (value->kind == ST_JSON_STRING &&
      st_scene_quantity(value->text, number, dimension, NULL) == ST_OK)
    return ST_OK;
  return fail_setting(setting, value->child_count > 0 ? "has several values: name one of them"
                                                      : "is not a number, or a number with a unit");
}

StStatus st_scene_get(const char *name, const char *path, const char *text, size_t size,
                      double *number, StDimension *dimension, StError *error) {
  StError own;
  Setting setting = {"", path, path, strlen(path), "", error ? error : &own};
  StDimension ignored;
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_TRY(st_json_parse(name, text, size, &document, error));
  const StJson *at = st_json_root(document);
  ST_TRY(follow(&setting, &at));
  if (setting.length == 0)
    return read_number(&setting, at, number, dimension ? dimension : &ignored);
  ST_FREE char *key = next_key(&setting);
  ST_TRY_MEMORY(key, setting.error);
  return at->kind == ST_JSON_OBJECT ? fail_unknown(&setting, at, key) : check_new(&setting, at);
}

StStatus st_scene_set(const char *name, const char *assignment, char **text, size_t *size,
                      StError *error) {
  StError own;
  const char *equals = strchr(assignment, '=');
  Setting setting = {"--set ",
                     assignment,
                     assignment,
                     equals ? (size_t)(equals - assignment) : 0,
                     equals ? equals + 1 : "",
                     error ? error : &own};
  if (!equals || equals == assignment || !equals[1])
    return fail_setting(&setting, "must be KEY=VALUE, such as materials.rubber.young=\"2 MPa\"");
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_TRY(st_json_parse_packed(name, *text, *size, &document, error));
  StText changed = {0};
  StStatus status = find_and_splice(&setting, st_json_root(document), *text, *size, &changed);
  if (status != ST_OK) {
    st_text_free(&changed);
    return status;
  }
  free(*text);
  *text = changed.data;
  *size = changed.length;
  return ST_OK;
}
