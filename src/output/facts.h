// run.json: which scene and meshes a run belongs to, so that `resume DIR` needs only DIR and a run
// is never continued with different input.
#pragma once

#include "output/run.h"

#include <stdint.h>

typedef struct StFacts {
  char *scene_path;   // absolute; NULL if the run has no scene file
  char *scene_folder; // absolute; relative paths of the scene start here
  uint32_t scene_crc; // of the scene's text
  char *series;       // file name of the list of frames
  int body_count;
  char **body;        // [body_count] "ball: 120 vertices, 400 tets, 0 triangles, crc32 1a2b3c4d"
  bool has_callbacks; // a program supplied forces or motions, which are in no scene
} StFacts;

void st_facts_free(StFacts *facts); // frees what it points to

StStatus st_facts_gather(const StDescription *description, const StRunOptions *options,
                         StFacts *facts, StError *error);
// Stages the file (base/file.h): it is published when everything it refers to exists.
StStatus st_facts_stage(const char *path, const StFacts *facts, StError *error);
StStatus st_facts_read(const char *path, StFacts *facts, StError *error);

// Fails with the first difference that would change a resumed run.
StStatus st_facts_compare(const char *path, const StFacts *began_with, const StFacts *now,
                          StError *error);

uint32_t st_scene_crc(const char *text, size_t size); // 0 for NULL
