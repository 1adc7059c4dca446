// Numbers distinct keys (bytes of any length) 0, 1, 2 … in the order they are first seen: node
// numbers of a file, names of groups, equal positions. Looking up takes constant time.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct StTableKey {
  size_t at, size; // in bytes[]
  uint64_t hash;
} StTableKey;

typedef struct StTable {
  size_t count, key_capacity;
  StTableKey *key;
  size_t byte_count, byte_capacity;
  char *bytes;
  size_t slot_count; // a power of two, at least twice the count
  int *slot;         // index of a key, -1 for a free slot
} StTable;

// Index of the key, added if new; -1: out of memory.
int st_table_add(StTable *table, const void *key, size_t size);
int st_table_find(const StTable *table, const void *key, size_t size); // -1: not there
void st_table_free(StTable *table);
