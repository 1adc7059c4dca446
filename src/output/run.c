// The run driver: steps the simulation and writes the output that the scene asks for.
#include "output/run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/checkpoint.h"
#include "output/contact_table.h"
#include "output/folder_lock.h"
#include "output/run_folder.h"
#include "output/frame.h"
#include "output/history.h"
#include "output/series.h"
#include "output/summary.h"
#include "solve/runtime.h"
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct Run {
  const StDescription *description;
  const StRunOptions *options;
  StSimulation *simulation;
  StFrameFormat format;
  StFrameWriter *frames;
  bool writes; // this is rank 0; all below is complete only there
  StRunFolder folder;
  StHistory *history;
  StContactTable *contacts; // NULL if nothing may touch
  StWritten written;
  size_t frame_capacity;
  long total_newton, total_linear, total_retries;
  long saved_step;    // step of the last checkpoint, -1 before the first
  double began_at;    // clock at the start of this session
  double stepping_at; // clock when its first step began
  double wall_before; // wall seconds of earlier sessions
  double began_time;  // simulated time at the start of this session
  double peak_memory; // bytes, over all ranks, at the last update
  double sent;        // likewise, bytes sent between ranks
  double processor;   // CPU seconds of all ranks over all sessions, likewise; …
  double processor_before, processor_began; // … of earlier sessions; of this process so far
} Run;

static double wall_seconds(const Run *run) {
  return run->wall_before + st_clock_seconds() - run->began_at;
}

static double processor_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Collective. What processes share counts once: each has used all of it when it was cut into
// pieces.
static void update_usage(Run *run) {
  struct rusage usage;
  double own = getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
  own = fmax(0, own - (double)st_description_joined(run->description));
  run->peak_memory = st_runtime_sum(own);
  run->sent = st_runtime_sum(st_simulation_sent(run->simulation));
  double now = st_runtime_sum(processor_seconds() - run->processor_began);
  run->processor = run->processor_before + now;
}

// The folder comes last: an old run is not given up for one that cannot be written.
static StStatus open_writers(Run *run, StError *error) {
  const StReport *first = st_simulation_report(run->simulation);
  if (first->possible_pairs > ST_HISTORY_PAIRS)
    st_log(run->options->log, ST_INFO,
           "history.csv has columns for %d of %lld contact pairs; contacts.csv has all that touch",
           ST_HISTORY_PAIRS, (long long)first->possible_pairs);
  ST_TRY(st_history_create(first, &run->history, error));
  ST_TRY(st_run_folder_open(run->description, run->options, &run->folder, error));
  run->written.scene_crc = run->folder.scene_crc;
  return ST_OK;
}

// A run goes on in the format it began with, whoever resumes it. Rank 0 knows that of the folder.
static StStatus open_frames(Run *run, StError *error) {
  bool hdf = run->writes && st_series_format(run->folder.series) == ST_FRAMES_VTKHDF;
  run->format = st_runtime_sum(hdf) > 0 ? ST_FRAMES_VTKHDF : ST_FRAMES_VTU;
  return st_runtime_agree(
      st_frame_writer_create(run->description, run->format, &run->frames, error), error);
}

// Nothing is written before the simulation is known to start.
static StStatus run_open(Run *run, StError *error) {
  run->began_at = st_clock_seconds();
  run->processor_began = processor_seconds();
  StStatus status = run->writes ? st_run_folder_check(run->options, error) : ST_OK;
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(st_simulation_create(run->description, run->options->log, &run->simulation, error));
  if (run->options->systems)
    ST_TRY(st_simulation_keep_systems(run->simulation, run->options->systems, error));
  ST_TRY(st_runtime_agree(run->writes ? open_writers(run, error) : ST_OK, error));
  return open_frames(run, error);
}

static void run_close(Run *run) {
  st_simulation_destroy(run->simulation);
  st_history_destroy(run->history);
  st_contact_table_destroy(run->contacts);
  st_frame_writer_destroy(run->frames);
  st_written_free(&run->written);
  st_run_folder_close(&run->folder);
}

// A file of the folder; free() it. NULL: out of memory.
static char *file_of(const Run *run, const char *name) {
  return st_run_folder_file(run->folder.path, name);
}

// The tables of all steps so far.
static StStatus publish_tables(const Run *run, StError *error) {
  if (run->contacts)
    ST_TRY(st_contact_table_flush(run->contacts, error));
  ST_FREE char *path = file_of(run, "history.csv");
  ST_TRY_MEMORY(path, error);
  return st_history_publish(run->history, path, error);
}

static StStatus write_checkpoint(const Run *run, const StCheckpoint *checkpoint, StError *error) {
  ST_FREE char *path = file_of(run, "checkpoint.h5");
  StWritten written = run->written;
  ST_TRY_MEMORY(path, error);
  written.history_rows = st_history_rows(run->history);
  written.history_crc = (uint32_t *)st_history_crc(run->history); // only read
  if (run->contacts) {
    StContactsWritten contacts = st_contact_table_written(run->contacts);
    written.contacts_size = contacts.size;
    written.contacts_crc = contacts.crc;
  }
  return st_checkpoint_write(path, checkpoint, &written, error);
}

static StStatus publish_figures(const Run *run, const char *state, const char *reason,
                                const StZoneCourse *zones, StError *error) {
  StSummary summary = {
      .description = run->description,
      .state = state,
      .reason = reason,
      .report = st_simulation_report(run->simulation),
      .zones = zones,
      .total_newton = run->total_newton,
      .total_linear = run->total_linear,
      .total_retries = run->total_retries,
      .wall_seconds = wall_seconds(run),
      .processor_seconds = run->processor,
      .ranks = st_runtime_size(),
      .threads = st_simulation_threads(run->simulation),
      .frames_written = run->written.frame_count,
      .frame_count = st_simulation_frame_count(run->simulation),
      .peak_memory = (long)run->peak_memory,
      .sent = run->sent,
      .series = run->folder.series,
  };
  ST_FREE char *path = file_of(run, "summary.json");
  ST_TRY_MEMORY(path, error);
  return st_summary_write(path, &summary, error);
}

static StStatus publish_summary(const Run *run, const char *state, const char *reason,
                                StError *error) {
  if (st_simulation_report(run->simulation)->zone_count == 0)
    return publish_figures(run, state, reason, NULL, error);
  ST_FINALLY(st_zone_course_free) StZoneCourse zones = {0};
  ST_TRY(st_history_zones(run->history, &zones, error));
  return publish_figures(run, state, reason, &zones, error);
}

static StStatus list_frame(Run *run, const StSnapshot *snapshot, StError *error) {
  StWritten *written = &run->written;
  ST_CHECK(snapshot->frame == written->frame_count, error);
  ST_TRY_MEMORY(st_grow((void **)&written->frame_time, &run->frame_capacity,
                        (size_t)written->frame_count + 1, sizeof(double)),
                error);
  written->frame_time[written->frame_count++] = snapshot->time;
  ST_FREE char *path = file_of(run, run->folder.series);
  ST_TRY_MEMORY(path, error);
  ST_TRY(st_series_write(path, written->frame_time, written->frame_count, error));
  return publish_tables(run, error);
}

// Collective.
static StStatus write_frame(const Run *run, const StSnapshot *snapshot, StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  st_frame_name(run->format, snapshot->frame, name);
  ST_FREE char *path = st_run_folder_file(run->options->folder, name);
  StStatus status = st_runtime_agree(path ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = st_frame_write(run->frames, path, snapshot, error);
  return status;
}

static StStatus save_frame(Run *run, StError *error) {
  const StOutputDesc *output = &run->description->output;
  ST_FINALLY(st_snapshot_free) StSnapshot snapshot = {0};
  ST_TRY(st_simulation_snapshot_rows(run->simulation, st_frame_writer_vertices(run->frames),
                                     st_frame_writer_tets(run->frames), output->forces,
                                     output->stress, &snapshot, error));
  StStatus status = write_frame(run, &snapshot, error);
  if (status == ST_OK)
    status = st_runtime_agree(run->writes ? list_frame(run, &snapshot, error) : ST_OK, error);
  return status;
}

// The tables go first: a checkpoint never counts rows that are not on disk.
static StStatus publish_state(Run *run, StCheckpoint *checkpoint, StError *error) {
  checkpoint->total_newton = run->total_newton;
  checkpoint->total_linear = run->total_linear;
  checkpoint->total_retries = run->total_retries;
  checkpoint->wall_seconds = wall_seconds(run);
  checkpoint->processor_seconds = run->processor;
  ST_TRY(publish_tables(run, error));
  return write_checkpoint(run, checkpoint, error);
}

static StStatus save_state(Run *run, StError *error) {
  update_usage(run);
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  ST_TRY(st_simulation_checkpoint(run->simulation, &checkpoint, error));
  StStatus status = run->writes ? publish_state(run, &checkpoint, error) : ST_OK;
  ST_TRY(st_runtime_agree(status, error));
  run->saved_step = st_simulation_report(run->simulation)->step;
  return ST_OK;
}

static double seconds_left(const Run *run, double time) {
  double done = time - run->began_time;
  double rest = run->description->time.duration - time;
  return done > 0 ? (st_clock_seconds() - run->stepping_at) * rest / done : NAN;
}

static void report_progress(const Run *run, bool on_frame) {
  if (!run->writes || !run->options->progress)
    return;
  double time = st_simulation_time(run->simulation);
  StRunProgress progress = {
      .report = st_simulation_report(run->simulation),
      .time = time,
      .duration = run->description->time.duration,
      .frames_written = run->written.frame_count,
      .frame_count = st_simulation_frame_count(run->simulation),
      .on_frame = on_frame,
      .wall_seconds = wall_seconds(run),
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

static StStatus record_report(Run *run, StError *error) {
  const StReport *report = st_simulation_report(run->simulation);
  run->total_newton += report->newton_iterations;
  run->total_linear += report->linear_iterations;
  run->total_retries += report->retries;
  if (run->contacts)
    ST_TRY(st_contact_table_add(run->contacts, report, error));
  return st_history_add(run->history, report, error);
}

// Writes the files for the current state. before: time of the previous state, negative if there is
// none.
static StStatus put_out(Run *run, double before, StError *error) {
  bool on_frame = st_simulation_on_frame(run->simulation);
  ST_TRY(st_runtime_agree(run->writes ? record_report(run, error) : ST_OK, error));
  if (on_frame)
    ST_TRY(save_frame(run, error));
  if (before < 0 || checkpoint_due(run, before))
    ST_TRY(save_state(run, error));
  if (on_frame) {
    update_usage(run);
    StStatus status = run->writes ? publish_summary(run, "running", NULL, error) : ST_OK;
    ST_TRY(st_runtime_agree(status, error));
  }
  report_progress(run, on_frame);
  return ST_OK;
}

static StStatus load_history(Run *run, StError *error) {
  ST_FREE char *path = file_of(run, "history.csv");
  StStatus status = path ? st_history_load(run->history, path, run->written.history_crc,
                                           run->written.history_rows, run->options->log, error)
                         : st_fail_memory(error);
  free(run->written.history_crc); // the history keeps them from here on
  run->written.history_crc = NULL;
  return status;
}

// resumed: whether the table goes on.
static StStatus open_contacts(Run *run, bool resumed, StError *error) {
  if (!run->writes || st_simulation_report(run->simulation)->pair_count == 0)
    return ST_OK;
  ST_FREE char *path = file_of(run, "contacts.csv");
  if (!path)
    return st_fail_memory(error);
  else if (resumed)
    ST_TRY(st_contact_table_resume(
        path, (StContactsWritten){run->written.contacts_size, run->written.contacts_crc},
        run->options->log, &run->contacts, error));
  else
    ST_TRY(st_contact_table_create(path, &run->contacts, error));
  return ST_OK;
}

static StStatus load_state(Run *run, const char *path, StCheckpoint *checkpoint, StError *error) {
  StWritten written = {0};
  ST_TRY(st_checkpoint_read(path, checkpoint, &written, error));
  if (written.scene_crc != run->folder.scene_crc) {
    st_written_free(&written);
    return st_fail(error, ST_BAD_INPUT, "%s: belongs to a different scene than run.json", path);
  }
  run->written = written;
  run->frame_capacity = (size_t)written.frame_count;
  run->total_newton = checkpoint->total_newton;
  run->total_linear = checkpoint->total_linear;
  run->total_retries = checkpoint->total_retries;
  run->wall_before = checkpoint->wall_seconds;
  run->processor_before = run->processor = checkpoint->processor_seconds;
  return load_history(run, error);
}

static StStatus restore_state(Run *run, const char *path, StError *error) {
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  StStatus status = run->writes ? load_state(run, path, &checkpoint, error) : ST_OK;
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    status = st_simulation_restore(run->simulation, &checkpoint, error);
  if (status == ST_OK) // cuts off rows behind the checkpoint, so it comes last
    status = st_runtime_agree(open_contacts(run, true, error), error);
  return status;
}

// Whether there is a checkpoint to continue from; the same on all ranks. An unreadable checkpoint
// still counts: treating it as missing would overwrite it.
static StStatus find_checkpoint(const Run *run, const char *path, bool *found, StError *error) {
  *found = false;
  if (!run->options->resume)
    return ST_OK;
  StStatus status = ST_OK;
  if (run->writes)
    status = path ? st_file_find(path, found, error) : st_fail_memory(error);
  ST_TRY(st_runtime_agree(status, error));
  *found = st_runtime_sum(*found) > 0;
  return ST_OK;
}

// The summary of a run that is continued no longer says how its last session ended.
static StStatus begin_at_checkpoint(Run *run, const char *path, StError *error) {
  ST_TRY(restore_state(run, path, error));
  if (run->writes)
    st_run_folder_begin(&run->folder);
  update_usage(run);
  StStatus status = ST_OK;
  if (run->writes && !st_simulation_finished(run->simulation))
    status = publish_summary(run, "running", NULL, error);
  ST_TRY(st_runtime_agree(status, error));
  run->saved_step = st_simulation_report(run->simulation)->step;
  st_log(run->options->log, ST_INFO, "resumed at t = %g s (step %ld)",
         st_simulation_time(run->simulation), run->saved_step);
  return ST_OK;
}

// A run that was killed before its first checkpoint starts again.
static StStatus begin_at_start(Run *run, StError *error) {
  if (run->options->resume)
    st_log(run->options->log, ST_INFO, "there is no checkpoint yet: starting at t = 0");
  if (run->writes)
    st_run_folder_begin(&run->folder);
  ST_TRY(st_runtime_agree(open_contacts(run, false, error), error));
  return put_out(run, -1, error);
}

static StStatus run_begin(Run *run, StError *error) {
  ST_FREE char *path = st_run_folder_file(run->options->folder, "checkpoint.h5");
  bool found = false;
  StStatus status = find_checkpoint(run, path, &found, error);
  if (status == ST_OK)
    status = found ? begin_at_checkpoint(run, path, error) : begin_at_start(run, error);
  run->began_time = st_simulation_time(run->simulation);
  run->stepping_at = st_clock_seconds();
  if (status == ST_OK && found)
    report_progress(run, false);
  return status;
}

// A signal may have reached only some ranks, and only rank 0 looks for a request in the folder.
static bool stop_requested(const Run *run) {
  bool asked = (run->options->stop && *run->options->stop) ||
               (run->writes && st_stop_requested(run->folder.path));
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
  if (run->saved_step != st_simulation_report(run->simulation)->step)
    ST_TRY(save_state(run, error));
  report_interrupt(run, reason, error);
  update_usage(run);
  StError second = {0};
  StStatus status = run->writes ? publish_summary(run, "interrupted", reason, &second) : ST_OK;
  if (status != ST_OK)
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
  update_usage(run);
  StStatus status = run->writes ? publish_summary(run, "finished", NULL, error) : ST_OK;
  return st_runtime_agree(status, error);
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
  if (status == ST_NOT_SOLVED && run->saved_step != report->step)
    saved = save_state(run, &second);
  if (run->writes && saved == ST_OK)
    saved = publish_tables(run, &second);
  if (run->writes && saved == ST_OK)
    saved = publish_summary(run, "failed", error->text, &second);
  if (saved != ST_OK)
    st_log(run->options->log, ST_WARNING, "after the failure: %s", second.text);
  if (status == ST_NOT_SOLVED && run->saved_step == report->step)
    append(error, "; the last good state (t = %g s) is saved in %s", report->time,
           run->options->folder);
  if (status == ST_SYSTEM_FAULT && run->saved_step >= 0)
    append(error,
           "; the run stopped at t = %g s: fix this and continue with \"stiction resume %s\"",
           report->time, run->options->folder);
}

StStatus st_run(const StDescription *description, const StRunOptions *options, StError *error) {
  StError own = {0};
  Run run = {
      .description = description,
      .options = options,
      .writes = st_runtime_rank() == 0,
      .folder = {.lock = -1},
      .saved_step = -1,
  };
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
