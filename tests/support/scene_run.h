// Runs of scenes written as text, for tests of what they should come to.
#ifndef TESTS_SUPPORT_SCENE_RUN_H
#define TESTS_SUPPORT_SCENE_RUN_H

#include "base/file.h"
#include "scene/scene.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct SceneRun {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
  double work;     // J, external
  int unexplained; // steps that gained energy
  StStatus status; // of the last step, …
  StError error;   // … and why it failed
} SceneRun;

// Of a description, which it takes over.
static inline SceneRun scene_run_of(StDescription *description) {
  SceneRun run = {.description = description, .simulation = world_start(description)};
  run.report = st_simulation_report(run.simulation);
  return run;
}

// Quotes are single in the text. file: where the scene is put, so that it may name mesh files
// beside it; NULL: nowhere.
static inline SceneRun scene_run_start_in(const char *file, const char *text) {
  StDescription *description = NULL;
  StError error = {0};
  char *scene = st_copy_string(text);
  size_t size = strlen(text);
  for (char *c = scene; *c; c++)
    *c = *c == '\'' ? '"' : *c;
  StStatus status = file ? st_file_write(file, scene, size, &error) : ST_OK;
  if (status == ST_OK)
    status = file ? st_scene_load(file, NULL, &description, &error)
                  : st_scene_parse("scene", scene, size, NULL, NULL, &description, &error);
  if (status != ST_OK)
    fail_msg("%s", error.text);
  free(scene);
  return scene_run_of(description);
}

static inline SceneRun scene_run_start(const char *text) {
  return scene_run_start_in(NULL, text);
}

// One step; false: the run has ended, or cannot go on.
static inline bool scene_run_go_on(SceneRun *run) {
  if (st_simulation_finished(run->simulation) || run->status != ST_OK)
    return false;
  run->status = st_simulation_step(run->simulation, &run->error);
  if (run->status != ST_OK)
    return false;
  run->work += run->report->external_work;
  run->unexplained += run->report->energy_gain > run->report->energy_error;
  return true;
}

// To the end, or as far as it gets.
static inline void scene_run_finish(SceneRun *run) {
  while (scene_run_go_on(run)) {
  }
}

static inline SceneRun scene_run_all(const char *text) {
  SceneRun run = scene_run_start(text);
  scene_run_finish(&run);
  return run;
}

static inline void scene_run_must(const SceneRun *run) {
  if (run->status != ST_OK)
    fail_msg("%s", run->error.text);
}

static inline SceneRun scene_run_well(const char *text) {
  SceneRun run = scene_run_all(text);
  scene_run_must(&run);
  return run;
}

static inline void scene_run_end(SceneRun *run) {
  st_simulation_destroy(run->simulation);
  st_description_destroy(run->description);
}

static inline const StReactionReport *scene_run_reaction(const SceneRun *run, const char *name) {
  for (int i = 0; i < run->report->reaction_count; i++)
    if (strcmp(run->report->reaction[i].name, name) == 0)
      return &run->report->reaction[i];
  fail_msg("no %s", name);
  return NULL;
}

static inline void assert_near(const char *what, double value, double wanted, double error) {
  if (!(fabs(value - wanted) <= error))
    fail_msg("%s: %.12g, not %.12g within %g", what, value, wanted, error);
}

#endif
