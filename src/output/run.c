// The run driver: steps the simulation to its end, resumes, stops and fails in good order.
#include "output/run.h"

#include "base/clock.h"
#include "base/memory.h"
#include "output/folder_lock.h"
#include "output/recorder.h"
#include "solve/runtime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Run {
  const StDescription *description;
  const StRunOptions *options;
  StSimulation *simulation;
  StRecorder *recorder;
  double stepping_at; // clock when the first step of this session began
  double began_time;  // simulated time at the start of this session
} Run;

// Nothing is written before the simulation is known to start.
static StStatus run_open(Run *run, StError *error) {
  const StRecorderOptions options = {.run = run->options, .own = run->description};
  ST_TRY(st_recorder_create(run->description, &options, &run->recorder, error));
  ST_TRY(st_simulation_create(run->description, run->options->log, &run->simulation, error));
  if (run->options->systems)
    ST_TRY(st_simulation_keep_systems(run->simulation, run->options->systems, error));
  return st_recorder_open(run->recorder, run->simulation, error);
}

static void run_close(Run *run) {
  st_simulation_destroy(run->simulation);
  st_recorder_destroy(run->recorder);
}

static double seconds_left(const Run *run, double time) {
  double done = time - run->began_time;
  double rest = run->description->time.duration - time;
  return done > 0 ? (st_clock_seconds() - run->stepping_at) * rest / done : NAN;
}

static void report_progress(const Run *run, bool on_frame) {
  if (st_runtime_rank() != 0 || !run->options->progress)
    return;
  double time = st_simulation_time(run->simulation);
  StRunProgress progress = {
      .report = st_simulation_report(run->simulation),
      .time = time,
      .duration = run->description->time.duration,
      .frames_written = st_recorder_frame_count(run->recorder),
      .frame_count = st_simulation_frame_count(run->simulation),
      .on_frame = on_frame,
      .wall_seconds = st_recorder_wall_seconds(run->recorder),
      .seconds_left = seconds_left(run, time),
  };
  run->options->progress(run->options->context, &progress);
}

// Steps end within rounding of multiples of the interval; the tolerance absorbs that.
static double intervals_passed(double time, double interval) {
  return floor(time / interval + 1e-9);
}

// Depends on the scene and the committed times only, never on the clock.
static bool checkpoint_due(const Run *run, double before) {
  double interval = run->description->output.checkpoint_interval;
  if (st_simulation_finished(run->simulation))
    return true;
  if (!(interval > 0))
    return st_simulation_on_frame(run->simulation);
  return intervals_passed(st_simulation_time(run->simulation), interval) >
         intervals_passed(before, interval);
}

// Writes the files for the current state. before: time of the previous state, negative if there is
// none.
static StStatus put_out(Run *run, double before, StError *error) {
  StDue due = {.frame = st_simulation_on_frame(run->simulation),
               .checkpoint = before < 0 || checkpoint_due(run, before)};
  ST_TRY(st_recorder_add(run->recorder, due, NULL, error));
  report_progress(run, due.frame);
  return ST_OK;
}

// A checkpoint with data of a program cannot be resumed from the scene alone.
static StStatus check_program(const Run *run, const StCheckpoint *checkpoint, StError *error) {
  if (checkpoint->program_count == 0)
    return ST_OK;
  return st_fail(
      error, ST_BAD_INPUT,
      "%s: a program that recorded this run had moved things or changed parameters: only "
      "that program can resume it",
      run->options->folder);
}

static StStatus restore_state(Run *run, StError *error) {
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  ST_TRY(st_recorder_load(run->recorder, &checkpoint, error));
  ST_TRY(st_runtime_agree(check_program(run, &checkpoint, error), error));
  return st_simulation_restore(run->simulation, &checkpoint, error);
}

// The summary of a run that is continued no longer says how its last session ended.
static StStatus begin_at_checkpoint(Run *run, StError *error) {
  ST_TRY(restore_state(run, error));
  ST_TRY(st_recorder_begin(run->recorder, true, error));
  if (!st_simulation_finished(run->simulation))
    ST_TRY(st_recorder_publish_summary(run->recorder, "running", NULL, error));
  st_log(run->options->log, ST_INFO, "resumed at t = %g s (step %ld)",
         st_simulation_time(run->simulation), st_recorder_saved_step(run->recorder));
  return ST_OK;
}

// A run that was killed before its first checkpoint starts again.
static StStatus begin_at_start(Run *run, StError *error) {
  if (run->options->resume)
    st_log(run->options->log, ST_INFO, "there is no checkpoint yet: starting at t = 0");
  ST_TRY(st_recorder_begin(run->recorder, false, error));
  return put_out(run, -1, error);
}

static StStatus run_begin(Run *run, StError *error) {
  bool found = false;
  ST_TRY(st_recorder_find(run->recorder, &found, error));
  StStatus status = found ? begin_at_checkpoint(run, error) : begin_at_start(run, error);
  run->began_time = st_simulation_time(run->simulation);
  run->stepping_at = st_clock_seconds();
  if (status == ST_OK && found)
    report_progress(run, false);
  return status;
}

// A signal may have reached only some ranks, and only rank 0 looks for a request in the folder.
static bool stop_requested(const Run *run) {
  bool asked = (run->options->stop && *run->options->stop) ||
               (st_runtime_rank() == 0 && st_stop_requested(st_recorder_folder(run->recorder)));
  StError unused;
  return st_runtime_agree(asked ? ST_INTERRUPTED : ST_OK, &unused) != ST_OK;
}

// reason: "stopped on request", or why a program gave up.
static void report_interrupt(const Run *run, const char *reason, StError *error) {
  const StReport *report = st_simulation_report(run->simulation);
  if (st_description_has_callbacks(run->description))
    st_fail(error, ST_INTERRUPTED,
            "%.1000s at t = %g s (step %ld); everything is saved; resume it from the program",
            reason, report->time, report->step);
  else
    st_fail(
        error, ST_INTERRUPTED,
        "%.1000s at t = %g s (step %ld); everything is saved; continue with \"stiction resume %s\"",
        reason, report->time, report->step, run->options->folder);
}

static StStatus run_interrupt(Run *run, const char *reason, StError *error) {
  if (!st_recorder_is_saved(run->recorder))
    ST_TRY(st_recorder_save(run->recorder, NULL, error));
  report_interrupt(run, reason, error);
  StError second = {0};
  if (st_recorder_publish_summary(run->recorder, "interrupted", reason, &second) != ST_OK)
    st_log(run->options->log, ST_WARNING, "%s", second.text);
  return ST_INTERRUPTED;
}

static StStatus run_step(Run *run, StError *error) {
  StError why = {0};
  StStatus status = st_simulation_step(run->simulation, &why);
  if (status == ST_INTERRUPTED)
    return run_interrupt(run, why.text, error);
  if (status != ST_OK)
    *error = why;
  return status;
}

static StStatus run_loop(Run *run, StError *error) {
  while (!st_simulation_finished(run->simulation)) {
    if (stop_requested(run))
      return run_interrupt(run, "stopped on request", error);
    double before = st_simulation_time(run->simulation);
    ST_TRY(run_step(run, error));
    ST_TRY(put_out(run, before, error));
  }
  return st_recorder_publish_summary(run->recorder, "finished", NULL, error);
}

static void append(StError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(StError *error, const char *format, ...) {
  size_t used = strlen(error->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
  va_end(arguments);
}

// Saves what can be saved after a failure, without replacing the error by another one.
static void run_fail(Run *run, StStatus status, StError *error) {
  const StReport *report = st_simulation_report(run->simulation);
  StError second = {0};
  StStatus saved = ST_OK;
  if (status == ST_NOT_SOLVED && !st_recorder_is_saved(run->recorder))
    saved = st_recorder_save(run->recorder, NULL, &second);
  if (st_runtime_rank() == 0 && saved == ST_OK)
    saved = st_recorder_publish_tables(run->recorder, &second);
  if (saved == ST_OK)
    saved = st_recorder_publish_summary(run->recorder, "failed", error->text, &second);
  if (saved != ST_OK)
    st_log(run->options->log, ST_WARNING, "after the failure: %s", second.text);
  if (status == ST_NOT_SOLVED && st_recorder_is_saved(run->recorder))
    append(error, "; the last good state (t = %g s) is saved in %s", report->time,
           run->options->folder);
  if (status == ST_SYSTEM_FAULT && st_recorder_saved_step(run->recorder) >= 0)
    append(error,
           "; the run stopped at t = %g s: fix this and continue with \"stiction resume %s\"",
           report->time, run->options->folder);
}

StStatus st_run(const StDescription *description, const StRunOptions *options, StError *error) {
  StError own = {0};
  Run run = {.description = description, .options = options};
  StStatus status = run_open(&run, &own);
  if (status == ST_OK)
    status = run_begin(&run, &own);
  if (status == ST_OK) {
    status = run_loop(&run, &own);
    if (status != ST_OK && status != ST_INTERRUPTED)
      run_fail(&run, status, &own);
  }
  run_close(&run);
  if (error)
    *error = own;
  return status;
}
