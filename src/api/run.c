// Whole runs of the public interface.
#include "api/handles.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/run.h"
#include "output/run_folder.h"
#include "replay/folder.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <stdlib.h>
#include <string.h>

typedef struct RunWatch {
  const StictionRunOptions *options;
  StPublicReport report;
  bool has_report;
  volatile sig_atomic_t stop;
  StStatus status;
} RunWatch;

static void report_progress(void *context, const StRunProgress *now) {
  RunWatch *watch = context;
  if (!watch->has_report)
    watch->status = st_public_report_create(now->report, &watch->report, NULL);
  watch->has_report = true;
  if (watch->status != ST_OK) {
    watch->stop = 1;
    return;
  }
  st_public_report_fill(now->report, &watch->report);
  StictionProgress progress = {.report = &watch->report.report,
                               .time = now->time,
                               .duration = now->duration,
                               .frames_written = now->frames_written,
                               .frame_count = now->frame_count,
                               .on_frame = now->on_frame,
                               .wall_seconds = now->wall_seconds,
                               .seconds_left = now->seconds_left};
  if (!watch->options->progress(watch->options->context, &progress))
    watch->stop = 1;
}

// How an earlier run of the same scene in the folder stands, for StictionRunOptions.reuse: missing,
// finished, failed (the error says why), or running: a part of it is there.
static StRecordingState look_into(const char *folder, const StictionScene *scene, StError *error) {
  ST_FREE char *facts = st_run_folder_file(folder, "run.json");
  ST_FREE char *summary = st_run_folder_file(folder, "summary.json");
  if (!facts || !summary || !st_file_exists(facts) || !st_file_exists(summary) ||
      !st_run_folder_holds(folder, "scene.json", scene->text, scene->size))
    return ST_RECORDING_MISSING;
  StFolderState earlier = st_folder_state(folder);
  if (earlier.state == ST_RECORDING_FAILED)
    st_fail(error, ST_NOT_SOLVED, "%s",
            earlier.reason[0] ? earlier.reason : "no reason was recorded");
  bool ended = earlier.state == ST_RECORDING_FINISHED || earlier.state == ST_RECORDING_FAILED;
  return ended ? earlier.state : ST_RECORDING_RUNNING;
}

StStatus st_scene_check_size(const StictionScene *scene, StError *error) {
  if (scene->size <= ST_SCENE_SIZE)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "the scene takes %zu MB as text, and readers of the folder take %d at most: put "
                 "large meshes into files",
                 scene->size >> 20, ST_SCENE_SIZE >> 20);
}

static StStatus run(Stiction *session, StictionScene *scene, const StictionRunOptions *options) {
  StError *error = st_call_error();
  if (!options->folder || !*options->folder)
    return st_fail(error, ST_BAD_INPUT, "a run needs the name of a folder for its results");
  ST_TRY(st_scene_check_size(scene, error));
  StRecordingState earlier = ST_RECORDING_MISSING;
  if (options->reuse) {
    earlier = look_into(options->folder, scene, error);
    ST_TRY(st_runtime_agree(ST_OK, error)); // all have looked before anyone writes
  }
  if (earlier == ST_RECORDING_FINISHED || earlier == ST_RECORDING_FAILED)
    return earlier == ST_RECORDING_FINISHED ? ST_OK : ST_NOT_SOLVED;
  RunWatch watch = {.options = options};
  StRunOptions inside = {.folder = options->folder,
                         .scene_path = scene->path,
                         .scene_text = scene->text,
                         .scene_size = scene->size,
                         .resume = options->resume || earlier == ST_RECORDING_RUNNING,
                         .overwrite = options->overwrite ||
                                      (options->reuse && earlier == ST_RECORDING_MISSING),
                         .stop = &watch.stop,
                         .progress = options->progress ? report_progress : NULL,
                         .context = &watch,
                         .log = &session->log};
  StStatus status = st_run(scene->description, &inside, error);
  st_public_report_free(&watch.report);
  return watch.status == ST_OK ? status : st_fail_memory(error);
}

StictionStatus stiction_scene_run(Stiction *session, StictionScene *scene,
                                  const StictionRunOptions *options) {
  ST_NEED(session);
  ST_NEED(scene);
  ST_NEED(options);
  ST_ENTER(session, ST_ALONE(scene));
  return st_call_leave(run(session, scene, options));
}
