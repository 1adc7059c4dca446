// Starts `stiction run` or `stiction resume` for each combination, several at a time.
#include "app/batch_run.h"

#include "app/command.h"
#include "app/progress.h"
#include "app/scene_source.h"
#include "app/signals.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/run_folder.h"
#include "replay/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum Deed { RUN, RESUME, REPLACE, NOTHING } Deed;

typedef struct Job {
  pid_t process; // 0: none
  int run;
  double begun;
  bool asked; // asked to stop
} Job;

char *st_batch_folder(const StBatch *sweep, int run) {
  return st_format("%s/run-%03d", sweep->out, run + 1);
}

// "KEY=VALUE" of every key that varies, after the fixed ones; [*count], free() all but the first
// set_count and the list.
static char **assignments(const StBatch *sweep, int run, int *count) {
  char **list = ST_NEW(char *, sweep->set_count + sweep->values.key_count + 1);
  *count = sweep->set_count;
  for (int i = 0; i < sweep->set_count && list; i++)
    list[i] = (char *)sweep->set[i];
  for (int k = 0; k < sweep->values.key_count && list; k++) {
    StText text = {0};
    st_text_add(&text, "%s=%s", sweep->values.varied[k].key,
                st_batch_value(&sweep->values, run, k));
    list[(*count)++] = text.failed ? NULL : text.data;
    if (text.failed)
      st_text_free(&text);
  }
  return list;
}

static void free_assignments(const StBatch *sweep, char **list, int count) {
  for (int i = sweep->set_count; i < count && list; i++)
    free(list[i]);
  free(list);
}

static StStatus read_run(const StBatch *sweep, int run, StSceneSource *source, StError *error) {
  int count;
  char **set = assignments(sweep, run, &count);
  StStatus status = set ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < count && status == ST_OK; i++)
    status = set[i] ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_scene_source_read(sweep->scene, (const char *const *)set, count, source, error);
  free_assignments(sweep, set, count);
  return status;
}

static bool has_file(const char *folder, const char *name) {
  ST_FREE char *path = st_run_folder_file(folder, name);
  return path && st_file_exists(path);
}

static StStatus decide(const StBatch *sweep, int run, Deed *deed, StError *error) {
  ST_FINALLY(st_scene_source_free) StSceneSource source = {0};
  ST_TRY(read_run(sweep, run, &source, error));
  ST_FREE char *folder = st_batch_folder(sweep, run);
  StStatus status = folder ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && !has_file(folder, "run.json"))
    *deed = RUN;
  else if (status == ST_OK && sweep->overwrite)
    *deed = REPLACE;
  else if (status == ST_OK && !st_run_folder_holds(folder, "scene.json", source.text, source.size))
    status = st_fail(error, ST_BAD_INPUT,
                     "%s holds a run of another scene or other values; --overwrite replaces it, "
                     "--out chooses another folder",
                     folder);
  else if (status == ST_OK)
    *deed = st_folder_state(folder).state == ST_RECORDING_FINISHED ? NOTHING
            : has_file(folder, "checkpoint.h5")                    ? RESUME
                                                                   : REPLACE;
  return status;
}

StStatus st_batch_check(const StBatch *sweep, StError *error) {
  for (int run = 0; run < sweep->values.run_count; run++) {
    Deed deed = RUN;
    ST_TRY(decide(sweep, run, &deed, error));
  }
  ST_FINALLY(st_scene_source_free) StSceneSource source = {0};
  ST_FINALLY(st_description_destroy_at) StDescription *description = NULL;
  ST_TRY(read_run(sweep, 0, &source, error));
  return st_scene_source_parse(&source, &description, error);
}

// In the child: output goes to OUT/run-001.log. Returns only if nothing could be started.
static void become(const StBatch *sweep, Deed deed, const char *folder, char **set, int count) {
  char log[PATH_MAX];
  const char **argument = ST_NEW(const char *, 2 * (size_t)count + 10);
  int n = 0;
  snprintf(log, sizeof log, "%s.log", folder);
  int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!argument || file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
    return;
  argument[n++] = "stiction";
  argument[n++] = deed == RESUME ? "resume" : "run";
  argument[n++] = deed == RESUME ? folder : sweep->scene;
  for (int i = 0; i < count && deed != RESUME; i++) {
    argument[n++] = "--set";
    argument[n++] = set[i];
  }
  if (deed != RESUME) {
    argument[n++] = "--out";
    argument[n++] = folder;
  }
  if (deed == REPLACE)
    argument[n++] = "--overwrite";
  // Runs share the cores; each uses one.
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  execv("/proc/self/exe", (char *const *)argument);
}

static StStatus start(const StBatch *sweep, int run, Deed deed, Job *job, StError *error) {
  int count;
  char *folder = st_batch_folder(sweep, run), **set = assignments(sweep, run, &count);
  StStatus status = folder && set ? ST_OK : st_fail_memory(error);
  fflush(NULL);
  pid_t process = status == ST_OK ? fork() : -1;
  if (process == 0) {
    setpgid(0, 0); // Ctrl-C reaches it through us
    become(sweep, deed, folder, set, count);
    _exit(ST_EXIT_SYSTEM_FAULT);
  }
  if (status == ST_OK && process < 0)
    status = st_fail(error, ST_SYSTEM_FAULT, "no process could be started: %s", strerror(errno));
  *job = (Job){process > 0 ? process : 0, run, st_clock_seconds(), false};
  free_assignments(sweep, set, count);
  free(folder);
  return status;
}

static void name_run(const StBatch *sweep, int run, StText *text) {
  for (int k = 0; k < sweep->values.key_count; k++)
    st_text_add(text, "%s%s=%s", k ? ", " : "", sweep->values.varied[k].key,
                st_batch_value(&sweep->values, run, k));
}

// The last line of a run's log: why it failed.
static void last_words(const StBatch *sweep, int run, StText *text) {
  ST_FINALLY(st_text_free) StText path = {0};
  ST_FREE char *log = NULL;
  size_t size;
  st_text_add(&path, "%s/run-%03d.log", sweep->out, run + 1);
  if (!path.failed && st_file_read(path.data, &log, &size, NULL) == ST_OK) {
    while (size > 0 && log[size - 1] == '\n')
      log[--size] = 0;
    char *line = strrchr(log, '\n');
    st_text_add(text, ": %.300s", line ? line + 1 : log);
  }
}

static void report(const StBatch *sweep, int run, int done, const char *outcome, bool failed) {
  StText text = {0};
  if (sweep->quiet && !failed)
    return;
  st_text_add(&text, "[%d/%d] run-%03d ", done, sweep->values.run_count, run + 1);
  name_run(sweep, run, &text);
  st_text_add(&text, ": %s", outcome);
  if (failed)
    last_words(sweep, run, &text);
  if (!text.failed && st_command_prints())
    fprintf(failed ? stderr : stdout, "%s\n", text.data);
  fflush(stdout);
  st_text_free(&text);
}

// Forwards a stop request to all running jobs, once: a second one would end them unsaved.
static void pass_on(const StBatch *sweep, Job *job, volatile sig_atomic_t *stop) {
  for (int j = 0; j < sweep->jobs && *stop; j++)
    if (job[j].process && !job[j].asked) {
      kill(job[j].process, SIGINT);
      job[j].asked = true;
    }
}

// Waits for one of the jobs; false: none is running.
static bool finish_one(const StBatch *sweep, Job *job, volatile sig_atomic_t *stop, int *done,
                       int *failed) {
  const struct timespec a_while = {0, 20000000};
  int status;
  pid_t process;
  while ((process = waitpid(-1, &status, WNOHANG)) == 0 || (process < 0 && errno == EINTR)) {
    pass_on(sweep, job, stop);
    nanosleep(&a_while, NULL);
  }
  for (int j = 0; j < sweep->jobs && process > 0; j++)
    if (job[j].process == process) {
      char outcome[64], wall[32];
      int code = WIFEXITED(status) ? WEXITSTATUS(status) : ST_EXIT_BUG;
      st_duration_text(st_clock_seconds() - job[j].begun, wall, sizeof wall);
      if (code == ST_EXIT_GOOD)
        snprintf(outcome, sizeof outcome, "finished in %s", wall);
      else
        snprintf(outcome, sizeof outcome, "%s (exit code %d)",
                 code == ST_EXIT_INTERRUPTED ? "interrupted" : "failed", code);
      *failed += code != ST_EXIT_GOOD;
      report(sweep, job[j].run, ++*done, outcome, code != ST_EXIT_GOOD);
      job[j].process = 0;
    }
  return process > 0;
}

static int free_job(const StBatch *sweep, const Job *job) {
  for (int j = 0; j < sweep->jobs; j++)
    if (!job[j].process)
      return j;
  return -1;
}

static StStatus run_all(const StBatch *sweep, Job *job, volatile sig_atomic_t *stop, int *failed,
                        StError *error) {
  int done = 0;
  StStatus status = ST_OK;
  for (int run = 0; run < sweep->values.run_count && status == ST_OK && !*stop; run++) {
    Deed deed = RUN;
    status = decide(sweep, run, &deed, error);
    if (status == ST_OK && deed == NOTHING)
      report(sweep, run, ++done, "finished before", false);
    if (status != ST_OK || deed == NOTHING)
      continue;
    while (free_job(sweep, job) < 0)
      finish_one(sweep, job, stop, &done, failed);
    if (!*stop)
      status = start(sweep, run, deed, &job[free_job(sweep, job)], error);
  }
  while (finish_one(sweep, job, stop, &done, failed))
    ;
  return status;
}

StStatus st_batch_run(const StBatch *sweep, int *failed, StError *error) {
  ST_TRY(st_folder_create(sweep->out, error));
  ST_FREE Job *job = ST_NEW(Job, sweep->jobs);
  ST_TRY_MEMORY(job, error);
  volatile sig_atomic_t *stop = st_signals_listen();
  *failed = 0;
  ST_TRY(run_all(sweep, job, stop, failed, error));
  if (*stop)
    return st_fail(error, ST_INTERRUPTED,
                   "interrupted; run the same command again to continue the runs in %s",
                   sweep->out);
  return ST_OK;
}
