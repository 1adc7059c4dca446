// Parts of scenes that all imports write, and their notes.
#pragma once

#include "base/json_text.h"

void st_import_write_vector(StJsonOut *out, const char *key, const double vector[3]);

// A member "mesh": the path of a file, relative to the folder of the new scene.
void st_import_write_mesh(StJsonOut *out, const char *folder, const char *path);

// A line about what is not carried over: "key: text".
void st_import_note(StText *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The folder that a file is in, with a slash at its end; "" for the current one. free() it.
char *st_import_folder(const char *path);
