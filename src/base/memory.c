// Allocation helpers.
#include "base/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
  ALIGNMENT = 64,
  HUGE_PAGE = 2 << 20,
  LARGE = 4 << 20, // bytes from which an array asks for huge pages
};

void *st_room_array(size_t count, size_t item_size) {
  if (item_size && count > (SIZE_MAX / 2) / item_size)
    return NULL;
  size_t bytes = count * item_size;
  size_t alignment = bytes < LARGE ? ALIGNMENT : HUGE_PAGE;
  size_t size = (bytes + alignment) / alignment * alignment;
  void *memory = aligned_alloc(alignment, size);
#ifdef MADV_HUGEPAGE
  // Otherwise loops that stream a matrix spend up to half their time on page tables. Failure is
  // harmless.
  if (memory && alignment == HUGE_PAGE)
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

void *st_new_array(size_t count, size_t item_size) {
  void *memory = st_room_array(count, item_size);
  if (memory && count * item_size > 0)
    memset(memory, 0, count * item_size);
  return memory;
}

void st_give_back(size_t bytes) {
  if (bytes >= LARGE)
    malloc_trim(0);
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

// In front of an object that owns arrays; a multiple of the alignment.
typedef struct Owner {
  _Alignas(ALIGNMENT) void **array;
  size_t count, capacity;
  bool failed;
} Owner;

static Owner *owner_of(const void *object) {
  return (Owner *)object - 1;
}

void *st_owner_new(size_t size) {
  Owner *owner = st_new_array(1, sizeof *owner + size);
  return owner ? owner + 1 : NULL;
}

void *st_owner_array(void *object, size_t count, size_t item_size) {
  Owner *owner = owner_of(object);
  void *array = NULL;
  if (ST_GROW(owner->array, owner->capacity, owner->count + 1))
    array = st_new_array(count, item_size);
  if (array)
    owner->array[owner->count++] = array;
  owner->failed = owner->failed || !array;
  return array;
}

bool st_owner_is_whole(const void *object) {
  return object && !owner_of(object)->failed;
}

void st_owner_free(void *object) {
  if (!object)
    return;
  Owner *owner = owner_of(object);
  for (size_t i = 0; i < owner->count; i++)
    free(owner->array[i]);
  free(owner->array);
  free(owner);
}

StStatus st_owner_give(void *object, void *result, StError *error) {
  if (!st_owner_is_whole(object)) {
    st_owner_free(object);
    return st_fail_memory(error);
  }
  *(void **)result = object;
  return ST_OK;
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
