// Copies features. Tested by tests/api/test_api_derivative.c.
#include "contact/core/taken_features.h"

#include "base/memory.h"

void st_taken_features_free(StTakenFeatures *taken) {
  free(taken->item);
  free(taken->list);
  *taken = (StTakenFeatures){0};
}

static int compare(const StFound *a, const StFound *b) {
  if (a->pair != b->pair)
    return a->pair < b->pair ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

bool st_taken_features_take(StTakenFeatures *taken, const StFound *const *own, size_t own_count,
                            const StFound *const *other, size_t count) {
  if (!st_grow((void **)&taken->item, &taken->item_capacity, count, sizeof(StFound)) ||
      !st_grow((void **)&taken->list, &taken->list_capacity, count, sizeof(StFound *)))
    return false;
  for (size_t i = 0, k = 0; i < count; i++) {
    StFound *item = taken->list[i] = &taken->item[i];
    *item = *other[i];
    while (k < own_count && compare(own[k], item) < 0)
      k++;
    if (k < own_count && compare(own[k], item) == 0)
      item->part = own[k]->part;
  }
  return true;
}
