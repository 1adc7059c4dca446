// Allocation with overflow checks, zero-filled and 64-byte aligned so that batches vectorise; large
// arrays use huge pages where the system has them.
#pragma once

#include <stddef.h>
#include <stdlib.h>

// Zero-filled array of count items; never NULL for count 0; NULL: out of memory. free() it.
void *st_new_array(size_t count, size_t item_size);

// The same uninitialised, for memory that is written before it is read: the system then assigns
// pages to the thread that touches them first.
void *st_room_array(size_t count, size_t item_size);

// Free memory goes back to the system, after work that took much for a while: the C library keeps
// what it was given in pieces, and every process of a machine would keep as much. bytes: of what
// was worked on; nothing happens for little.
void st_give_back(size_t bytes);

// Grows *array to hold at least needed items; returns 0 if out of memory (array unchanged).
int st_grow(void **array, size_t *capacity, size_t needed, size_t item_size);
#define ST_GROW(array, capacity, needed)                                                           \
  st_grow((void **)&(array), &(capacity), (size_t)(needed), sizeof *(array))

char *st_copy_string(const char *text); // NULL stays NULL

#define ST_NEW(type, count) ((type *)st_new_array((size_t)(count), sizeof(type)))
#define ST_ROOM(type, count) ((type *)st_room_array((size_t)(count), sizeof(type)))
#define ST_LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

// A variable of which a function is called when its block ends: of a pointer from ST_NEW, and of
// what another function frees, which gets the variable's address.
#define ST_FREE ST_FINALLY(st_free_at)
#define ST_FINALLY(function) __attribute__((cleanup(function)))

static inline void st_free_at(void *pointer) {
  free(*(void **)pointer);
}
