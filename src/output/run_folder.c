// Locks, checks and prepares the folder of a run.
#include "output/run_folder.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/facts.h"
#include "output/folder_lock.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Files of a run besides run.json, the frames and the series.
static const char *const FILES[] = {"checkpoint.h5", "history.csv",  "contacts.csv",
                                    "obstacles.csv", "summary.json", "scene.json"};

char *st_run_folder_file(const char *folder, const char *name) {
  return st_format("%s/%s", folder, name);
}

bool st_run_folder_holds(const char *folder, const char *name, const char *text, size_t size) {
  ST_FREE char *path = st_run_folder_file(folder, name), *data = NULL;
  size_t length = 0;
  return path && st_file_read(path, &data, &length, NULL) == ST_OK && length == size &&
         memcmp(data, text, size) == 0;
}

static StStatus find(const char *folder, const char *name, bool *found, StError *error) {
  ST_FREE char *path = st_run_folder_file(folder, name);
  ST_TRY_MEMORY(path, error);
  return st_file_find(path, found, error);
}

static StStatus check_resumed(const char *folder, StError *error) {
  bool found = false;
  ST_TRY(find(folder, "run.json", &found, error));
  if (!found)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: holds no run to resume (run.json is missing); start one with "
                   "\"stiction run SCENE.json --out %s\"",
                   folder, folder);
  return ST_OK;
}

static StStatus fail_foreign(const char *folder, const char *name, StError *error) {
  return st_fail(
      error, ST_BAD_INPUT,
      "%s: holds \"%s\", which is not from a Stiction run; choose another folder with --out",
      folder, name);
}

static StStatus check_foreign(const char *folder, const char *name, StError *error) {
  bool found = false;
  ST_TRY(find(folder, name, &found, error));
  return found ? fail_foreign(folder, name, error) : ST_OK;
}

// first: the name in the folder that is the first of all but the lock's; empty: none.
static StStatus first_entry(DIR *entries, const char *folder, char first[NAME_MAX + 1],
                            StError *error) {
  static const char *const OWN[] = {".", "..", ".lock"};
  first[0] = 0;
  errno = 0;
  for (struct dirent *entry; (entry = readdir(entries)); errno = 0) {
    bool own = false;
    for (int i = 0; i < ST_LENGTH(OWN); i++)
      own = own || strcmp(entry->d_name, OWN[i]) == 0;
    if (!own && (!first[0] || strcmp(entry->d_name, first) < 0))
      snprintf(first, NAME_MAX + 1, "%s", entry->d_name);
  }
  if (errno == 0)
    return ST_OK;
  return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be read: %s", folder, strerror(errno));
}

// A new run begins in a folder of its own: in "/" or among somebody's files, its files could not be
// told from theirs.
static StStatus check_empty(const char *folder, StError *error) {
  DIR *entries = opendir(folder);
  if (!entries && (errno == ENOENT || errno == ENOTDIR))
    return ST_OK; // it will be made, or that fails
  if (!entries)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be read: %s", folder, strerror(errno));
  char first[NAME_MAX + 1];
  StStatus status = first_entry(entries, folder, first, error);
  closedir(entries);
  return status == ST_OK && first[0] ? fail_foreign(folder, first, error) : status;
}

// Never writes into a folder with a user's own scene.json, not even with overwrite: only what
// run.json covers may be replaced. A staged run.json is enough: a run was killed while it prepared
// its folder. started: this run may have written there already, such as linear systems.
static StStatus check_new(const char *folder, bool overwrite, bool started, StError *error) {
  bool run = false, begun = false;
  ST_TRY(find(folder, "run.json", &run, error));
  ST_TRY(find(folder, "run.json.tmp", &begun, error));
  if (run && !overwrite)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: already holds a run; continue it with \"stiction resume %s\", replace it "
                   "with --overwrite, or choose another folder with --out",
                   folder, folder);
  if (run || begun)
    return ST_OK;
  if (!started)
    return check_empty(folder, error);
  for (int i = 0; i < ST_LENGTH(FILES); i++)
    ST_TRY(check_foreign(folder, FILES[i], error));
  ST_TRY(check_foreign(folder, ST_STOP_FILE, error));
  return check_foreign(folder, "frames", error);
}

static StStatus check(const StRunOptions *options, bool started, StError *error) {
  if (options->resume)
    return check_resumed(options->folder, error);
  return check_new(options->folder, options->overwrite, started, error);
}

StStatus st_run_folder_check(const StRunOptions *options, StError *error) {
  return check(options, false, error);
}

typedef bool (*Chosen)(const char *name);

static bool is_unfinished(const char *name) {
  return st_text_ends_in(name, ".vtu.tmp") || st_text_ends_in(name, ".vtkhdf.tmp");
}

static bool is_frame(const char *name) {
  return strncmp(name, "frame_", 6) == 0 &&
         (st_text_ends_in(name, ".vtu") || st_text_ends_in(name, ".vtkhdf") || is_unfinished(name));
}

static StStatus fail_removal(const char *path, StError *error) {
  return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be removed: %s", path, strerror(errno));
}

static StStatus remove_chosen(DIR *frames, const char *path, Chosen chosen, StError *error) {
  errno = 0;
  for (struct dirent *entry; (entry = readdir(frames)); errno = 0)
    if (chosen(entry->d_name) && unlinkat(dirfd(frames), entry->d_name, 0) != 0)
      return fail_removal(path, error);
  return errno == 0 ? ST_OK : fail_removal(path, error);
}

static StStatus remove_frames(const StRunFolder *folder, Chosen chosen, StError *error) {
  ST_FREE char *path = st_run_folder_file(folder->path, "frames");
  ST_TRY_MEMORY(path, error);
  DIR *frames = opendir(path);
  StStatus status = ST_OK;
  if (frames)
    status = remove_chosen(frames, path, chosen, error);
  else if (errno != ENOENT)
    status = fail_removal(path, error);
  if (frames)
    closedir(frames);
  return status;
}

static StStatus remove_file(const StRunFolder *folder, const char *name, StError *error) {
  ST_FREE char *path = st_run_folder_file(folder->path, name);
  ST_TRY_MEMORY(path, error);
  return unlink(path) == 0 || errno == ENOENT ? ST_OK : fail_removal(path, error);
}

static void unstage(const StRunFolder *folder, const char *name) {
  ST_FREE char *path = st_run_folder_file(folder->path, name);
  if (path)
    st_file_unstage(path);
}

// Leftovers of a killed run are harmless, so failing to remove them is not an error.
static void remove_unfinished(const StRunFolder *folder, const char *series) {
  for (int i = 0; i < ST_LENGTH(FILES); i++)
    unstage(folder, FILES[i]);
  unstage(folder, "run.json");
  unstage(folder, series);
  remove_frames(folder, is_unfinished, NULL);
}

// run.json goes first: if killed in between, there is no run to resume, and the staged run.json
// says whose files the rest are. Frames go last, after everything that refers to them.
static StStatus remove_old(const StRunFolder *folder, const char *series, StError *error) {
  ST_TRY(remove_file(folder, "run.json", error));
  if (series)
    ST_TRY(remove_file(folder, series, error));
  for (int i = 0; i < ST_LENGTH(FILES); i++)
    ST_TRY(remove_file(folder, FILES[i], error));
  return remove_frames(folder, is_frame, error);
}

// Without run.json, the files are those that another run prepared before it was killed; remove all
// of them before its staged run.json.
static StStatus remove_beginnings(const StRunFolder *folder, const char *frames, StError *error) {
  ST_TRY(remove_old(folder, NULL, error));
  return rmdir(frames) == 0 || errno == ENOENT ? ST_OK : fail_removal(frames, error);
}

// Of the run being replaced; *series stays NULL if its run.json is unreadable.
static StStatus find_old_series(const char *run, char **series, StError *error) {
  ST_FINALLY(st_facts_free) StFacts old = {0};
  StStatus status = st_facts_read(run, &old, error);
  *series = old.series;
  old.series = NULL;
  return status == ST_BAD_INPUT ? ST_OK : status;
}

typedef struct Paths {
  char *run, *scene, *frames;
} Paths;

static StStatus stage_new(const Paths *paths, const StFacts *facts, const StRunOptions *options,
                          StError *error) {
  StStatus status = st_facts_stage(paths->run, facts, error);
  if (status == ST_OK && options->scene_text)
    status = st_file_stage(paths->scene, options->scene_text, options->scene_size, error);
  if (status != ST_OK) {
    st_file_unstage(paths->scene);
    st_file_unstage(paths->run);
  }
  return status;
}

// Everything of the new run that can be written is on disk before anything of an old one is
// touched, and run.json appears when all is ready: a folder either contains a run or it does not,
// whatever fails in between.
static StStatus replace(const StRunFolder *folder, const Paths *paths, const StFacts *facts,
                        const StRunOptions *options, StError *error) {
  ST_FREE char *series = NULL;
  bool found = false;
  ST_TRY(st_file_find(paths->run, &found, error));
  ST_TRY(found ? find_old_series(paths->run, &series, error)
               : remove_beginnings(folder, paths->frames, error));
  ST_TRY(stage_new(paths, facts, options, error));
  if (found)
    ST_TRY(remove_old(folder, series, error));
  ST_TRY(st_folder_create(paths->frames, error));
  if (options->scene_text)
    ST_TRY(st_file_publish(paths->scene, error));
  ST_TRY(st_file_publish(paths->run, error));
  remove_unfinished(folder, series ? series : facts->series);
  return ST_OK;
}

static StStatus begin_new(const StRunFolder *folder, const StFacts *facts,
                          const StRunOptions *options, StError *error) {
  Paths paths = {.run = st_run_folder_file(folder->path, "run.json"),
                 .scene = st_run_folder_file(folder->path, "scene.json"),
                 .frames = st_run_folder_file(folder->path, "frames")};
  StStatus status = paths.run && paths.scene && paths.frames
                        ? replace(folder, &paths, facts, options, error)
                        : st_fail_memory(error);
  free(paths.run);
  free(paths.scene);
  free(paths.frames);
  return status;
}

static StStatus begin_resumed(StRunFolder *folder, const StFacts *facts, StError *error) {
  ST_FREE char *run = st_run_folder_file(folder->path, "run.json");
  ST_FINALLY(st_facts_free) StFacts old = {0};
  ST_TRY_MEMORY(run, error);
  ST_TRY(st_facts_read(run, &old, error));
  ST_TRY(st_facts_compare(run, &old, facts, error));
  free(folder->series);
  folder->series = old.series;
  old.series = NULL;
  return ST_OK;
}

static StStatus prepare(const StDescription *description, const StRunOptions *options,
                        StRunFolder *folder, StError *error) {
  ST_TRY(st_folder_create(options->folder, error));
  ST_TRY(st_folder_lock_take(folder->path, &folder->lock, error));
  // Again, now that nobody else can change it.
  ST_TRY(check(options, true, error));
  ST_FINALLY(st_facts_free) StFacts facts = {0};
  ST_TRY(st_facts_gather(description, options, &facts, error));
  folder->scene_crc = facts.scene_crc;
  folder->series = st_copy_string(facts.series);
  ST_TRY_MEMORY(folder->series, error);
  return options->resume ? begin_resumed(folder, &facts, error)
                         : begin_new(folder, &facts, options, error);
}

StStatus st_run_folder_open(const StDescription *description, const StRunOptions *options,
                            StRunFolder *folder, StError *error) {
  *folder = (StRunFolder){.path = st_copy_string(options->folder), .lock = -1};
  StStatus status =
      folder->path ? prepare(description, options, folder, error) : st_fail_memory(error);
  if (status != ST_OK)
    st_run_folder_close(folder);
  return status;
}

void st_run_folder_begin(StRunFolder *folder) {
  remove_unfinished(folder, folder->series);
  st_stop_withdraw(folder->path); // it was for an earlier run
  folder->begun = true;
}

void st_run_folder_close(StRunFolder *folder) {
  if (folder->begun)
    st_stop_withdraw(folder->path); // while no other run can have begun
  if (folder->lock >= 0)
    close(folder->lock);
  free(folder->path);
  free(folder->series);
  *folder = (StRunFolder){.lock = -1};
}
