// Work space of contacts. Tested by tests/force/test_contact_loop.c.
#include "contact/core/contact_scratch.h"

#include "base/memory.h"

enum { FIRST_ROOM = 64, NUMBERS = 12 }; // numbers per stencil entry
enum { FORCES_AT_ONCE = 2048 };         // stencil entries

StStatus st_contact_scratch_create(StContactScratch **result, StError *error) {
  StContactScratch *work = ST_NEW(StContactScratch, 1);
  if (!work)
    return st_fail_memory(error);
  if (!st_contact_scratch_reserve(work, FIRST_ROOM)) {
    st_contact_scratch_destroy(work);
    return st_fail_memory(error);
  }
  *result = work;
  return ST_OK;
}

void st_contact_scratch_destroy(StContactScratch *work) {
  if (!work)
    return;
  free(work->real);
  free(work->dual);
  free(work->dense);
  free(work->jacobian);
  free(work->batch);
  free(work->slot);
  free(work);
}

bool st_contact_scratch_reserve(StContactScratch *work, int count) {
  if (count <= work->room)
    return true;
  size_t room = 2 * (size_t)count;
  size_t numbers = room * NUMBERS > work->real_count ? room * NUMBERS : work->real_count;
  double *real = ST_NEW(double, numbers);
  StDual *dual = ST_NEW(StDual, room * NUMBERS);
  if (!real || !dual) {
    free(real);
    free(dual);
    return false;
  }
  free(work->real);
  free(work->dual);
  work->real = real;
  work->real_count = numbers;
  work->dual = dual;
  work->room = (int)room;
  return true;
}

bool st_contact_scratch_reserve_forces(StContactScratch *work, size_t entries) {
  size_t numbers = ST_CONTACT_WORK_FORCE * (entries < FORCES_AT_ONCE ? entries : FORCES_AT_ONCE);
  return ST_GROW(work->real, work->real_count, numbers);
}

double *st_contact_scratch_dense(StContactScratch *work, size_t numbers) {
  bool good = ST_GROW(work->dense, work->dense_capacity, numbers);
  return good ? work->dense : NULL;
}

double *st_contact_scratch_jacobian(StContactScratch *work, size_t numbers) {
  bool good = ST_GROW(work->jacobian, work->jacobian_capacity, numbers);
  return good ? work->jacobian : NULL;
}

double *st_contact_scratch_batch(StContactScratch *work, size_t numbers) {
  bool good = ST_GROW(work->batch, work->batch_capacity, numbers);
  return good ? work->batch : NULL;
}

int *st_contact_scratch_slots(StContactScratch *work, size_t numbers) {
  bool good = ST_GROW(work->slot, work->slot_capacity, numbers);
  return good ? work->slot : NULL;
}
