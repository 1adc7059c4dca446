// Recording of a simulation that a program steps, in the files of a run: a row for every step,
// frames and checkpoints when they are due. Restoring an earlier state removes the later rows and
// frames.
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>

static void forget(StRecord *record) {
  st_recorder_destroy(record->recorder);
  free(record->folder);
  *record = (StRecord){0};
}

// The recorder of this process; NULL: none. A forked process has none: the folder is its parent's.
static StRecorder *recorder_of(StictionSimulation *simulation) {
  StRecorder *recorder = simulation->record.recorder;
  if (recorder && !st_recorder_is_here(recorder))
    forget(&simulation->record);
  return simulation->record.recorder;
}

static StStatus keep(void *context, StCheckpoint *checkpoint, StError *error) {
  return st_saved_keep(context, checkpoint, error);
}

static StProgram program_of(StictionSimulation *simulation) {
  return (StProgram){keep, simulation};
}

// Number of intervals in a time; steps end within rounding of their times.
static double intervals(double time, double rate) {
  return floor(time * rate + 1e-9);
}

// A frame is due with the first state at or after each of its times.
static StDue due_now(const StictionSimulation *simulation) {
  double time = st_simulation_time(simulation->simulation), rate = simulation->record.frame_rate;
  double last = st_recorder_last_frame(simulation->record.recorder);
  bool frame = !(last > -INFINITY) || intervals(time, rate) > intervals(last, rate);
  return (StDue){.frame = frame, .checkpoint = frame};
}

static StStatus add(StictionSimulation *simulation, StDue due, StError *error) {
  StProgram program = program_of(simulation);
  return st_recorder_add(simulation->record.recorder, due, &program, error);
}

StStatus st_record_step(StictionSimulation *simulation, StError *error) {
  return recorder_of(simulation) ? add(simulation, due_now(simulation), error) : ST_OK;
}

StStatus st_record_jump(StictionSimulation *simulation, StError *error) {
  StRecorder *recorder = recorder_of(simulation);
  if (!recorder)
    return ST_OK;
  double same = 1e-9 * simulation->own->time.step;
  ST_TRY(st_recorder_cut(recorder, st_simulation_time(simulation->simulation) - same, error));
  return add(simulation, due_now(simulation), error);
}

StStatus st_record_follow(StictionSimulation *simulation, StError *error) {
  StRecord *record = &simulation->record;
  if (!record->recorder)
    return ST_OK;
  StStatus status =
      st_runtime_agree(st_recorder_follow(record->recorder, simulation->simulation, error), error);
  if (status != ST_OK)
    forget(record);
  return status;
}

// With a frame of the last state.
static StStatus finish(StictionSimulation *simulation, const char *reason, StError *error) {
  StRecorder *recorder = simulation->record.recorder;
  StProgram program = program_of(simulation);
  if (st_recorder_last_frame(recorder) < st_simulation_time(simulation->simulation))
    ST_TRY(st_recorder_add_frame(recorder, error));
  if (!st_recorder_is_saved(recorder))
    ST_TRY(st_recorder_save(recorder, &program, error));
  return st_recorder_publish_summary(recorder, reason ? "interrupted" : "finished", reason, error);
}

StStatus st_record_end(StictionSimulation *simulation, const char *reason, StError *error) {
  if (!recorder_of(simulation))
    return ST_OK;
  StStatus status = finish(simulation, reason, error);
  forget(&simulation->record);
  return status;
}

static StStatus resume(StictionSimulation *simulation, bool *found, StError *error) {
  StRecorder *recorder = simulation->record.recorder;
  ST_TRY(st_recorder_find(recorder, found, error));
  if (!*found)
    return ST_OK;
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  ST_TRY(st_recorder_load(recorder, &checkpoint, error));
  return st_saved_go_on(simulation, &checkpoint, error);
}

static StStatus open_recorder(StictionSimulation *simulation, StError *error) {
  StRecord *record = &simulation->record;
  const StRecorderOptions options = {
      .run = &record->options, .driven = true, .own = simulation->own};
  bool found = false;
  ST_TRY(st_recorder_create(simulation->scene->description, &options, &record->recorder, error));
  ST_TRY(st_recorder_open(record->recorder, simulation->simulation, error));
  ST_TRY(resume(simulation, &found, error));
  ST_TRY(st_recorder_begin(record->recorder, found, error));
  return found ? ST_OK : st_record_step(simulation, error);
}

static StStatus check(StictionSimulation *simulation, const StictionRecordOptions *options,
                      StError *error) {
  if (!options->folder || !*options->folder)
    return st_fail(error, ST_BAD_INPUT, "a recording needs the name of a folder");
  if (!(options->frame_rate >= 0 && isfinite(options->frame_rate)))
    return st_fail(
        error, ST_BAD_INPUT,
        "the frame rate of a recording is a number above 0, or 0 for the scene's, not %g",
        options->frame_rate);
  if (recorder_of(simulation))
    return st_fail(error, ST_BAD_INPUT, "the simulation is being recorded into %s already",
                   simulation->record.folder);
  if (!simulation->simulation)
    return st_fail(error, ST_BAD_INPUT, "the session has been closed");
  return st_scene_check_size(simulation->scene, error);
}

static StStatus begin(StictionSimulation *simulation, const StictionRecordOptions *options,
                      StError *error) {
  const StictionScene *scene = simulation->scene;
  StRecord *record = &simulation->record;
  ST_TRY(st_runtime_agree(check(simulation, options, error), error));
  ST_TRY(st_pending_settle(simulation, error));
  char *folder = st_copy_string(options->folder);
  ST_TRY(st_runtime_agree(folder ? ST_OK : st_fail_memory(error), error));
  *record = (StRecord){.folder = folder,
                       .frame_rate = options->frame_rate > 0 ? options->frame_rate
                                                             : simulation->own->time.frame_rate,
                       .options = {.folder = folder,
                                   .scene_path = scene->path,
                                   .scene_text = scene->text,
                                   .scene_size = scene->size,
                                   .resume = options->resume,
                                   .overwrite = options->overwrite,
                                   .log = &simulation->session->log}};
  StStatus status = open_recorder(simulation, error);
  if (status != ST_OK)
    forget(record);
  return st_live_follow(simulation, status, error);
}

StictionStatus stiction_simulation_record(StictionSimulation *simulation,
                                          const StictionRecordOptions *options) {
  ST_NEED(simulation);
  ST_NEED(options);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(begin(simulation, options, st_call_error()));
}

StictionStatus stiction_simulation_record_end(StictionSimulation *simulation, const char *reason) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(st_record_end(simulation, reason, st_call_error()));
}
