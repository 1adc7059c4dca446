// The scene of a command: from a file or standard input, with values changed by --set.
#pragma once

#include "model/description.h"

enum { ST_SET_MOST = 64 };

typedef struct StSceneSource {
  char *path;   // of the scene; for standard input, what it would be
  char *name;   // for messages
  char *folder; // base of relative paths in it: "" is the current folder
  char *text;   // with all changes
  size_t size;
} StSceneSource;

// Both together, where several processes have been started (solve/runtime.h).
// path: "-" is standard input; its relative paths start in the current folder.
StStatus st_scene_source_read(const char *path, const char *const *set, int set_count,
                              StSceneSource *source, StError *error);
void st_scene_source_free(StSceneSource *source);

StStatus st_scene_source_parse(const StSceneSource *source, StDescription **description,
                               StError *error);
