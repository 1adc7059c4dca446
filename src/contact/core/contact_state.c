// The state of contacts. Tested by tests/contact/test_contact_set.c and
// tests/contact/test_anchors.c.
#include "contact/core/contact_state.h"

#include "base/memory.h"
#include "contact/core/method.h"
#include "model/contact_pairs.h"

#include <string.h>

StStatus st_contact_state_create(const StContacts *contacts, StContactState **result,
                                 StError *error) {
  StContactState *state = ST_OWNER(StContactState);
  ST_TRY_MEMORY(state, error);
  state->method = contacts->method;
  state->start = ST_OWN(state, double, 3 * (size_t)contacts->piece->vertex_count);
  contacts->method->create_state(contacts, state);
  return st_owner_give(state, result, error);
}

void st_contact_state_destroy(StContactState *state) {
  if (!state)
    return;
  st_contact_array_free(&state->before);
  st_anchors_free(&state->anchors);
  st_owner_free(state);
}

double st_contact_state_stiffness(const StContacts *contacts, const StContactState *state,
                                  int pair) {
  return state->method->stiffness ? state->method->stiffness(state, pair)
                                  : st_pair_law(contacts->description, pair).stiffness;
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

void st_contact_state_begin(const StContacts *contacts, StContactState *state, double time,
                            const double *position) {
  size_t bytes = 3 * (size_t)contacts->piece->vertex_count * sizeof(double);
  state->start_time = time;
  st_anchors_hold(&state->anchors, contacts, time, position);
  contacts->method->begin(contacts, state, position);
  memcpy(state->start, position, bytes);
  state->begun = true;
  state->version++;
}

bool st_contact_state_anchor(StContactState *state, const StContactSet *set, const double *position,
                             const StAnchors *like) {
  StAnchors next = {0};
  if (!st_anchors_renew_like(&state->anchors, set, position, like, &next)) {
    st_anchors_free(&next);
    return false;
  }
  st_anchors_free(&state->anchors);
  state->anchors = next;
  state->committed = false;
  state->version++;
  return true;
}

void st_contact_state_drop_anchors(const StContacts *contacts, StContactState *state) {
  if (state->method->displaced)
    state->method->displaced(contacts, state);
  st_anchors_free(&state->anchors);
  state->committed = false;
  state->version++;
}

void st_contact_state_ease(StContactState *state, double ease) {
  state->ease = ease;
  state->version++;
}

StStatus st_contact_state_lag(StContactState *state, const StContactSet *set, StError *error) {
  if (set->status != ST_OK || !st_contact_array_copy(&state->before, &set->now))
    return st_fail_memory(error);
  if (st_contact_set_lagged(set))
    state->version++;
  return ST_OK;
}

void st_contact_state_forget(const StContacts *contacts, StContactState *state) {
  st_stiffness_reset(&state->stiffness);
  if (state->method->forget)
    state->method->forget(contacts, state);
  state->version++;
}

char *st_contact_state_pack(const StContacts *contacts, StContactState *state, size_t *size) {
  *size = 0;
  return state->method->pack ? state->method->pack(contacts, state, size) : ST_NEW(char, 0);
}

StStatus st_contact_state_unpack(const StContacts *contacts, StContactState *state,
                                 const char *bytes, size_t size) {
  if (size == 0)
    return ST_OK;
  return state->method->unpack ? state->method->unpack(contacts, state, bytes, size) : ST_BAD_INPUT;
}

void st_contact_state_rename(const StContactState *state, char *bytes, size_t *size,
                             StPairTranslation translate, const void *context) {
  if (state->method->rename)
    state->method->rename(bytes, size, translate, context);
}
