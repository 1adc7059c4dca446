// The state of contacts.
#include "contact/core/contact_state.h"

#include "base/memory.h"
#include "contact/smooth/sides.h"

#include <math.h>
#include <string.h>

static bool build(const StContacts *contacts, StContactState *state) {
  state->pair = ST_NEW(StPairState, contacts->pair_count);
  state->marked = ST_NEW(int, contacts->pair_count);
  state->radius = ST_NEW(double, contacts->surface_count);
  state->start = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  state->way = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  state->next_way = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  state->sharpness = ST_NEW(double, contacts->skins ? contacts->skins->edge_count : 0);
  if (!state->pair || !state->marked || !state->radius || !state->start || !state->way ||
      !state->next_way || !state->sharpness)
    return false;
  state->pair_count = contacts->pair_count;
  for (int i = 0; i < contacts->surface_count; i++)
    state->radius[i] = contacts->surface[i].radius;
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    state->pair[p].stiffness = pair->desc->stiffness;
    if (pair->surface >= 0)
      st_contact_state_mark(state, p);
    if (pair->two_sided && !(state->pair[p].side = ST_NEW(int, pair->point_count)))
      return false;
  }
  return st_stiffness_create(contacts, &state->stiffness);
}

StStatus st_contact_state_create(const StContacts *contacts, StContactState **result,
                                 StError *error) {
  StContactState *state = ST_NEW(StContactState, 1);
  if (!state)
    return st_fail_memory(error);
  if (!build(contacts, state)) {
    st_contact_state_destroy(state);
    return st_fail_memory(error);
  }
  *result = state;
  return ST_OK;
}

void st_contact_state_destroy(StContactState *state) {
  if (!state)
    return;
  for (int p = 0; p < state->pair_count; p++)
    free(state->pair[p].side);
  st_contact_array_free(&state->before);
  st_anchors_free(&state->anchors);
  st_stiffness_free(&state->stiffness);
  free(state->pair);
  free(state->marked);
  free(state->radius);
  free(state->sharpness);
  free(state->start);
  free(state->way);
  free(state->next_way);
  free(state);
}

void st_contact_state_mark(StContactState *state, int pair) {
  if (state->pair[pair].marked)
    return;
  state->pair[pair].marked = true;
  state->marked[state->marked_count++] = pair;
}

void st_contact_state_release(StContactState *state, const StFactors *next) {
  st_stiffness_begin(&state->stiffness, next);
  state->version++;
}

void st_contact_state_restart(StContactState *state) {
  st_stiffness_restart(&state->stiffness);
  state->version++;
}

void st_contact_state_lift(StContactState *state, const StFactors *raised) {
  st_stiffness_lift(&state->stiffness, raised);
  state->version++;
}

void st_contact_state_expect(const StContacts *contacts, StContactState *state,
                             const double *velocity, double duration) {
  state->next_duration = duration;
  for (size_t i = 0; i < 3 * (size_t)contacts->piece->vertex_count; i++)
    state->next_way[i] = duration * velocity[i];
}

void st_contact_state_begin(const StContacts *contacts, StContactState *state, double time,
                            const double *position) {
  state->start_time = time;
  state->duration = state->next_duration;
  memcpy(state->way, state->next_way, 3 * (size_t)contacts->piece->vertex_count * sizeof(double));
  st_anchors_hold(&state->anchors, contacts, time, position);
  for (int i = 0; i < contacts->surface_count; i++) {
    StSurface *surface = contacts->surface[i].surface;
    if (contacts->surface[i].body < 0)
      continue;
    st_surface_set_radius(surface, state->radius[i]);
    st_surface_grow_radius(surface, position);
    state->radius[i] = st_surface_radius(surface);
  }
  if (contacts->skins)
    st_skins_sharpen(contacts->skins, position, state->sharpness);
  st_sides_begin(contacts, state, position);
  state->version++;
}

bool st_contact_state_anchor(StContactState *state, const StContactSet *set,
                             const double *position) {
  StAnchors next = {0};
  if (!st_anchors_renew(&state->anchors, set, position, &next)) {
    st_anchors_free(&next);
    return false;
  }
  st_anchors_free(&state->anchors);
  state->anchors = next;
  state->committed = false;
  state->version++;
  return true;
}

void st_contact_state_let_go(StContactState *state) {
  st_anchors_free(&state->anchors);
  state->committed = false;
  state->version++;
}

StStatus st_contact_state_lag(StContactState *state, const StContactSet *set, StError *error) {
  if (set->status != ST_OK || !st_contact_array_copy(&state->before, &set->now))
    return st_fail_memory(error);
  if (st_contact_set_lagged(set))
    state->version++;
  return ST_OK;
}

static int compare_numbers(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

void st_contact_state_sort(StContactState *state) {
  if (state->marked_count > 1)
    qsort(state->marked, (size_t)state->marked_count, sizeof(int), compare_numbers);
}

void st_contact_state_remember(const StContacts *contacts, const StContactState *state, int pair,
                               StPairMemory *memory) {
  const StPairState *from = &state->pair[pair];
  int surface = contacts->pair[pair].surface;
  memset(memory, 0, sizeof *memory);
  memory->pair = pair;
  memory->stiffness = from->stiffness;
  memory->depth = from->depth;
  memory->radius = surface < 0 ? 0 : state->radius[surface];
  memory->overlapping = from->overlapping;
}

void st_contact_state_forget(const StContacts *contacts, StContactState *state) {
  for (int i = 0; i < state->marked_count; i++) {
    StPairState *pair = &state->pair[state->marked[i]];
    pair->stiffness = contacts->pair[state->marked[i]].desc->stiffness;
    pair->depth = 0;
    pair->overlapping = pair->marked = false;
  }
  state->marked_count = 0;
  st_stiffness_reset(&state->stiffness);
  for (int p = 0; p < contacts->pair_count && contacts->surface_count > 0; p++)
    if (contacts->pair[p].surface >= 0)
      st_contact_state_mark(state, p);
  state->version++;
}

void st_contact_state_recall(const StContacts *contacts, StContactState *state,
                             const StPairMemory *memory) {
  StPairState *to = &state->pair[memory->pair];
  int surface = contacts->pair[memory->pair].surface;
  to->stiffness = memory->stiffness;
  to->depth = memory->depth;
  to->overlapping = memory->overlapping != 0;
  st_contact_state_mark(state, memory->pair);
  if (surface >= 0)
    state->radius[surface] = memory->radius;
  state->version++;
}
