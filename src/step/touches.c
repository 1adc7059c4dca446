// When to evaluate contact.
#include "step/touches.h"

#include "base/memory.h"
#include "solve/runtime.h"

StStatus st_touches_create(const StContacts *contacts, const StContactState *state,
                           StTouches **result, StError *error) {
  StTouches *touches = ST_NEW(StTouches, 1);
  if (!touches)
    return st_fail_memory(error);
  touches->contacts = contacts;
  touches->state = state;
  StStatus status = st_touch_set_create(contacts, &touches->set, error);
  if (status != ST_OK) {
    free(touches);
    return status;
  }
  *result = touches;
  return ST_OK;
}

void st_touches_destroy(StTouches *touches) {
  if (!touches)
    return;
  st_touch_set_destroy(touches->set);
  free(touches);
}

static bool is_same(const StInstant *a, const StInstant *b) {
  return a->time == b->time && a->progress == b->progress &&
         (a->progress == 1 || a->start == b->start);
}

static bool is_good(const StTouches *touches, const StInstant *instant, const double *position,
                    double ease) {
  const StTouchSet *set = touches->set;
  return touches->where == position && set->version == touches->state->version &&
         set->ease == ease && (touches->contacts->still || is_same(&set->instant, instant));
}

const StTouchSet *st_touches_at(StTouches *touches, double time, const double *position,
                                double ease) {
  return st_touches_on_way(touches, st_instant(time), position, ease);
}

const StTouchSet *st_touches_on_way(StTouches *touches, StInstant instant, const double *position,
                                    double ease) {
  if (!touches)
    return NULL;
  if (!is_good(touches, &instant, position, ease)) {
    st_contacts_evaluate(touches->contacts, touches->state, instant, position, ease, touches->set);
    touches->where = position;
    touches->no_memory |= touches->set->status == ST_SYSTEM_FAULT;
  }
  return touches->set;
}

StStatus st_touches_limit(StTouches *touches, const StConfiguration *from,
                          const StConfiguration *to, double *part) {
  StStatus status = st_contacts_limit(touches->set, from, to, part);
  touches->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

StStatus st_touches_hits(StTouches *touches, const StConfiguration *from, const StConfiguration *to,
                         struct StAdvanceHits *hits, bool *whole) {
  StStatus status = st_contacts_hits(touches->set, from, to, hits, whole);
  touches->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

void st_touches_park(StTouches *touches, const bool *parked) {
  st_contacts_park(touches->set, parked);
}

StStatus st_touches_check(StTouches *touches, StError *error) {
  if (!touches)
    return ST_OK;
  bool short_of_memory = touches->no_memory;
  touches->no_memory = false;
  return st_runtime_agree(short_of_memory ? st_fail_memory(error) : ST_OK, error);
}

void st_touches_moved(StTouches *touches, const double *position) {
  if (touches && touches->where == position)
    touches->where = NULL;
}

void st_touches_copied(StTouches *touches, const double *from, const double *to) {
  if (touches && (touches->where == from || touches->where == to))
    touches->where = touches->where == from ? to : NULL;
}
