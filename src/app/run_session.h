// One session of a run, from start or resume to its end or a signal: its messages, and the handling
// of Ctrl-C. Shared by the commands run and resume.
#pragma once

#include "app/scene_source.h"
#include "output/run.h"

typedef struct StManner {
  bool quiet;  // warnings and errors only
  bool strict; // findings of the independent check are failures
} StManner;

// Fills in the scene, progress, log and stop of the options, runs, and reports the result. threads:
// 0: as the scene says. Returns an exit code.
int st_run_session(const StSceneSource *source, int threads, StRunOptions *options,
                   StManner manner);
