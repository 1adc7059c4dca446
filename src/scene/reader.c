// Messages with their location, and name lookup with suggestions for misspelled names.
#include "scene/reader.h"

#include "base/memory.h"
#include "scene/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 400, SHOWN = 40 };

static bool is_plain(const char *key) {
  for (const char *c = key; *c; c++)
    if (strchr(" .[]\"\t\n\r", *c))
      return false;
  return *key != 0;
}

// Bytes of at most SHOWN characters, so that no character is split.
static int shown_length(const char *text) {
  int characters = 0, i = 0;
  for (; text[i]; i++)
    if ((text[i] & 0xC0) != 0x80 && ++characters > SHOWN)
      break;
  return i;
}

static size_t add_step(const StJson *at, char *path, size_t size, size_t length) {
  int written = 0;
  char *end = path + length;
  size_t left = size - length;
  if (!at->key)
    written = snprintf(end, left, "[%d]", at->index);
  else if (is_plain(at->key))
    written = snprintf(end, left, "%s%.*s", length ? "." : "", shown_length(at->key), at->key);
  else
    written = snprintf(end, left, "%s\"%.*s\"", length ? "." : "", shown_length(at->key), at->key);
  return written < 0 || (size_t)written >= left ? size - 1 : length + (size_t)written;
}

void st_reader_path(const StJson *at, char *path, size_t size) {
  const StJson *step[ST_JSON_DEPTH + 1];
  int count = 0;
  for (; at && at->parent && count <= ST_JSON_DEPTH; at = at->parent)
    step[count++] = at;
  path[0] = 0;
  size_t length = 0;
  while (count > 0)
    length = add_step(step[--count], path, size, length);
}

static void write_place(const StReader *reader, const StJson *at, size_t place, char *text,
                        size_t size) {
  char path[PATH_SIZE], position[48] = "";
  int line, column;
  st_reader_path(at, path, sizeof path);
  if (place == ST_JSON_NOWHERE) {
    snprintf(text, size, "%.400s: ", *path ? path : reader->name);
    return;
  }
  st_json_place(reader->document, place, &line, &column);
  snprintf(position, sizeof position, ":%d:%d: ", line, column);
  snprintf(text, size, "%.400s%s%s%s", reader->name, position, path, *path ? ": " : "");
}

static StStatus fail_at(const StReader *reader, const StJson *at, size_t place, const char *format,
                        va_list arguments) {
  char where[2 * PATH_SIZE + 64], what[1024];
  write_place(reader, at, place, where, sizeof where);
  vsnprintf(what, sizeof what, format, arguments);
  return st_fail(reader->error, ST_BAD_INPUT, "%s%s", where, what);
}

StStatus st_reader_fail(const StReader *reader, const StJson *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  StStatus status = fail_at(reader, at, at->place, format, arguments);
  va_end(arguments);
  return status;
}

StStatus st_reader_fail_key(const StReader *reader, const StJson *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  StStatus status = fail_at(reader, at, at->key ? at->key_place : at->place, format, arguments);
  va_end(arguments);
  return status;
}

StStatus st_reader_prefix(const StReader *reader, const StJson *at, StStatus status) {
  char where[2 * PATH_SIZE + 64];
  write_place(reader, at, at->place, where, sizeof where);
  return st_error_prefix(reader->error, status, "%s", where);
}

void st_reader_warn(const StReader *reader, const StJson *at, const char *format, ...) {
  char where[2 * PATH_SIZE + 64], what[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  write_place(reader, at, at->place, where, sizeof where);
  st_log(reader->log, ST_WARNING, "%s%s", where, what);
}

char *st_reader_source(const StReader *reader, const StJson *at) {
  char where[2 * PATH_SIZE + 64];
  write_place(reader, at, at->key ? at->key_place : at->place, where, sizeof where);
  return st_copy_string(where);
}

StStatus st_reader_note(StReader *reader, const StJson *at, const char *key, const char *value,
                        const char *reason) {
  char path[PATH_SIZE + 64];
  st_reader_path(at, path, PATH_SIZE);
  size_t length = strlen(path);
  snprintf(path + length, sizeof path - length, "%s%s", length ? "." : "", key);
  return st_description_add_note(reader->description, path, value, reason, reader->error);
}

StStatus st_reader_expect(const StReader *reader, const StJson *at, StJsonKind kind,
                          const char *what) {
  if (at->kind == kind)
    return ST_OK;
  return st_reader_fail(reader, at, "must be %s, is %s", what, st_json_kind_name(at->kind));
}

StStatus st_reader_find_name(const StReader *reader, const StJson *at, const char *what,
                             StNameOf *name_of, const void *context, int count, int *index) {
  char expected[80];
  snprintf(expected, sizeof expected, "the name of a %s (a string)", what);
  ST_TRY(st_reader_expect(reader, at, ST_JSON_STRING, expected));
  for (int i = 0; i < count; i++)
    if (strcmp(name_of(context, i), at->text) == 0) {
      *index = i;
      return ST_OK;
    }
  ST_FINALLY(st_suggestion_free) StSuggestion suggestion = {.wanted = at->text};
  for (int i = 0; i < count; i++)
    st_suggestion_add(&suggestion, name_of(context, i));
  return st_reader_fail(reader, at, "no %s is named \"%.*s\"; known: %s", what,
                        shown_length(at->text), at->text, st_suggestion_text(&suggestion));
}
