// Runs of a sweep, side by side: each is a process of its own, so that one that fails takes nothing
// with it.
#ifndef ST_APP_BATCH_RUN_H
#define ST_APP_BATCH_RUN_H

#include "app/batch_values.h"

typedef struct StBatch {
  const char *scene, *out;
  StBatchValues values;
  int set_count;
  const char *const *set; // the same for all runs
  int jobs;
  bool overwrite, quiet;
} StBatch;

// Folder of a run: OUT/run-001; to free(). NULL: no memory.
char *st_batch_folder(const StBatch *sweep, int run);

// Before anything is started: every value can be set, and folders that are there hold runs of the
// same scene and values, unless they are to be replaced.
StStatus st_batch_check(const StBatch *sweep, StError *error);

// Starts what is not finished yet; a run that was interrupted goes on. failed: how many did not
// come to their end. ST_INTERRUPTED: stopped on request, what was under way is saved.
StStatus st_batch_run(const StBatch *sweep, int *failed, StError *error);

#endif
