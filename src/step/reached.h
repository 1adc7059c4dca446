// Positions that bodies have got to in this step without passing through anything: solutions of
// earlier stages, and of attempts that were rejected. Newton's method may start from any of them.
#ifndef ST_STEP_REACHED_H
#define ST_STEP_REACHED_H

#include "base/status.h"

enum { ST_REACHED_MOST = 3 }; // the stages of one attempt and the first of the next

typedef struct StReached {
  int count;
  struct {
    double *position;       // [size]
    double time, ah;        // s, of the stage it solves: when, and its part of the step
  } place[ST_REACHED_MOST]; // the newest first
} StReached;

StStatus st_reached_create(size_t size, StReached *reached, StError *error);
void st_reached_destroy(StReached *reached);

// Makes room for a new place by dropping the oldest. The caller fills in its position.
double *st_reached_add(StReached *reached, double time, double ah);

#endif
