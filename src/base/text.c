// A growing byte buffer.
#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool reserve(StText *text, size_t more) {
  if (!text->failed && !st_grow((void **)&text->data, &text->capacity, text->length + more + 1, 1))
    text->failed = true;
  return !text->failed;
}

void st_text_add_bytes(StText *text, const void *bytes, size_t size) {
  if (!reserve(text, size))
    return;
  if (size)
    memcpy(text->data + text->length, bytes, size);
  text->length += size;
  text->data[text->length] = 0;
}

void st_text_add_u32(StText *text, uint32_t value, bool big) {
  char byte[4];
  for (int i = 0; i < 4; i++)
    byte[i] = (char)(value >> (big ? 24 - 8 * i : 8 * i));
  st_text_add_bytes(text, byte, sizeof byte);
}

void st_text_add_f32(StText *text, double value, bool big) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  st_text_add_u32(text, bits, big);
}

static void add(StText *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length >= 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void st_text_add(StText *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(text, format, arguments);
  va_end(arguments);
}

char *st_text_take(StText *text) {
  if (text->failed)
    st_text_free(text);
  return text->data;
}

char *st_format(const char *format, ...) {
  StText text = {0};
  va_list arguments;
  va_start(arguments, format);
  add(&text, format, arguments);
  va_end(arguments);
  return st_text_take(&text);
}

void st_text_free(StText *text) {
  free(text->data);
  *text = (StText){0};
}

int st_base64_digit(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool st_text_ends_in(const char *text, const char *ending) {
  size_t length = strlen(text), tail = strlen(ending);
  return length >= tail && strcmp(text + length - tail, ending) == 0;
}

const char *st_path_name(const char *path, int *stem) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  *stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  return name;
}

size_t st_utf8_length(const char *word, size_t left) {
  const unsigned char *text = (const unsigned char *)word;
  unsigned char c = text[0];
  if (c < 0x80)
    return 1;
  size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c > 0xF4 || length > left)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  bool overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
  bool surrogate = c == 0xED && text[1] > 0x9F;
  bool beyond = c == 0xF4 && text[1] > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}
