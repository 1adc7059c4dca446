// Allocation with overflow checks, zero-filled and 64-byte aligned so that batches vectorise; large
// arrays use huge pages where the system has them.
#pragma once

#include "base/status.h"

#include <stdbool.h>
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

// An object that owns arrays, which end with it. It remembers whether a request failed, so that a
// function that makes many arrays checks once, at its end. An owned array cannot grow.
#define ST_OWNER(type) ((type *)st_owner_new(sizeof(type)))
#define ST_OWN(owner, type, count) ((type *)st_owner_array(owner, (size_t)(count), sizeof(type)))
void *st_owner_new(size_t size); // zero-filled; NULL: out of memory
void *st_owner_array(void *owner, size_t count, size_t item_size); // as st_new_array
bool st_owner_is_whole(const void *owner); // false: it is NULL, or a request failed
void st_owner_free(void *owner);           // NULL is fine

// Ends a function that creates such an object: *result becomes it, or it is freed if it is not
// whole. result: the address of a pointer to the object.
StStatus st_owner_give(void *owner, void *result, StError *error);

// A variable of which a function is called when its block ends: of a pointer from ST_NEW, and of
// what another function frees, which gets the variable's address.
#define ST_FREE ST_FINALLY(st_free_at)
#define ST_FINALLY(function) __attribute__((cleanup(function)))

static inline void st_free_at(void *pointer) {
  free(*(void **)pointer);
}
