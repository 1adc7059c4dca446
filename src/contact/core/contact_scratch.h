// Scratch memory for a search or for the derivatives of one touch. Nothing in it outlives a call,
// so all sets of a rank share one.
#ifndef ST_CONTACT_CORE_CONTACT_SCRATCH_H
#define ST_CONTACT_CORE_CONTACT_SCRATCH_H

#include "base/status.h"
#include "math/scalar.h"

enum { ST_TOUCH_WORK_FORCE = 6 }; // numbers per entry: those of the force, and as much room

typedef struct StTouchWork {
  int room;          // capacity of the arrays below, in stencil entries
  double *real;      // [room][19], or more: …
  size_t real_count; // … so many numbers
  // [room][19]: the first 9 per entry are for callers that ask for a touch's force, the last 3 for
  // the velocities that friction uses, the rest for providers.
  StDual *dual;
  size_t dense_capacity, jacobian_capacity, batch_capacity, slot_capacity;
  double *dense, *jacobian, *batch; // returned by the functions below
  int *slot;
} StTouchWork;

StStatus st_touch_work_create(StTouchWork **work, StError *error);
void st_touch_work_destroy(StTouchWork *work); // NULL is fine

// Makes room for a stencil of `count`; false: out of memory.
bool st_touch_work_reserve(StTouchWork *work, int count);

// Makes room in `real` for the forces on stencils of so many entries in all, or on as many as are
// worth doing at once; false: out of memory.
bool st_touch_work_reserve_forces(StTouchWork *work, size_t entries);

// Uninitialised numbers, valid until the next call; NULL: out of memory. One buffer is for
// providers, one for callers that ask them for a Jacobian, one for many Jacobians at once, one for
// indices into a matrix.
double *st_touch_work_dense(StTouchWork *work, size_t numbers);
double *st_touch_work_jacobian(StTouchWork *work, size_t numbers);
double *st_touch_work_batch(StTouchWork *work, size_t numbers);
int *st_touch_work_slots(StTouchWork *work, size_t numbers);

#endif
