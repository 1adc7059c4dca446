// Runs of a sweep in parallel: each is a separate process, so that a failing one does not affect
// the others.
#pragma once

#include "app/batch_values.h"

typedef struct StBatch {
  const char *scene, *out;
  StBatchValues values;
  int set_count;
  const char *const *set; // the same for all runs
  int jobs;
  bool overwrite, quiet;
} StBatch;

// Folder of a run: OUT/run-001; to free(). NULL: out of memory.
char *st_batch_folder(const StBatch *sweep, int run);

// Before anything is started: checks that every value can be set, and that existing folders hold
// runs of the same scene and values, unless they are to be replaced.
StStatus st_batch_check(const StBatch *sweep, StError *error);

// Starts what is not finished yet and continues interrupted runs. failed: how many did not finish.
// ST_INTERRUPTED: stopped on request, running ones are saved.
StStatus st_batch_run(const StBatch *sweep, int *failed, StError *error);
