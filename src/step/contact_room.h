// Entries for contacts in a system's matrix: blocks that couple the vertices of each contact, and
// their slots.
#pragma once

#include "force/force.h"

typedef struct StContactRoom StContactRoom;

StStatus st_contact_room_create(StContactRoom **room, StError *error);
void st_contact_room_destroy(StContactRoom *room); // NULL is fine

// Adds entries for the contacts of a set, now and at the start of the step. keep: keeps earlier
// ones. *changed: the pattern has changed, and the values are zero. vertex_count: vertices this
// rank knows.
StStatus st_contact_room_make(StContactRoom *room, StBlockMatrix *matrix, const StContactSet *set,
                              int vertex_count, bool keep, bool *changed, StError *error);

// For the set and the matrix of the last call.
const StContactSlots *st_contact_room_slots(const StContactRoom *room);
