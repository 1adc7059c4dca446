// Contacts as cliques of the matrix.
// Tested by tests/step/test_stage_contact.c.
#include "step/contact_room.h"

#include "base/memory.h"
#include "contact/core/rigid_contact.h"

#include <string.h>

struct StContactRoom {
  size_t start_capacity, slot_start_capacity, member_capacity, slot_capacity;
  size_t *start, *slot_start; // [count + 1]
  int *member, *slot;
  int count; // cliques: of contacts, or of all contacts in a row that have the same carriers
  size_t contact_capacity, carried_capacity;
  size_t *contact_start; // [contacts] first slot
  bool *carried;         // [contacts]
  size_t contacts;
  StContactSlots slots;
  // What the slots belong to:
  size_t known_start_capacity, known_capacity;
  size_t *known_start; // [known_count + 1]
  int *known, known_count;
  const int *pattern; // of the matrix; NULL: nothing
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
  free(room->known_start);
  free(room->known);
  free(room->contact_start);
  free(room->carried);
  free(room);
}

const StContactSlots *st_contact_room_slots(const StContactRoom *room) {
  return &room->slots;
}

static void add_clique(StContactRoom *room, size_t size) {
  room->start[room->count + 1] = room->start[room->count] + size;
  room->slot_start[room->count + 1] = room->slot_start[room->count] + size * size;
  room->count++;
}

static void add_places(StContactRoom *room, const int *place, size_t size, int vertex_count) {
  int *member = room->member + room->start[room->count];
  for (size_t k = 0; k < size; k++)
    member[k] = place[k] < vertex_count ? place[k] : -1;
  add_clique(room, size);
}

static void add_carriers(StContactRoom *room, const StRigidContact *bodies) {
  int *member = room->member + room->start[room->count];
  for (int b = 0; b < bodies->count; b++)
    memcpy(member + ST_CARRIERS * b, bodies->carrier[b], ST_CARRIERS * sizeof(int));
  add_clique(room, ST_CARRIERS * (size_t)bodies->count);
}

static void add_list(StContactRoom *room, const StContactSet *set, const StContactArray *list,
                     int vertex_count) {
  StRigidContact bodies, last = {.count = 0};
  for (int t = 0; t < list->count; t++, room->contacts++) {
    const StContact *contact = &list->contact[t];
    st_rigid_contact(set, list, contact, &bodies);
    if (bodies.count == 0)
      add_places(room, st_contact_array_places(list, contact), (size_t)contact->count,
                 vertex_count);
    else if (last.count == 0 || !st_rigid_contact_same(&bodies, &last))
      add_carriers(room, &bodies);
    room->contact_start[room->contacts] = room->slot_start[room->count - 1];
    room->carried[room->contacts] = bodies.count > 0;
    last = bodies;
  }
}

// Contacts of now and, where they need slots or room of their own, those of the start of the step:
// all at once, because a new pattern copies the matrix.
static bool list_contacts(StContactRoom *room, const StContactSet *set, int vertex_count,
                          bool with_start) {
  size_t contacts = (size_t)set->now.count + (with_start ? (size_t)set->before->count : 0);
  size_t members = set->now.used + (with_start ? set->before->used : 0);
  members += ST_CONTACT_CARRIERS * contacts;
  if (!ST_GROW(room->start, room->start_capacity, contacts + 1) ||
      !ST_GROW(room->slot_start, room->slot_start_capacity, contacts + 1) ||
      !ST_GROW(room->contact_start, room->contact_capacity, contacts) ||
      !ST_GROW(room->carried, room->carried_capacity, contacts) ||
      !ST_GROW(room->member, room->member_capacity, members))
    return false;
  room->count = 0;
  room->contacts = 0;
  room->start[0] = room->slot_start[0] = 0;
  add_list(room, set, &set->now, vertex_count);
  if (with_start)
    add_list(room, set, set->before, vertex_count);
  return true;
}

static bool clear_slots(StContactRoom *room) {
  size_t slots = room->slot_start[room->count];
  if (!ST_GROW(room->slot, room->slot_capacity, slots))
    return false;
  if (slots > 0)
    memset(room->slot, 0xff, slots * sizeof(int));
  return true;
}

static bool is_known(const StContactRoom *room, const StBlockMatrix *matrix) {
  if (room->pattern != matrix->column || room->known_count != room->count)
    return false;
  size_t members = room->start[room->count];
  return memcmp(room->known_start, room->start, ((size_t)room->count + 1) * sizeof(size_t)) == 0 &&
         (members == 0 || memcmp(room->known, room->member, members * sizeof(int)) == 0);
}

static bool remember(StContactRoom *room, const StBlockMatrix *matrix) {
  size_t contacts = (size_t)room->count + 1, members = room->start[room->count];
  room->pattern = NULL;
  if (!ST_GROW(room->known_start, room->known_start_capacity, contacts) ||
      !ST_GROW(room->known, room->known_capacity, members + 1))
    return false;
  memcpy(room->known_start, room->start, contacts * sizeof(size_t));
  if (members > 0)
    memcpy(room->known, room->member, members * sizeof(int));
  room->known_count = room->count;
  room->pattern = matrix->column;
  return true;
}

// At rest, and in the last iterations of Newton's method, contacts are the same as before.
StStatus st_contact_room_make(StContactRoom *room, StBlockMatrix *matrix, const StContactSet *set,
                              int vertex_count, bool keep, bool *changed, StError *error) {
  *changed = false;
  if (!list_contacts(room, set, vertex_count, !keep || st_contact_set_lagged(set)))
    return st_fail_memory(error);
  StCliques cliques = {room->start, room->slot_start, room->member, room->count};
  bool known = keep && is_known(room, matrix);
  if (!known && !clear_slots(room))
    return st_fail_memory(error);
  room->slots = (StContactSlots){room->slot, room->contact_start, room->carried, set->now.count,
                                 room->contacts};
  if (known)
    return ST_OK;
  if (!keep || !st_block_matrix_look_up(matrix, &cliques, room->slot))
    ST_TRY(st_block_matrix_fit(matrix, &cliques, keep, changed, room->slot, error));
  return remember(room, matrix) ? ST_OK : st_fail_memory(error);
}
