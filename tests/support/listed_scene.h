// Scenes whose pairs are listed with their laws, for tests that look at each of them.
#pragma once

#include "model/contact_pairs.h"
#include "scene/scene.h"

enum { LISTED_MOST = 10000 };

static inline StStatus listed_scene_parse(const char *name, const char *text, size_t size,
                                          const char *folder, const StLog *log,
                                          StDescription **scene, StError *error) {
  StStatus status = st_scene_parse(name, text, size, folder, log, scene, error);
  return status == ST_OK && !st_pairs_list(*scene, LISTED_MOST) ? ST_SYSTEM_FAULT : status;
}

static inline StStatus listed_scene_load(const char *path, const StLog *log, StDescription **scene,
                                         StError *error) {
  StStatus status = st_scene_load(path, log, scene, error);
  return status == ST_OK && !st_pairs_list(*scene, LISTED_MOST) ? ST_SYSTEM_FAULT : status;
}
