// Locking, checking and preparing the folder of a run.
#include "output/run_folder.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// What a run leaves in its folder besides run.json, the frames and the series.
static const char *const FILES[] = {"checkpoint.h5", "history.csv", "summary.json",
                                    "pressure_volume.svg", "scene.json"};

char *st_run_folder_file(const char *folder, const char *name) {
  StText path = {0};
  st_text_add(&path, "%s/%s", folder, name);
  if (path.failed)
    st_text_free(&path);
  return path.data;
}

static bool holds(const char *folder, const char *name) {
  char *path = st_run_folder_file(folder, name);
  struct stat about;
  bool there = path && stat(path, &about) == 0;
  free(path);
  return there;
}

static StStatus check_resumed(const char *folder, StError *error) {
  if (!holds(folder, "run.json"))
    return st_fail(error, ST_BAD_INPUT,
                   "%s: holds no run to resume (run.json is missing); start one with "
                   "\"stiction run SCENE.json --out %s\"",
                   folder, folder);
  return ST_OK;
}

// A folder with a scene.json of the user's own is never written into, not even when asked to
// overwrite: only what run.json vouches for is ours to replace.
static StStatus check_new(const char *folder, bool overwrite, StError *error) {
  if (holds(folder, "run.json")) {
    if (overwrite)
      return ST_OK;
    return st_fail(error, ST_BAD_INPUT,
                   "%s: already holds a run; continue it with \"stiction resume %s\", replace it "
                   "with --overwrite, or choose another folder with --out",
                   folder, folder);
  }
  const char *found = holds(folder, "frames") ? "frames" : NULL;
  for (int i = 0; i < ST_LENGTH(FILES) && !found; i++)
    found = holds(folder, FILES[i]) ? FILES[i] : NULL;
  if (found)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: holds \"%s\", which no run of Stiction has put there; choose another "
                   "folder with --out",
                   folder, found);
  return ST_OK;
}

StStatus st_run_folder_check(const StRunOptions *options, StError *error) {
  if (options->resume)
    return check_resumed(options->folder, error);
  return check_new(options->folder, options->overwrite, error);
}

// The lock goes with the process, however it ends.
static StStatus lock_folder(StRunFolder *folder, StError *error) {
  char *path = st_run_folder_file(folder->path, ".lock");
  if (!path)
    return st_fail_memory(error);
  folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  StStatus status = ST_OK;
  if (folder->lock < 0)
    status = st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be made: %s", path, strerror(errno));
  else if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    status = st_fail(error, ST_BAD_INPUT,
                     "%s: another run is writing there at this moment; wait until it ends or "
                     "choose another folder with --out",
                     folder->path);
  free(path);
  return status;
}

typedef bool (*Chosen)(const char *name);

static bool ends_in(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_unfinished(const char *name) {
  return ends_in(name, ".vtu.tmp");
}

static bool is_frame(const char *name) {
  return strncmp(name, "frame_", 6) == 0 && (ends_in(name, ".vtu") || is_unfinished(name));
}

static void remove_frames(const StRunFolder *folder, Chosen chosen) {
  char *path = st_run_folder_file(folder->path, "frames");
  DIR *frames = path ? opendir(path) : NULL;
  for (struct dirent *entry; frames && (entry = readdir(frames));)
    if (chosen(entry->d_name))
      unlinkat(dirfd(frames), entry->d_name, 0);
  if (frames)
    closedir(frames);
  free(path);
}

static void remove_file(const StRunFolder *folder, const char *name, bool also_final) {
  char *path = st_run_folder_file(folder->path, name);
  StText unfinished = {0};
  st_text_add(&unfinished, "%s.tmp", path ? path : "");
  if (path && also_final)
    unlink(path);
  if (path && !unfinished.failed)
    unlink(unfinished.data);
  st_text_free(&unfinished);
  free(path);
}

// What a killed run has left half-written goes; for a new run what it had finished goes as well,
// the checkpoint first: killed in between, nothing may claim that frames are there which are not.
static void clean(const StRunFolder *folder, const char *old_series, bool also_final) {
  for (int i = 0; i < ST_LENGTH(FILES); i++)
    remove_file(folder, FILES[i], also_final);
  remove_frames(folder, also_final ? is_frame : is_unfinished);
  remove_file(folder, "run.json", false);
  if (old_series)
    remove_file(folder, old_series, also_final);
}

static StStatus write_named(const StRunFolder *folder, const char *name, const char *data,
                            size_t size, StError *error) {
  char *path = st_run_folder_file(folder->path, name);
  StStatus status = path ? st_file_write(path, data, size, error) : st_fail_memory(error);
  free(path);
  return status;
}

static StStatus begin_new(const StRunFolder *folder, const StFacts *facts,
                          const StRunOptions *options, StError *error) {
  char *frames = st_run_folder_file(folder->path, "frames");
  char *run = st_run_folder_file(folder->path, "run.json");
  StFacts old = {0};
  StStatus status = frames && run ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    bool replaces = st_facts_read(run, &old, NULL) == ST_OK;
    clean(folder, replaces ? old.series : NULL, true);
    status = st_facts_write(run, facts, error);
  }
  if (status == ST_OK && options->scene_text)
    status = write_named(folder, "scene.json", options->scene_text, options->scene_size, error);
  if (status == ST_OK)
    status = st_folder_create(frames, error);
  st_facts_free(&old);
  free(run);
  free(frames);
  return status;
}

static StStatus begin_resumed(StRunFolder *folder, const StFacts *facts, StError *error) {
  char *run = st_run_folder_file(folder->path, "run.json");
  StFacts old = {0};
  StStatus status = run ? st_facts_read(run, &old, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = st_facts_compare(run, &old, facts, error);
  if (status == ST_OK) {
    clean(folder, old.series, false);
    free(folder->series);
    folder->series = old.series;
    old.series = NULL;
  }
  st_facts_free(&old);
  free(run);
  return status;
}

static StStatus prepare(const StDescription *description, const StRunOptions *options,
                        StRunFolder *folder, StError *error) {
  ST_TRY(st_folder_create(options->folder, error));
  ST_TRY(lock_folder(folder, error));
  // Again, now that nobody else can change it.
  ST_TRY(st_run_folder_check(options, error));
  StFacts facts = {0};
  StStatus status = st_facts_gather(description, options, &facts, error);
  if (status == ST_OK) {
    folder->scene_crc = facts.scene_crc;
    folder->series = st_copy_string(facts.series);
    status = folder->series ? ST_OK : st_fail_memory(error);
  }
  if (status == ST_OK)
    status = options->resume ? begin_resumed(folder, &facts, error)
                             : begin_new(folder, &facts, options, error);
  st_facts_free(&facts);
  return status;
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

void st_run_folder_close(StRunFolder *folder) {
  if (folder->lock >= 0)
    close(folder->lock);
  free(folder->path);
  free(folder->series);
  *folder = (StRunFolder){.lock = -1};
}
