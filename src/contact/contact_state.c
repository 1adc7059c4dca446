// The state of contacts.
#include "contact/contact_state.h"

#include "base/memory.h"
#include "contact/sides.h"

#include <math.h>
#include <string.h>

static bool build(const StContacts *contacts, StContactState *state) {
  state->pair = ST_NEW(StPairState, contacts->pair_count);
  state->marked = ST_NEW(int, contacts->pair_count);
  state->radius = ST_NEW(double, contacts->surface_count);
  state->start = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  state->sharpness = ST_NEW(double, contacts->skins ? contacts->skins->edge_count : 0);
  if (!state->pair || !state->marked || !state->radius || !state->start || !state->sharpness)
    return false;
  state->pair_count = contacts->pair_count;
  for (int i = 0; i < contacts->surface_count; i++)
    state->radius[i] = contacts->surface[i].radius;
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    state->pair[p].stiffness = state->pair[p].accepted = pair->desc->stiffness;
    state->pair[p].change = state->pair[p].reach = 1;
    if (pair->surface >= 0)
      st_contact_state_mark(state, p);
    if (pair->two_sided && !(state->pair[p].side = ST_NEW(int, pair->point_count)))
      return false;
  }
  return true;
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
  st_touch_list_free(&state->before);
  st_anchors_free(&state->anchors);
  free(state->pair);
  free(state->marked);
  free(state->radius);
  free(state->sharpness);
  free(state->start);
  free(state);
}

double st_contact_state_thickness(const StContacts *contacts, const StContactState *state,
                                  int pair) {
  return state->pair[pair].reach * contacts->pair[pair].desc->thickness;
}

void st_contact_state_mark(StContactState *state, int pair) {
  if (state->pair[pair].marked)
    return;
  state->pair[pair].marked = true;
  state->marked[state->marked_count++] = pair;
}

// κ from the next step on. It never falls below the description's.
static double next_stiffness(const StContacts *contacts, const StContactState *state, int pair) {
  double next = state->pair[pair].stiffness * state->pair[pair].change;
  return fmax(next, contacts->pair[pair].desc->stiffness);
}

static void change_stiffness(const StContacts *contacts, StContactState *state) {
  for (int i = 0; i < state->marked_count; i++) {
    StPairState *pair = &state->pair[state->marked[i]];
    pair->stiffness = next_stiffness(contacts, state, state->marked[i]);
    pair->change = 1;
  }
}

void st_contact_state_accept(const StContacts *contacts, StContactState *state) {
  for (int i = 0; i < state->marked_count; i++)
    state->pair[state->marked[i]].accepted = next_stiffness(contacts, state, state->marked[i]);
  state->committed = true;
}

void st_contact_state_begin(const StContacts *contacts, StContactState *state, double time,
                            const double *position) {
  state->start_time = time;
  change_stiffness(contacts, state);
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

bool st_contact_state_anchor(StContactState *state, const StTouchSet *set, const double *position) {
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

StStatus st_contact_state_lag(StContactState *state, const StTouchSet *set, StError *error) {
  if (set->status != ST_OK || !st_touch_list_copy(&state->before, &set->now))
    return st_fail_memory(error);
  if (st_touch_set_lagged(set))
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
  memory->stiffness = next_stiffness(contacts, state, pair);
  memory->reach = from->reach;
  memory->depth = from->depth;
  memory->radius = surface < 0 ? 0 : state->radius[surface];
  memory->overlapping = from->overlapping;
}

void st_contact_state_forget(const StContacts *contacts, StContactState *state) {
  for (int i = 0; i < state->marked_count; i++) {
    StPairState *pair = &state->pair[state->marked[i]];
    pair->stiffness = pair->accepted = contacts->pair[state->marked[i]].desc->stiffness;
    pair->change = pair->reach = 1;
    pair->depth = 0;
    pair->overlapping = pair->marked = false;
  }
  state->marked_count = 0;
  for (int p = 0; p < contacts->pair_count && contacts->surface_count > 0; p++)
    if (contacts->pair[p].surface >= 0)
      st_contact_state_mark(state, p);
  state->version++;
}

void st_contact_state_recall(const StContacts *contacts, StContactState *state,
                             const StPairMemory *memory) {
  StPairState *to = &state->pair[memory->pair];
  int surface = contacts->pair[memory->pair].surface;
  to->stiffness = to->accepted = memory->stiffness;
  to->change = 1;
  to->reach = memory->reach;
  to->depth = memory->depth;
  to->overlapping = memory->overlapping != 0;
  st_contact_state_mark(state, memory->pair);
  if (surface >= 0)
    state->radius[surface] = memory->radius;
  state->version++;
}
