// Room to compute in: what a search or the derivatives of one touch need while they last. Nothing
// in it outlives a call, so that all sets of a rank share one.
#ifndef ST_CONTACT_TOUCH_WORK_H
#define ST_CONTACT_TOUCH_WORK_H

#include "base/status.h"
#include "math/scalar.h"

typedef struct StTouchWork {
  int room;     // stencil entries that the arrays below have room for
  double *real; // [room][19]
  // [room][19]: the first 9 per entry are for those who ask for a touch's force, the last 3 for
  // what its friction takes for velocities, the rest for providers.
  StDual *dual;
  size_t dense_capacity, jacobian_capacity, batch_capacity, slot_capacity;
  double *dense, *jacobian, *batch; // what the functions below hand out
  int *slot;
} StTouchWork;

StStatus st_touch_work_create(StTouchWork **work, StError *error);
void st_touch_work_destroy(StTouchWork *work); // NULL is fine

// Room for a stencil of `count`; false when memory is short.
bool st_touch_work_reserve(StTouchWork *work, int count);

// Room for some numbers, of any content, until it is asked again; NULL when memory is short. One is
// for providers, one for those who ask them for a Jacobian, one for many Jacobians at once, one for
// places in a matrix.
double *st_touch_work_dense(StTouchWork *work, size_t numbers);
double *st_touch_work_jacobian(StTouchWork *work, size_t numbers);
double *st_touch_work_batch(StTouchWork *work, size_t numbers);
int *st_touch_work_slots(StTouchWork *work, size_t numbers);

#endif
