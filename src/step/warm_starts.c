// A short list, the newest first.
#include "step/warm_starts.h"

#include "base/memory.h"

#include <string.h>

StStatus st_warm_starts_create(size_t size, StWarmStarts *reached, StError *error) {
  *reached = (StWarmStarts){0};
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    if (!(reached->place[k].position = ST_NEW(double, size)))
      return st_fail_memory(error);
  return ST_OK;
}

void st_warm_starts_destroy(StWarmStarts *reached) {
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    free(reached->place[k].position);
}

double *st_warm_starts_add(StWarmStarts *reached, double time, double ah) {
  double *room = reached->place[ST_WARM_STARTS_MOST - 1].position;
  memmove(reached->place + 1, reached->place, (ST_WARM_STARTS_MOST - 1) * sizeof reached->place[0]);
  reached->place[0].position = room;
  reached->place[0].time = time;
  reached->place[0].ah = ah;
  if (reached->count < ST_WARM_STARTS_MOST)
    reached->count++;
  return room;
}
