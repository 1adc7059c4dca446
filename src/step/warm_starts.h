// Warm starts: positions that bodies reach from the start of the step without passing through
// anything. They are solutions of earlier stages and of rejected attempts.
#pragma once

#include "base/status.h"

enum { ST_WARM_STARTS_MOST = 3 }; // the stages of one attempt and the first of the next

typedef struct StWarmStarts {
  int count;
  struct {
    double *position;           // [size]
    double time, ah;            // s, of the stage it solves: when, and its part of the step
  } place[ST_WARM_STARTS_MOST]; // the newest first
} StWarmStarts;

StStatus st_warm_starts_create(size_t size, StWarmStarts *reached, StError *error);
void st_warm_starts_destroy(StWarmStarts *reached);

// Makes room for a new place by dropping the oldest. The caller fills in its position.
double *st_warm_starts_add(StWarmStarts *reached, double time, double ah);
