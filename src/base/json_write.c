// Writes a JSON document as readable text.
#include "base/json_text.h"
#include "base/json_tree.h"

#include <math.h>

enum { WIDTH = 100 };

static void write_value(StText *text, const StJson *value, int depth);

// On lines, or (indent -1) on one line.
static void write_children(StText *text, const StJson *value, int indent, int depth) {
  StJsonOut out = st_json_begin(text, value->kind == ST_JSON_LIST ? '[' : '{', indent);
  for (const StJson *child = value->child; child; child = child->next) {
    st_json_key(&out, child->key);
    write_value(text, child, depth);
  }
  st_json_end(&out);
}

// How much of `room` characters is left after the value on one line; negative: it does not fit.
static int room_behind(const StJson *value, int room) {
  StText scalar = {0};
  if (room < 0 || value->kind == ST_JSON_NUMBERS)
    return -1;
  if (value->kind != ST_JSON_LIST && value->kind != ST_JSON_OBJECT) {
    write_value(&scalar, value, 0);
    room -= (int)(scalar.length < WIDTH ? scalar.length : WIDTH);
    st_text_free(&scalar);
    return room;
  }
  for (const StJson *child = value->child; child && room >= 0; child = child->next) {
    for (const char *c = child->key; c && *c && room >= 0; c++)
      room--;
    room = room_behind(child, room - (child->key ? 6 : 2));
  }
  return room - 4;
}

// Element indices are integers, and meshes have millions.
static void write_number(StText *text, double value) {
  char digits[16], *end = digits + sizeof digits, *c = end;
  if (!(value >= 0 && value < 1e9) || value != (int)value || signbit(value)) {
    st_json_text_add_number(text, value);
    return;
  }
  int left = (int)value;
  do {
    *--c = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  st_text_add_bytes(text, c, (size_t)(end - c));
}

// As many per line as fit.
static void write_numbers(StText *text, const StJson *value, int depth) {
  st_text_add(text, "[");
  size_t line = text->length;
  st_text_add(text, "\n%*s", 2 * depth + 2, "");
  for (int i = 0; i < value->child_count; i++) {
    bool last = i + 1 == value->child_count, full = text->length - line > WIDTH - 24;
    write_number(text, value->array[i]);
    if (!last)
      st_text_add_bytes(text, ", ", full ? 1 : 2);
    if (!last && full) {
      line = text->length;
      st_text_add(text, "\n%*s", 2 * depth + 2, "");
    }
  }
  st_text_add(text, "\n%*s]", 2 * depth, "");
}

static void write_value(StText *text, const StJson *value, int depth) {
  switch (value->kind) {
  case ST_JSON_NULL: st_text_add(text, "null"); break;
  case ST_JSON_BOOLEAN: st_text_add(text, value->truth ? "true" : "false"); break;
  case ST_JSON_NUMBER: st_json_text_add_number(text, value->number); break;
  case ST_JSON_STRING: st_json_text_add_string(text, value->text); break;
  case ST_JSON_NUMBERS: write_numbers(text, value, depth); break;
  case ST_JSON_LIST:
  case ST_JSON_OBJECT:
    if (value->parent ? room_behind(value, WIDTH - 2 * depth) >= 0 : !value->child)
      write_children(text, value, -1, 0);
    else
      write_children(text, value, 2 * depth + 2, depth + 1);
    break;
  }
}

void st_json_write(StText *text, const StJson *value) {
  write_value(text, value, 0);
  st_text_add(text, "\n");
}
