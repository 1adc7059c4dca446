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

void st_text_add(StText *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length >= 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(arguments);
}

void st_text_free(StText *text) {
  free(text->data);
  *text = (StText){0};
}
