// The inside of a build: a JSON document (base/json_tree.h). Parts are its values.
#pragma once

#include "stiction/build.h"

#include "base/json_tree.h"

struct StictionBuild {
  StJsonDocument *document;
  bool changed;  // since it was read
  char *name;    // the file, for messages; "scene"
  char *folder;  // where relative paths start; NULL: files may not be named
  char *path;    // of the file that was loaded; NULL: none was
  StText text;   // of the last time that it was asked for
  StError error; // the first mistake; its status is ST_OK before there is one
  StJson lost;   // the part that is handed out after a mistake
};

// One from a file, or a text (path NULL), or an empty one (both NULL).
StStatus st_build_make(const char *path, const char *text, StictionBuild **build, StError *error);

StStatus st_build_place(StictionBuild *build, const char *folder, StError *error);

// The scene as text: what was read, or what it has become. *made is what must be freed afterwards.
StStatus st_build_text(const StictionBuild *build, const char **text, size_t *size, StText *made,
                       StError *error);

// The value of a key of a part, new or to be replaced; key NULL: a new one at the end of a list.
// NULL: a mistake, which is remembered in the build.
StJson *st_part_place(StictionPart *part, const char *key);

// Remembers a mistake about a value of a part (key NULL: the part itself), unless there was one.
void st_part_fail(StictionPart *part, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void st_part_note(StictionPart *part, StStatus status, const StError *error);

StictionBuild *st_part_build(const StictionPart *part);
StictionStatus st_part_status(const StictionPart *part); // of its build, so far; reports its error
