// Reads a scene for a command.
#include "app/scene_source.h"

#include "app/command.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scene/scene.h"
#include "scene/set.h"
#include "solve/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static StStatus read_stream(StSceneSource *source, StError *error) {
  const char *ranks = getenv("OMPI_COMM_WORLD_SIZE");
  if (ranks && atoi(ranks) > 1)
    return st_fail(error, ST_BAD_INPUT,
                   "several processes cannot read one standard input; put the scene into a file");
  StText text = {0};
  char bytes[65536];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, stdin)) > 0 && text.length <= ST_SCENE_SIZE)
    st_text_add_bytes(&text, bytes, count);
  if (text.failed || ferror(stdin)) {
    st_text_free(&text);
    return text.failed ? st_fail_memory(error)
                       : st_fail(error, ST_SYSTEM_FAULT, "standard input cannot be read");
  }
  source->text = text.data ? text.data : st_copy_string("");
  source->size = text.length;
  return source->text ? ST_OK : st_fail_memory(error);
}

static StStatus name_source(const char *path, bool changed, StSceneSource *source, StError *error) {
  bool stream = strcmp(path, "-") == 0;
  const char *slash = strrchr(path, '/');
  StText name = {0}, folder = {0};
  st_text_add(&name, "%s%s", stream ? "standard input" : path, changed ? " (with --set)" : "");
  st_text_add(&folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
  source->path = st_copy_string(stream ? "scene.json" : path);
  source->name = name.data;
  source->folder = folder.data;
  return source->path && !name.failed && !folder.failed ? ST_OK : st_fail_memory(error);
}

static StStatus read_all(const char *path, const char *const *set, int set_count,
                         StSceneSource *source, StError *error) {
  ST_TRY(name_source(path, set_count > 0, source, error));
  if (strcmp(path, "-") == 0)
    ST_TRY(read_stream(source, error));
  else
    ST_TRY(st_file_read_most(path, ST_SCENE_SIZE, &source->text, &source->size, error));
  for (int i = 0; i < set_count; i++)
    ST_TRY(st_scene_set(source->name, set[i], &source->text, &source->size, error));
  return ST_OK;
}

StStatus st_scene_source_read(const char *path, const char *const *set, int set_count,
                              StSceneSource *source, StError *error) {
  *source = (StSceneSource){0};
  StStatus status = st_runtime_agree(read_all(path, set, set_count, source, error), error);
  if (status != ST_OK)
    st_scene_source_free(source);
  return status;
}

void st_scene_source_free(StSceneSource *source) {
  free(source->path);
  free(source->name);
  free(source->folder);
  free(source->text);
  *source = (StSceneSource){0};
}

StStatus st_scene_source_parse(const StSceneSource *source, StDescription **description,
                               StError *error) {
  return st_scene_parse_together(source->name, source->text, source->size, source->folder,
                                 &st_command_log, description, error);
}
