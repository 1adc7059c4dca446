// Open addressing over a growing arena of keys.
#include "mesh/table.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

// FNV-1a over the bytes, then a finaliser: FNV alone leaves the low bits of similar keys similar.
static uint64_t hash_bytes(const void *key, size_t size) {
  const unsigned char *byte = key;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ byte[i]) * 0x100000001b3u;
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
  return hash ^ (hash >> 32);
}

static size_t find_slot(const StTable *table, uint64_t hash, const void *key, size_t size) {
  size_t mask = table->slot_count - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    if (table->slot[i] < 0)
      return i;
    const StTableKey *known = &table->key[table->slot[i]];
    if (known->hash == hash && known->size == size &&
        memcmp(table->bytes + known->at, key, size) == 0)
      return i;
  }
}

static int double_slots(StTable *table) {
  size_t slot_count = table->slot_count ? 2 * table->slot_count : 64;
  int *slot = malloc(slot_count * sizeof *slot);
  if (!slot)
    return 0;
  for (size_t i = 0; i < slot_count; i++)
    slot[i] = -1;
  for (size_t k = 0; k < table->count; k++) {
    size_t i = table->key[k].hash & (slot_count - 1);
    while (slot[i] >= 0)
      i = (i + 1) & (slot_count - 1);
    slot[i] = (int)k;
  }
  free(table->slot);
  table->slot = slot;
  table->slot_count = slot_count;
  return 1;
}

int st_table_add(StTable *table, const void *key, size_t size) {
  if (2 * (table->count + 1) > table->slot_count && !double_slots(table))
    return -1;
  uint64_t hash = hash_bytes(key, size);
  size_t at = find_slot(table, hash, key, size);
  if (table->slot[at] >= 0)
    return table->slot[at];
  if (table->count == INT_MAX ||
      !st_grow((void **)&table->key, &table->key_capacity, table->count + 1, sizeof *table->key) ||
      !st_grow((void **)&table->bytes, &table->byte_capacity, table->byte_count + size + 1, 1))
    return -1;
  memcpy(table->bytes + table->byte_count, key, size);
  table->key[table->count] = (StTableKey){table->byte_count, size, hash};
  table->byte_count += size;
  table->slot[at] = (int)table->count;
  return (int)table->count++;
}

int st_table_find(const StTable *table, const void *key, size_t size) {
  if (!table->slot_count)
    return -1;
  return table->slot[find_slot(table, hash_bytes(key, size), key, size)];
}

void st_table_free(StTable *table) {
  free(table->key);
  free(table->bytes);
  free(table->slot);
  *table = (StTable){0};
}
