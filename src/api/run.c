// Whole runs of the public interface.
#include "api/handles.h"
#include "output/run.h"

typedef struct Sitting {
  const StictionRunOptions *options;
  StPublicReport report;
  bool has_report;
  volatile sig_atomic_t stop;
  StStatus status;
} Sitting;

static void tell_progress(void *context, const StRunProgress *now) {
  Sitting *sitting = context;
  if (!sitting->has_report)
    sitting->status = st_public_report_create(now->report, &sitting->report, NULL);
  sitting->has_report = true;
  if (sitting->status != ST_OK) {
    sitting->stop = 1;
    return;
  }
  st_public_report_fill(now->report, &sitting->report);
  StictionProgress progress = {.report = &sitting->report.report,
                               .time = now->time,
                               .duration = now->duration,
                               .frames_written = now->frames_written,
                               .frame_count = now->frame_count,
                               .on_frame = now->on_frame,
                               .wall_seconds = now->wall_seconds,
                               .seconds_left = now->seconds_left};
  if (!sitting->options->progress(sitting->options->context, &progress))
    sitting->stop = 1;
}

static StStatus run(Stiction *session, StictionScene *scene, const StictionRunOptions *options) {
  StError *error = &session->error;
  if (!options->folder || !*options->folder)
    return st_fail(error, ST_BAD_INPUT, "a run needs the name of a folder for its results");
  if (scene->given_meshes)
    return st_fail(
        error, ST_BAD_INPUT,
        "a scene with meshes from memory cannot be run into a folder, whose readers would "
        "not find them: write the meshes into files");
  Sitting sitting = {.options = options};
  StRunOptions inside = {.folder = options->folder,
                         .scene_path = scene->path,
                         .scene_text = scene->text,
                         .scene_size = scene->size,
                         .resume = options->resume,
                         .overwrite = options->overwrite,
                         .stop = &sitting.stop,
                         .progress = options->progress ? tell_progress : NULL,
                         .context = &sitting,
                         .log = &session->log};
  StStatus status = st_run(scene->description, &inside, error);
  st_public_report_free(&sitting.report);
  return sitting.status == ST_OK ? status : st_fail_memory(error);
}

StictionStatus stiction_scene_run(Stiction *session, StictionScene *scene,
                                  const StictionRunOptions *options) {
  ST_NEED(session);
  ST_NEED(scene);
  ST_NEED(options);
  ST_ENTER(session);
  return st_call_leave(session, run(session, scene, options));
}
