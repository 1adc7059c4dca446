// Seconds of a clock that never jumps, for differences.
#pragma once

#include <time.h>

static inline double st_clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
