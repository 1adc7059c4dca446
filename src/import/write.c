// Paths and vectors of imported scenes. Tested by tests/app/import_polyfem.sh.
#include "import/write.h"

#include "base/memory.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void st_import_write_vector(StJsonOut *out, const char *key, const double vector[3]) {
  StJsonOut list = st_json_line(out, key, '[');
  for (int i = 0; i < 3; i++)
    st_json_number(&list, NULL, vector[i] == 0 ? 0 : vector[i]); // no −0
  st_json_end(&list);
}

// Relative path from a folder to a file, both absolute: up to the common folder, then down.
static void add_way(StText *text, const char *from, const char *to) {
  size_t same = 0, i = 0;
  for (; from[i] && from[i] == to[i]; i++)
    if (to[i] == '/')
      same = i + 1;
  if (!from[i] && to[i] == '/')
    same = i + 1;
  const char *rest = from + (same < strlen(from) ? same : strlen(from));
  for (; *rest; rest += *rest == '/') {
    st_text_add(text, "../");
    rest += strcspn(rest, "/");
  }
  st_text_add(text, "%s", to + same);
}

void st_import_write_mesh(StJsonOut *out, const char *folder, const char *path) {
  char from[PATH_MAX], to[PATH_MAX];
  ST_FINALLY(st_text_free) StText text = {0};
  if (realpath(*folder ? folder : ".", from) && realpath(path, to))
    add_way(&text, from, to);
  else
    st_text_add(&text, "%s", path);
  st_json_string(out, "mesh", text.data);
}

void st_import_note(StText *notes, const char *format, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  st_text_add(notes, "%s\n", line);
}

char *st_import_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return st_format("%.*s", slash ? (int)(slash - path) + 1 : 0, path);
}
