// Writes the files of a run step by step: frames, history, contacts, checkpoint, summary. The run
// driver (output/run.h), or the program that steps the simulation, passes each committed state on.
// Functions are collective; only rank 0 writes.
#pragma once

#include "output/checkpoint.h"
#include "output/run.h"
#include "step/simulation.h"

typedef struct StRecorder StRecorder;

typedef struct StRecorderOptions {
  const StRunOptions *run;  // folder, scene, resume, overwrite, log
  bool driven;              // by a program: how many frames there will be is not known
  const StDescription *own; // the simulation's, with the motions of its obstacles
} StRecorderOptions;

// Checks that a run may start there; writes nothing. `run` must outlive the recorder, and its
// strings too.
StStatus st_recorder_create(const StDescription *description, const StRecorderOptions *options,
                            StRecorder **recorder, StError *error);
void st_recorder_destroy(StRecorder *recorder); // NULL is fine

// False in a process that was forked meanwhile: the folder is the other one's.
bool st_recorder_is_here(const StRecorder *recorder);

// Opens the folder for this simulation, which is known to start.
StStatus st_recorder_open(StRecorder *recorder, StSimulation *simulation, StError *error);

// Goes on with another one of the same description. ST_BAD_INPUT: it has other columns.
StStatus st_recorder_follow(StRecorder *recorder, StSimulation *simulation, StError *error);

// Whether there is a checkpoint to resume from; the same on all ranks.
StStatus st_recorder_find(const StRecorder *recorder, bool *found, StError *error);

// Reads it, with what had been written then. On other ranks than the first it stays empty.
StStatus st_recorder_load(StRecorder *recorder, StCheckpoint *checkpoint, StError *error);

// Begins to write, at the start or in the state that was loaded.
StStatus st_recorder_begin(StRecorder *recorder, bool resumed, StError *error);

// The present state: a row, and where they are due a frame and a checkpoint. program: what a
// program keeps with the checkpoint; NULL: nothing.
typedef struct StDue {
  bool frame, checkpoint;
} StDue;

typedef struct StProgram {
  StStatus (*keep)(void *context, StCheckpoint *checkpoint, StError *error);
  void *context;
} StProgram;

StStatus st_recorder_add(StRecorder *recorder, StDue due, const StProgram *program, StError *error);
StStatus st_recorder_add_frame(StRecorder *recorder, StError *error); // without a row
StStatus st_recorder_save(StRecorder *recorder, const StProgram *program, StError *error);

// Drops rows and frames from a time (s) on: a program has gone back.
StStatus st_recorder_cut(StRecorder *recorder, double time, StError *error);

double st_recorder_last_frame(const StRecorder *recorder); // s; -INFINITY: there is none
bool st_recorder_is_saved(const StRecorder *recorder);     // the present state
long st_recorder_saved_step(const StRecorder *recorder);   // -1: none

// The summary, and with it the tables. state: "running", "finished", "interrupted", "failed".
StStatus st_recorder_publish_tables(const StRecorder *recorder, StError *error);
StStatus st_recorder_publish_summary(StRecorder *recorder, const char *state, const char *reason,
                                     StError *error);

const char *st_recorder_folder(const StRecorder *recorder);
int st_recorder_frame_count(const StRecorder *recorder); // written so far
double st_recorder_wall_seconds(const StRecorder *recorder);
