// One session of a run, from start or resume to its end or a signal: what the user sees of it, and
// how Ctrl-C reaches it. Shared by the commands run and resume.
#ifndef ST_APP_RUN_SESSION_H
#define ST_APP_RUN_SESSION_H

#include "output/run.h"

typedef struct StManner {
  bool quiet;  // warnings and errors only
  bool strict; // what the judge finds is a failure
} StManner;

// Fills in progress, log and stop of the options, runs, and says how it went. Returns an exit code.
int st_run_session(const StDescription *description, StRunOptions *options, StManner manner);

#endif
