// Telling rest from a slow moment.
#include "verify/stop.h"

#include <math.h>
#include <string.h>

static const double wait = 0.5; // s

StStopWatch st_stop_watch(double limit, const char *integrator, double speed, double position) {
  return (StStopWatch){.limit = limit,
                       .ringing = strncmp(integrator, "tr", 3) == 0,
                       .start = position,
                       .before = speed,
                       .stop = {.time = NAN, .distance = NAN}};
}

bool st_stop_watch_see(StStopWatch *watch, double time, double speed, double position) {
  StStop *stop = &watch->stop;
  double judged = watch->ringing ? (speed + watch->before) / 2 : speed;
  watch->before = speed;
  if (fabs(judged) >= watch->limit) {
    stop->time = stop->distance = NAN;
  } else if (isnan(stop->time)) {
    stop->time = time;
    stop->distance = position - watch->start;
  }
  stop->stopped = time - stop->time > wait;
  return stop->stopped;
}
