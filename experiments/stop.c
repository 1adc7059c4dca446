// Telling rest from a slow moment.
#include "stop.h"

#include <math.h>
#include <string.h>

static const double wait = 0.5; // s

StopWatch stop_watch(double limit, const char *integrator, double speed, double position) {
  return (StopWatch){.limit = limit,
                     .ringing = strncmp(integrator, "tr", 3) == 0,
                     .start = position,
                     .before = speed,
                     .stop = {.time = NAN, .distance = NAN}};
}

bool stop_watch_see(StopWatch *watch, double time, double speed, double position) {
  Stop *stop = &watch->stop;
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
