// Memory and texts.
#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must_have(void *memory) {
  if (!memory) {
    fputs("stiction: memory is short\n", stderr);
    exit(3);
  }
  return memory;
}

void *take_memory(void *before, size_t count, size_t size) {
  count += count == 0;
  return must_have(before ? reallocarray(before, count, size) : calloc(count, size));
}

char *copy_text(const char *text) {
  return text ? must_have(strdup(text)) : NULL;
}

char *print_text(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  return must_have(length < 0 ? NULL : text);
}

char *join_path(const char *folder, const char *name) {
  return print_text("%s/%s", folder, name);
}
