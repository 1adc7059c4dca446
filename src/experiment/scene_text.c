// Quotes for scenes.
#include "experiment/scene_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void st_scene_text(StText *scene, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0) {
    scene->failed = true;
    return;
  }
  for (char *c = text; *c; c++)
    *c = *c == '\'' ? '"' : *c;
  st_text_add_bytes(scene, text, (size_t)length);
  free(text);
}
