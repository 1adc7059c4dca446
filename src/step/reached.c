// A short list, the newest first.
#include "step/reached.h"

#include "base/memory.h"

#include <string.h>

StStatus st_reached_create(size_t size, StReached *reached, StError *error) {
  *reached = (StReached){0};
  for (int k = 0; k < ST_REACHED_MOST; k++)
    if (!(reached->place[k].position = ST_NEW(double, size)))
      return st_fail_memory(error);
  return ST_OK;
}

void st_reached_destroy(StReached *reached) {
  for (int k = 0; k < ST_REACHED_MOST; k++)
    free(reached->place[k].position);
}

double *st_reached_add(StReached *reached, double time, double ah) {
  double *room = reached->place[ST_REACHED_MOST - 1].position;
  memmove(reached->place + 1, reached->place, (ST_REACHED_MOST - 1) * sizeof reached->place[0]);
  reached->place[0].position = room;
  reached->place[0].time = time;
  reached->place[0].ah = ah;
  if (reached->count < ST_REACHED_MOST)
    reached->count++;
  return room;
}
