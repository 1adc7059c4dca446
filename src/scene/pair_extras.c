// A sorted list.
#include "scene/pair_extras.h"

#include "base/memory.h"

#include <math.h>

bool st_pair_extras_add(StPairExtras *extras, int a, int b, StSqueeze squeeze, double play) {
  if (!st_grow((void **)&extras->item, &extras->capacity, (size_t)extras->count + 1,
               sizeof *extras->item))
    return false;
  extras->item[extras->count++] = (StPairExtra){a < b ? a : b, a < b ? b : a, squeeze, play};
  return true;
}

static int compare(const void *a, const void *b) {
  const StPairExtra *x = a, *y = b;
  return x->collider != y->collider ? x->collider - y->collider : x->surface - y->surface;
}

static void combine(const StPairExtra *from, StPairExtra *to) {
  to->squeeze.pressure = fmax(to->squeeze.pressure, from->squeeze.pressure);
  to->squeeze.way = fmax(to->squeeze.way, from->squeeze.way);
  to->play = fmin(to->play, from->play);
}

void st_pair_extras_sort(StPairExtras *extras) {
  int count = 0;
  if (extras->count > 1)
    qsort(extras->item, (size_t)extras->count, sizeof *extras->item, compare);
  for (int i = 0; i < extras->count; i++)
    if (count > 0 && compare(&extras->item[count - 1], &extras->item[i]) == 0)
      combine(&extras->item[i], &extras->item[count - 1]);
    else
      extras->item[count++] = extras->item[i];
  extras->count = count;
}

StPairExtra st_pair_extras_find(const StPairExtras *extras, int collider, int surface) {
  StPairExtra key = {.collider = collider, .surface = surface, .play = INFINITY};
  const StPairExtra *found = NULL;
  if (extras->count > 0)
    found = bsearch(&key, extras->item, (size_t)extras->count, sizeof key, compare);
  return found ? *found : key;
}

void st_pair_extras_free(StPairExtras *extras) {
  free(extras->item);
  *extras = (StPairExtras){0};
}
