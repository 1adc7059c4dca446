// One run from its first step to its last, with all its files: called by `stiction run` and
// `stiction resume`. Collective: every rank calls with the same options; only rank 0 writes files.
#pragma once

#include "base/log.h"
#include "model/description.h"
#include "step/record.h"

#include <signal.h>

typedef struct StRunProgress {
  const StReport *report; // of the step just committed
  double time, duration;  // s, simulated
  int frames_written, frame_count;
  bool on_frame;       // a frame was written for this state
  double wall_seconds; // over all sessions
  double seconds_left; // estimated wall time; NAN while unknown
} StRunProgress;

typedef struct StRunOptions {
  const char *folder;     // where everything goes; created if missing
  const char *scene_path; // as the user gave it; NULL: the description came from elsewhere
  const char *scene_text; // copied to folder/scene.json; NULL: none, the run resumes only from C
  size_t scene_size;
  bool resume;         // continue from folder/checkpoint.h5
  const char *systems; // folder for linear systems that an iteration failed on, or NULL
  bool overwrite;      // replace a run that is already in the folder
  // Non-zero: stop after the current step; may be NULL. A request in the folder
  // (output/folder_lock.h) has the same effect.
  volatile sig_atomic_t *stop;
  // Called on rank 0 with the initial state of a session and after every committed step.
  void (*progress)(void *context, const StRunProgress *progress);
  void *context;
  const StLog *log;
} StRunOptions;

// Resuming gives the bits of the uninterrupted run on one rank because (1) when checkpoints fall
// depends on the scene alone, never on wall time, and (2) a simulation keeps nothing from one
// committed step to the next that changes results and is not in its checkpoint. By (2) the extra
// checkpoint of a stop request, between the scheduled ones, changes nothing either.
//
// ST_OK: ran to the end. ST_INTERRUPTED: stopped on request, saved, the text says how to go on.
// ST_NOT_SOLVED: the last good state is saved, the text says what was met, where and when.
StStatus st_run(const StDescription *description, const StRunOptions *options, StError *error);

// The data that `stiction resume DIR` needs to read the scene again; every rank reads. Fill
// StRunOptions with scene_path, scene_text and scene_size, and resolve relative paths in the scene
// against scene_folder.
typedef struct StResumeScene {
  char *scene_path;   // absolute, the original path of the scene
  char *scene_folder; // absolute
  char *scene_text;   // of folder/scene.json, ends in a 0 byte
  size_t scene_size;
} StResumeScene;

StStatus st_run_resume_load(const char *folder, StResumeScene *scene, StError *error);
void st_resume_scene_free(StResumeScene *scene); // frees the texts
