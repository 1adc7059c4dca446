// Allocation helpers.
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 64 };

void *st_new_array(size_t count, size_t item_size) {
  if (item_size && count > (SIZE_MAX / 2) / item_size)
    return NULL;
  size_t size = (count * item_size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, size);
  if (memory)
    memset(memory, 0, size);
  return memory;
}

int st_grow(void **array, size_t *capacity, size_t needed, size_t item_size) {
  if (needed <= *capacity)
    return 1;
  size_t wanted = *capacity ? *capacity : 16;
  while (wanted < needed) {
    if (wanted > SIZE_MAX / 2)
      return 0;
    wanted *= 2;
  }
  if (wanted > (SIZE_MAX / 2) / item_size)
    return 0;
  void *grown = realloc(*array, wanted * item_size);
  if (!grown)
    return 0;
  *array = grown;
  *capacity = wanted;
  return 1;
}

char *st_copy_string(const char *text) {
  if (!text)
    return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}
