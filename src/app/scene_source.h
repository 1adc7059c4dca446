// Where a command's scene comes from: a file or standard input, with values changed by --set.
#ifndef ST_APP_SCENE_SOURCE_H
#define ST_APP_SCENE_SOURCE_H

#include "model/description.h"

enum { ST_SET_MOST = 64 };

typedef struct StSceneSource {
  char *path;   // of the scene, or what it would be for one from standard input
  char *name;   // for messages
  char *folder; // where relative paths in it start: "" is the current one
  char *text;   // as it is simulated
  size_t size;
} StSceneSource;

// path: "-" is standard input; its relative paths start in the current folder.
StStatus st_scene_source_read(const char *path, const char *const *set, int set_count,
                              StSceneSource *source, StError *error);
void st_scene_source_free(StSceneSource *source);

StStatus st_scene_source_parse(const StSceneSource *source, StDescription **description,
                               StError *error);

#endif
