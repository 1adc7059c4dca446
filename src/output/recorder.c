// Writes the files of a run.
// Tested by tests/output/test_run.c and tests/api/test_api_record.c.
#include "output/recorder.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/contact_table.h"
#include "output/frame.h"
#include "output/history.h"
#include "output/obstacle_table.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "output/summary.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct StRecorder {
  const StDescription *description, *own;
  const StRunOptions *options;
  StSimulation *simulation;
  bool driven;
  pid_t process; // which writes
  StFrameFormat format;
  StFrameWriter *frames;
  bool writes; // this is rank 0; all below is complete only there
  StRunFolder folder;
  StHistory *history;
  StContactTable *contacts; // NULL if nothing may touch
  StObstacleTable *obstacles;
  StWritten written;
  size_t frame_capacity;
  long total_newton, total_linear, total_retries;
  long saved_step;    // step of the last checkpoint, -1 before the first
  double saved_time;  // of that, s
  double began_at;    // clock at the start of this session
  double wall_before; // wall seconds of earlier sessions
  double peak_memory; // bytes, over all ranks, at the last update
  double sent;        // likewise, bytes sent between ranks
  double processor;   // CPU seconds of all ranks over all sessions, likewise; …
  double processor_before, processor_began; // … of earlier sessions; of this process so far
};

static double wall_seconds(const StRecorder *recorder) {
  return recorder->wall_before + st_clock_seconds() - recorder->began_at;
}

static double processor_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Collective. What processes share counts once: each has used all of it when it was cut into
// pieces.
static void update_usage(StRecorder *recorder) {
  struct rusage usage;
  double own = getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
  own = fmax(0, own - (double)st_description_joined(recorder->description));
  recorder->peak_memory = st_runtime_sum(own);
  recorder->sent = st_runtime_sum(st_simulation_sent(recorder->simulation));
  double now = st_runtime_sum(processor_seconds() - recorder->processor_began);
  recorder->processor = recorder->processor_before + now;
}

// The folder comes last: an old run is not given up for one that cannot be written.
static StStatus open_writers(StRecorder *recorder, StError *error) {
  const StReport *first = st_simulation_report(recorder->simulation);
  if (first->possible_pairs > ST_HISTORY_PAIRS)
    st_log(recorder->options->log, ST_INFO,
           "history.csv has columns for %d of %lld contact pairs; contacts.csv has all that touch",
           ST_HISTORY_PAIRS, (long long)first->possible_pairs);
  ST_TRY(st_history_create(first, &recorder->history, error));
  ST_TRY(st_obstacle_table_create(&recorder->obstacles, error));
  ST_TRY(st_run_folder_open(recorder->description, recorder->options, &recorder->folder, error));
  recorder->written.scene_crc = recorder->folder.scene_crc;
  return ST_OK;
}

// A run goes on in the format it began with, whoever resumes it. Rank 0 knows that of the folder.
static StStatus open_frames(StRecorder *recorder, StError *error) {
  bool hdf = recorder->writes && st_series_format(recorder->folder.series) == ST_FRAMES_VTKHDF;
  recorder->format = st_runtime_sum(hdf) > 0 ? ST_FRAMES_VTKHDF : ST_FRAMES_VTU;
  return st_runtime_agree(
      st_frame_writer_create(recorder->description, recorder->format, &recorder->frames, error),
      error);
}

StStatus st_recorder_create(const StDescription *description, const StRecorderOptions *options,
                            StRecorder **result, StError *error) {
  StRecorder *recorder = ST_NEW(StRecorder, 1);
  ST_TRY(st_runtime_agree(recorder ? ST_OK : st_fail_memory(error), error));
  *recorder = (StRecorder){.description = description,
                           .own = options->own,
                           .options = options->run,
                           .driven = options->driven,
                           .process = getpid(),
                           .writes = st_runtime_rank() == 0,
                           .folder = {.lock = -1},
                           .saved_step = -1,
                           .saved_time = NAN,
                           .began_at = st_clock_seconds(),
                           .processor_began = processor_seconds()};
  StStatus status = recorder->writes ? st_run_folder_check(options->run, error) : ST_OK;
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    *result = recorder;
  else
    st_recorder_destroy(recorder);
  return status;
}

bool st_recorder_is_here(const StRecorder *recorder) {
  return recorder->process == getpid();
}

void st_recorder_destroy(StRecorder *recorder) {
  if (!recorder)
    return;
  if (!st_recorder_is_here(recorder))
    recorder->folder.begun = false; // nothing in it is this one's to remove
  st_history_destroy(recorder->history);
  st_contact_table_destroy(recorder->contacts);
  st_obstacle_table_destroy(recorder->obstacles);
  st_frame_writer_destroy(recorder->frames);
  st_written_free(&recorder->written);
  st_run_folder_close(&recorder->folder);
  free(recorder);
}

StStatus st_recorder_open(StRecorder *recorder, StSimulation *simulation, StError *error) {
  recorder->simulation = simulation;
  ST_TRY(st_runtime_agree(recorder->writes ? open_writers(recorder, error) : ST_OK, error));
  return open_frames(recorder, error);
}

// Columns are places in the report, which forces that come and go move.
StStatus st_recorder_follow(StRecorder *recorder, StSimulation *simulation, StError *error) {
  recorder->simulation = simulation;
  if (!recorder->writes || st_history_fits(recorder->history, st_simulation_report(simulation)))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: the recording has ended: a change of parameters has added or removed forces, "
                 "which have columns in history.csv",
                 recorder->folder.path);
}

// A file of the folder; free() it. NULL: out of memory.
static char *file_of(const StRecorder *recorder, const char *name) {
  return st_run_folder_file(recorder->folder.path, name);
}

// The tables of all steps so far.
StStatus st_recorder_publish_tables(const StRecorder *recorder, StError *error) {
  if (recorder->contacts)
    ST_TRY(st_contact_table_flush(recorder->contacts, error));
  ST_FREE char *path = file_of(recorder, "history.csv");
  ST_FREE char *obstacles = file_of(recorder, "obstacles.csv");
  ST_TRY_MEMORY(path && obstacles, error);
  ST_TRY(st_obstacle_table_publish(recorder->obstacles, obstacles, error));
  return st_history_publish(recorder->history, path, error);
}

static StStatus write_checkpoint(const StRecorder *recorder, const StCheckpoint *checkpoint,
                                 StError *error) {
  ST_FREE char *path = file_of(recorder, "checkpoint.h5");
  StWritten written = recorder->written;
  ST_TRY_MEMORY(path, error);
  written.history_rows = st_history_rows(recorder->history);
  written.history_crc = (uint32_t *)st_history_crc(recorder->history); // only read
  if (recorder->contacts) {
    StContactsWritten contacts = st_contact_table_written(recorder->contacts);
    written.contacts_size = contacts.size;
    written.contacts_crc = contacts.crc;
  }
  return st_checkpoint_write(path, checkpoint, &written, error);
}

static StStatus publish_figures(const StRecorder *recorder, const char *state, const char *reason,
                                const StZoneCourse *zones, StError *error) {
  StSummary summary = {
      .description = recorder->description,
      .state = state,
      .reason = reason,
      .report = st_simulation_report(recorder->simulation),
      .zones = zones,
      .total_newton = recorder->total_newton,
      .total_linear = recorder->total_linear,
      .total_retries = recorder->total_retries,
      .wall_seconds = wall_seconds(recorder),
      .processor_seconds = recorder->processor,
      .ranks = st_runtime_size(),
      .threads = st_simulation_threads(recorder->simulation),
      .frames_written = recorder->written.frame_count,
      .frame_count = recorder->driven ? recorder->written.frame_count
                                      : st_simulation_frame_count(recorder->simulation),
      .peak_memory = (long)recorder->peak_memory,
      .sent = recorder->sent,
      .series = recorder->folder.series,
  };
  ST_FREE char *path = file_of(recorder, "summary.json");
  ST_TRY_MEMORY(path, error);
  return st_summary_write(path, &summary, error);
}

static StStatus publish_course(const StRecorder *recorder, const char *state, const char *reason,
                               StError *error) {
  if (st_simulation_report(recorder->simulation)->zone_count == 0)
    return publish_figures(recorder, state, reason, NULL, error);
  ST_FINALLY(st_zone_course_free) StZoneCourse zones = {0};
  ST_TRY(st_history_zones(recorder->history, &zones, error));
  return publish_figures(recorder, state, reason, &zones, error);
}

StStatus st_recorder_publish_summary(StRecorder *recorder, const char *state, const char *reason,
                                     StError *error) {
  update_usage(recorder);
  return st_runtime_agree(recorder->writes ? publish_course(recorder, state, reason, error) : ST_OK,
                          error);
}

static StStatus list_frame(StRecorder *recorder, const StSnapshot *snapshot, StError *error) {
  StWritten *written = &recorder->written;
  ST_TRY_MEMORY(st_grow((void **)&written->frame_time, &recorder->frame_capacity,
                        (size_t)written->frame_count + 1, sizeof(double)),
                error);
  written->frame_time[written->frame_count++] = snapshot->time;
  ST_TRY(st_obstacle_table_add(recorder->obstacles, recorder->own, snapshot->time, error));
  ST_FREE char *path = file_of(recorder, recorder->folder.series);
  ST_TRY_MEMORY(path, error);
  ST_TRY(st_series_write(path, written->frame_time, written->frame_count, error));
  return st_recorder_publish_tables(recorder, error);
}

// They are numbered as they are written. Collective.
static StStatus write_frame(const StRecorder *recorder, const StSnapshot *snapshot,
                            StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  int number = (int)st_runtime_max(recorder->writes ? recorder->written.frame_count : 0);
  st_frame_name(recorder->format, number, name);
  ST_FREE char *path = st_run_folder_file(recorder->options->folder, name);
  StStatus status = st_runtime_agree(path ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = st_frame_write(recorder->frames, path, snapshot, error);
  return status;
}

static StStatus save_frame(StRecorder *recorder, StError *error) {
  const StOutputDesc *output = &recorder->description->output;
  ST_FINALLY(st_snapshot_free) StSnapshot snapshot = {0};
  ST_TRY(st_simulation_snapshot_rows(
      recorder->simulation, st_frame_writer_vertices(recorder->frames),
      st_frame_writer_tets(recorder->frames), output->forces, output->stress, &snapshot, error));
  StStatus status = write_frame(recorder, &snapshot, error);
  if (status == ST_OK)
    status =
        st_runtime_agree(recorder->writes ? list_frame(recorder, &snapshot, error) : ST_OK, error);
  return status;
}

// The tables go first: a checkpoint never counts rows that are not on disk.
static StStatus publish_state(StRecorder *recorder, StCheckpoint *checkpoint, StError *error) {
  checkpoint->frame = recorder->written.frame_count - 1;
  checkpoint->total_newton = recorder->total_newton;
  checkpoint->total_linear = recorder->total_linear;
  checkpoint->total_retries = recorder->total_retries;
  checkpoint->wall_seconds = wall_seconds(recorder);
  checkpoint->processor_seconds = recorder->processor;
  ST_TRY(st_recorder_publish_tables(recorder, error));
  return write_checkpoint(recorder, checkpoint, error);
}

StStatus st_recorder_save(StRecorder *recorder, const StProgram *program, StError *error) {
  update_usage(recorder);
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  ST_TRY(st_simulation_checkpoint(recorder->simulation, &checkpoint, error));
  StStatus status = ST_OK;
  if (program)
    status = st_runtime_agree(program->keep(program->context, &checkpoint, error), error);
  if (status == ST_OK && recorder->writes)
    status = publish_state(recorder, &checkpoint, error);
  ST_TRY(st_runtime_agree(status, error));
  recorder->saved_step = st_simulation_report(recorder->simulation)->step;
  recorder->saved_time = st_simulation_time(recorder->simulation);
  return ST_OK;
}

static StStatus record_report(StRecorder *recorder, StError *error) {
  const StReport *report = st_simulation_report(recorder->simulation);
  recorder->total_newton += report->newton_iterations;
  recorder->total_linear += report->linear_iterations;
  recorder->total_retries += report->retries;
  if (recorder->contacts)
    ST_TRY(st_contact_table_add(recorder->contacts, report, error));
  return st_history_add(recorder->history, report, error);
}

static StStatus load_history(StRecorder *recorder, StError *error) {
  ST_FREE char *path = file_of(recorder, "history.csv");
  StStatus status =
      path ? st_history_load(recorder->history, path, recorder->written.history_crc,
                             recorder->written.history_rows, recorder->options->log, error)
           : st_fail_memory(error);
  free(recorder->written.history_crc); // the history keeps them from here on
  recorder->written.history_crc = NULL;
  return status;
}

// Reads the poses of obstacles of the frames up to the checkpoint.
static StStatus load_obstacles(StRecorder *recorder, double time, StError *error) {
  ST_FREE char *path = file_of(recorder, "obstacles.csv");
  ST_TRY_MEMORY(path, error);
  ST_TRY(st_obstacle_table_load(recorder->obstacles, path, error));
  st_obstacle_table_cut(recorder->obstacles, nextafter(time, INFINITY));
  return ST_OK;
}

StStatus st_recorder_add_frame(StRecorder *recorder, StError *error) {
  return save_frame(recorder, error);
}

StStatus st_recorder_add(StRecorder *recorder, StDue due, const StProgram *program,
                         StError *error) {
  ST_TRY(st_runtime_agree(recorder->writes ? record_report(recorder, error) : ST_OK, error));
  if (due.frame)
    ST_TRY(save_frame(recorder, error));
  if (due.checkpoint)
    ST_TRY(st_recorder_save(recorder, program, error));
  return due.frame ? st_recorder_publish_summary(recorder, "running", NULL, error) : ST_OK;
}

// resumed: whether the table goes on.
static StStatus open_contacts(StRecorder *recorder, bool resumed, StError *error) {
  if (!recorder->writes || st_simulation_report(recorder->simulation)->pair_count == 0)
    return ST_OK;
  ST_FREE char *path = file_of(recorder, "contacts.csv");
  if (!path)
    return st_fail_memory(error);
  else if (resumed)
    ST_TRY(st_contact_table_resume(
        path, (StContactsWritten){recorder->written.contacts_size, recorder->written.contacts_crc},
        recorder->options->log, &recorder->contacts, error));
  else
    ST_TRY(st_contact_table_create(path, &recorder->contacts, error));
  return ST_OK;
}

static StStatus load(StRecorder *recorder, const char *path, StCheckpoint *checkpoint,
                     StError *error) {
  StWritten written = {0};
  ST_TRY(st_checkpoint_read(path, checkpoint, &written, error));
  if (written.scene_crc != recorder->folder.scene_crc) {
    st_written_free(&written);
    return st_fail(error, ST_BAD_INPUT, "%s: belongs to a different scene than run.json", path);
  }
  recorder->written = written;
  recorder->frame_capacity = (size_t)written.frame_count;
  recorder->total_newton = checkpoint->total_newton;
  recorder->total_linear = checkpoint->total_linear;
  recorder->total_retries = checkpoint->total_retries;
  recorder->wall_before = checkpoint->wall_seconds;
  recorder->processor_before = recorder->processor = checkpoint->processor_seconds;
  ST_TRY(load_obstacles(recorder, checkpoint->time, error));
  return load_history(recorder, error);
}

StStatus st_recorder_load(StRecorder *recorder, StCheckpoint *checkpoint, StError *error) {
  ST_FREE char *path = file_of(recorder, "checkpoint.h5");
  StStatus status = path ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && recorder->writes)
    status = load(recorder, path, checkpoint, error);
  return st_runtime_agree(status, error);
}

// An unreadable checkpoint still counts: treating it as missing would overwrite it.
StStatus st_recorder_find(const StRecorder *recorder, bool *found, StError *error) {
  *found = false;
  if (!recorder->options->resume)
    return ST_OK;
  ST_FREE char *path = st_run_folder_file(recorder->options->folder, "checkpoint.h5");
  StStatus status = path ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && recorder->writes)
    status = st_file_find(path, found, error);
  ST_TRY(st_runtime_agree(status, error));
  *found = st_runtime_sum(*found) > 0;
  return ST_OK;
}

// Resuming cuts off rows behind the checkpoint, so it comes after all that may fail.
StStatus st_recorder_begin(StRecorder *recorder, bool resumed, StError *error) {
  ST_TRY(st_runtime_agree(open_contacts(recorder, resumed, error), error));
  if (recorder->writes)
    st_run_folder_begin(&recorder->folder);
  if (resumed) {
    update_usage(recorder);
    recorder->saved_step = st_simulation_report(recorder->simulation)->step;
    recorder->saved_time = st_simulation_time(recorder->simulation);
  }
  return ST_OK;
}

StStatus st_recorder_cut(StRecorder *recorder, double time, StError *error) {
  StStatus status = ST_OK;
  if (recorder->writes) {
    StWritten *written = &recorder->written;
    while (written->frame_count > 0 && !(written->frame_time[written->frame_count - 1] < time))
      written->frame_count--;
    st_history_cut(recorder->history, time);
    st_obstacle_table_cut(recorder->obstacles, time);
    if (recorder->contacts)
      status = st_contact_table_cut(recorder->contacts, time, error);
  }
  recorder->saved_step = -1;
  return st_runtime_agree(status, error);
}

double st_recorder_last_frame(const StRecorder *recorder) {
  const StWritten *written = &recorder->written;
  double mine = recorder->writes && written->frame_count > 0
                    ? written->frame_time[written->frame_count - 1]
                    : -INFINITY;
  return st_runtime_max(mine);
}

bool st_recorder_is_saved(const StRecorder *recorder) {
  return recorder->saved_step == st_simulation_report(recorder->simulation)->step &&
         recorder->saved_time == st_simulation_time(recorder->simulation);
}

long st_recorder_saved_step(const StRecorder *recorder) {
  return recorder->saved_step;
}

const char *st_recorder_folder(const StRecorder *recorder) {
  return recorder->folder.path;
}

int st_recorder_frame_count(const StRecorder *recorder) {
  return recorder->written.frame_count;
}

double st_recorder_wall_seconds(const StRecorder *recorder) {
  return wall_seconds(recorder);
}
