// When and where something came to stop: from when on its speed stays below a limit for half a
// second. Fed with one state after the other, from a simulation or from its history.
#pragma once

#include <stdbool.h>

typedef struct StStop {
  bool stopped;
  double time, distance; // NAN unless slow at the end
} StStop;

typedef struct StStopWatch {
  double limit;  // m/s
  bool ringing;  // the mean speed over two steps is judged
  double start;  // m, where it began
  double before; // m/s, in the last state
  StStop stop;
} StStopWatch;

// The speed of `tr` rings about its mean from step to step, since the rule does not damp: the mean
// over two steps is judged there.
StStopWatch st_stop_watch(double limit, const char *integrator, double speed, double position);

// Returns whether it has stopped.
bool st_stop_watch_see(StStopWatch *watch, double time, double speed, double position);
