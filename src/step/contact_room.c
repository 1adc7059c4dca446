// Touches as cliques of the matrix.
#include "step/contact_room.h"

#include "base/memory.h"

#include <string.h>

struct StContactRoom {
  size_t start_capacity, slot_start_capacity, member_capacity, slot_capacity;
  size_t *start, *slot_start; // [touches + 1]
  int *member, *slot;
  int count;
  StTouchSlots slots;
};

StStatus st_contact_room_create(StContactRoom **room, StError *error) {
  *room = ST_NEW(StContactRoom, 1);
  return *room ? ST_OK : st_fail_memory(error);
}

void st_contact_room_destroy(StContactRoom *room) {
  if (!room)
    return;
  free(room->start);
  free(room->slot_start);
  free(room->member);
  free(room->slot);
  free(room);
}

const StTouchSlots *st_contact_room_slots(const StContactRoom *room) {
  return &room->slots;
}

static void add_list(StContactRoom *room, const StTouchList *list, int vertex_count) {
  for (int t = 0; t < list->count; t++, room->count++) {
    const int *place = st_touch_list_places(list, &list->touch[t]);
    size_t size = (size_t)list->touch[t].count, from = room->start[room->count];
    for (size_t k = 0; k < size; k++)
      room->member[from + k] = place[k] < vertex_count ? place[k] : -1;
    room->start[room->count + 1] = from + size;
    room->slot_start[room->count + 1] = room->slot_start[room->count] + size * size;
  }
}

// Touches of now and of the start of the step, all at once, because a new pattern copies the
// matrix.
static bool list_touches(StContactRoom *room, const StTouchSet *set, int vertex_count) {
  size_t touches = (size_t)set->now.count + (size_t)set->before->count;
  if (!st_grow((void **)&room->start, &room->start_capacity, touches + 1, sizeof(size_t)) ||
      !st_grow((void **)&room->slot_start, &room->slot_start_capacity, touches + 1,
               sizeof(size_t)) ||
      !st_grow((void **)&room->member, &room->member_capacity, set->now.used + set->before->used,
               sizeof(int)))
    return false;
  room->count = 0;
  room->start[0] = room->slot_start[0] = 0;
  add_list(room, &set->now, vertex_count);
  add_list(room, set->before, vertex_count);
  size_t slots = room->slot_start[room->count];
  if (!st_grow((void **)&room->slot, &room->slot_capacity, slots, sizeof(int)))
    return false;
  if (slots > 0)
    memset(room->slot, 0xff, slots * sizeof(int));
  return true;
}

StStatus st_contact_room_make(StContactRoom *room, StBlockMatrix *matrix, const StTouchSet *set,
                              int vertex_count, bool keep, bool *changed, StError *error) {
  *changed = false;
  if (!list_touches(room, set, vertex_count))
    return st_fail_memory(error);
  StCliques cliques = {room->start, room->slot_start, room->member, room->count};
  room->slots = (StTouchSlots){room->slot, room->slot_start, set->now.count};
  return st_block_matrix_fit(matrix, &cliques, keep, changed, room->slot, error);
}
