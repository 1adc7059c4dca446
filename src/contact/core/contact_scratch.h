// Scratch memory for a search or for the derivatives of one contact. Each set has its
// own, and nothing in it outlives a call.
#pragma once

#include "base/status.h"
#include "math/scalar.h"

enum { ST_CONTACT_WORK_FORCE = 6 }; // numbers per entry: those of the force, and as much room

typedef struct StContactScratch {
  int room;          // capacity of the arrays below, in stencil entries
  double *real;      // [room][12], or more; …
  size_t real_count; // … this many numbers
  // [room][12]: the first 9 per entry are for callers that ask for a contact's force, the last 3
  // for the velocities that friction uses.
  StDual *dual;
  size_t dense_capacity, jacobian_capacity, batch_capacity, slot_capacity;
  double *dense, *jacobian, *batch; // returned by the functions below
  int *slot;
} StContactScratch;

StStatus st_contact_scratch_create(StContactScratch **work, StError *error);
void st_contact_scratch_destroy(StContactScratch *work); // NULL is fine

// Makes room for a stencil of `count`; false: out of memory.
bool st_contact_scratch_reserve(StContactScratch *work, int count);

// Makes room in `real` for the forces on stencils with `entries` entries in all, or for as many as
// are worth computing at once; false: out of memory.
bool st_contact_scratch_reserve_forces(StContactScratch *work, size_t entries);

// Uninitialised numbers, valid until the next call; NULL: out of memory. One buffer is for
// providers, one for callers that ask them for a Jacobian, one for many Jacobians at once, one for
// indices into a matrix.
double *st_contact_scratch_dense(StContactScratch *work, size_t numbers);
double *st_contact_scratch_jacobian(StContactScratch *work, size_t numbers);
double *st_contact_scratch_batch(StContactScratch *work, size_t numbers);
int *st_contact_scratch_slots(StContactScratch *work, size_t numbers);
