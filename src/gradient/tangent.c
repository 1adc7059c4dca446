// Tangents of states, and of lists of anchors.
#include "gradient/tangent.h"

#include "base/memory.h"

#include <string.h>

enum { ARRAYS = 4 };

static void list_arrays(const StTangent *tangent, double *array[ARRAYS]) {
  array[0] = tangent->position, array[1] = tangent->velocity;
  array[2] = tangent->position_before, array[3] = tangent->velocity_before;
}

static void list_state(const StState *state, double *array[ARRAYS]) {
  array[0] = state->position, array[1] = state->velocity;
  array[2] = state->position_before, array[3] = state->velocity_before;
}

StStatus st_tangent_create(int size, StTangent *tangent, StError *error) {
  double **array[ARRAYS] = {&tangent->position, &tangent->velocity, &tangent->position_before,
                            &tangent->velocity_before};
  *tangent = (StTangent){.size = size};
  for (int i = 0; i < ARRAYS; i++)
    ST_TRY_MEMORY(*array[i] = ST_NEW(double, size), error);
  return ST_OK;
}

void st_tangent_free(StTangent *tangent) {
  double *array[ARRAYS];
  list_arrays(tangent, array);
  for (int i = 0; i < ARRAYS; i++)
    free(array[i]);
  free(tangent->anchors.weight);
  free(tangent->anchors.point);
  free(tangent->anchors.stiffness);
  *tangent = (StTangent){0};
}

void st_tangent_clear(StTangent *tangent) {
  double *array[ARRAYS];
  list_arrays(tangent, array);
  for (int i = 0; i < ARRAYS; i++)
    memset(array[i], 0, (size_t)tangent->size * sizeof(double));
}

static bool is_zero(const double *array, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (array[i] != 0)
      return false;
  return true;
}

bool st_tangent_is_zero(const StTangent *tangent) {
  const StAnchorRates *anchors = &tangent->anchors;
  double *array[ARRAYS];
  bool zero = true;
  list_arrays(tangent, array);
  for (int i = 0; i < ARRAYS; i++)
    zero = zero && is_zero(array[i], (size_t)tangent->size);
  return zero && is_zero(anchors->weight, anchors->used) &&
         is_zero(anchors->point, 3 * (size_t)anchors->count) &&
         is_zero(anchors->stiffness, (size_t)anchors->count);
}

void st_tangent_move(const StTangent *tangent, double amount, const StState *from, StState *to) {
  double *source[ARRAYS], *target[ARRAYS], *rate[ARRAYS];
  list_state(from, source);
  list_state(to, target);
  for (int i = 0; i < ARRAYS; i++)
    memcpy(target[i], source[i], (size_t)from->size * sizeof(double));
  to->time = from->time;
  to->h_before = from->h_before;
  if (!tangent)
    return;
  list_arrays(tangent, rate);
  for (int i = 0; i < ARRAYS; i++)
    for (int k = 0; k < from->size; k++)
      target[i][k] += amount * rate[i][k];
}

static bool belongs(const StAnchorRates *rates, const StAnchors *anchors) {
  return rates->count == anchors->count && rates->used == anchors->used;
}

bool st_tangent_move_anchors(const StTangent *tangent, double amount, const StAnchors *from,
                             StAnchors *to) {
  const StAnchorRates *rates = tangent ? &tangent->anchors : NULL;
  bool moves = rates && belongs(rates, from);
  st_anchors_free(to);
  for (int i = 0; i < from->count; i++) {
    const StAnchor *old = &from->item[i];
    StAnchor *anchor = st_anchors_add(to, old->count);
    if (!anchor)
      return false;
    size_t first = anchor->first;
    *anchor = *old;
    anchor->first = first;
    for (size_t k = 0; k < (size_t)old->count; k++) {
      to->place[first + k] = from->place[old->first + k];
      to->weight[first + k] = from->weight[old->first + k];
      if (moves)
        to->weight[first + k] += amount * rates->weight[old->first + k];
    }
    for (int c = 0; c < 3 && moves; c++)
      anchor->point[c] += amount * rates->point[3 * i + c];
    if (moves)
      anchor->stiffness += amount * rates->stiffness[i];
  }
  return true;
}

void st_tangent_add(StTangent *tangent, double weight, const StState *state) {
  double *source[ARRAYS], *rate[ARRAYS];
  list_state(state, source);
  list_arrays(tangent, rate);
  for (int i = 0; i < ARRAYS; i++)
    for (int k = 0; k < state->size; k++)
      rate[i][k] += weight * source[i][k];
}

StStatus st_anchor_rates_begin(StAnchorRates *rates, const StAnchors *of, StError *error) {
  size_t count = (size_t)of->count, used = of->used;
  if (count > rates->room) {
    free(rates->point);
    free(rates->stiffness);
    rates->point = ST_NEW(double, 3 * count);
    rates->stiffness = ST_NEW(double, count);
    rates->room = rates->point && rates->stiffness ? count : 0;
  }
  if (used > rates->weight_room) {
    free(rates->weight);
    rates->weight = ST_NEW(double, used);
    rates->weight_room = rates->weight ? used : 0;
  }
  rates->count = 0;
  rates->used = 0;
  if (count > rates->room || used > rates->weight_room)
    return st_fail_memory(error);
  rates->count = of->count;
  rates->used = used;
  if (count > 0) {
    memset(rates->point, 0, 3 * count * sizeof(double));
    memset(rates->stiffness, 0, count * sizeof(double));
  }
  if (used > 0)
    memset(rates->weight, 0, used * sizeof(double));
  return ST_OK;
}

static bool is_like(const StAnchors *a, const StAnchor *x, const StAnchors *b, const StAnchor *y) {
  return st_anchor_key_compare(&x->key, &y->key) == 0 && x->count == y->count &&
         x->sign == y->sign &&
         (x->count == 0 ||
          memcmp(a->place + x->first, b->place + y->first, (size_t)x->count * sizeof(int)) == 0);
}

// The anchor that is like this one. Lists are sorted by key; `from` advances.
static const StAnchor *find_like(const StAnchors *of, const StAnchor *anchor, const StAnchors *in,
                                 int *from) {
  while (*from < in->count && st_anchor_key_compare(&in->item[*from].key, &anchor->key) < 0)
    ++*from;
  for (int i = *from; i < in->count && st_anchor_key_compare(&in->item[i].key, &anchor->key) == 0;
       i++)
    if (is_like(of, anchor, in, &in->item[i]))
      return &in->item[i];
  return NULL;
}

enum { MOST_LISTS = 8 };

static void add_rates(StAnchorRates *rates, int index, const StAnchor *of, double weight,
                      const StAnchors *in, const StAnchor *near) {
  for (int c = 0; c < 3; c++)
    rates->point[3 * index + c] += weight * near->point[c];
  rates->stiffness[index] += weight * near->stiffness;
  for (size_t k = 0; k < (size_t)of->count; k++)
    rates->weight[of->first + k] += weight * in->weight[near->first + k];
}

int st_anchor_rates_add(StAnchorRates *rates, const StAnchors *of, int count,
                        const StAnchors *const *near, const double *weight) {
  int from[MOST_LISTS] = {0}, missing = 0;
  for (int i = 0; i < of->count; i++) {
    const StAnchor *anchor = &of->item[i], *like[MOST_LISTS];
    bool all = true;
    for (int m = 0; m < count; m++) {
      like[m] = find_like(of, anchor, near[m], &from[m]);
      all = all && like[m];
    }
    missing += !all;
    for (int m = 0; m < count && all; m++)
      add_rates(rates, i, anchor, weight[m], near[m], like[m]);
  }
  return missing;
}
