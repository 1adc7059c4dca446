// Finds the scene of a run from its folder alone.
#include "base/memory.h"
#include "output/run.h"

#include "base/file.h"
#include "output/facts.h"
#include "output/run_folder.h"

#include <stdlib.h>

void st_resume_scene_free(StResumeScene *scene) {
  free(scene->scene_path);
  free(scene->scene_folder);
  free(scene->scene_text);
  *scene = (StResumeScene){0};
}

static StStatus take_scene(const char *text_path, StFacts *facts, StResumeScene *scene,
                           StError *error) {
  if (!facts->scene_path || !facts->scene_folder)
    return st_fail(
        error, ST_BAD_INPUT,
        "the run did not come from a scene file: only the program that started it knows its scene");
  ST_TRY(st_file_read(text_path, &scene->scene_text, &scene->scene_size, error));
  uint32_t crc = st_scene_crc(scene->scene_text, scene->scene_size);
  if (crc != facts->scene_crc)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: has changed since the run began (checksum %08x then, %08x now); a changed "
                   "scene is a new run: start it with \"stiction run\"",
                   text_path, facts->scene_crc, crc);
  scene->scene_path = facts->scene_path;
  scene->scene_folder = facts->scene_folder;
  facts->scene_path = facts->scene_folder = NULL;
  return ST_OK;
}

StStatus st_run_resume_load(const char *folder, StResumeScene *scene, StError *error) {
  *scene = (StResumeScene){0};
  ST_TRY(st_run_folder_check(&(StRunOptions){.folder = folder, .resume = true}, error));
  ST_FREE char *run_path = st_run_folder_file(folder, "run.json");
  ST_FREE char *text_path = st_run_folder_file(folder, "scene.json");
  ST_FINALLY(st_facts_free) StFacts facts = {0};
  StStatus status =
      run_path && text_path ? st_facts_read(run_path, &facts, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = take_scene(text_path, &facts, scene, error);
  if (status != ST_OK)
    st_resume_scene_free(scene);
  return status;
}
