// When to evaluate contact.
#include "step/contact_cache.h"

#include "base/memory.h"
#include "solve/runtime.h"

StStatus st_contact_cache_create(const StContacts *contacts, const StContactState *state,
                                 StContactCache **result, StError *error) {
  StContactCache *touches = ST_NEW(StContactCache, 1);
  if (!touches)
    return st_fail_memory(error);
  touches->contacts = contacts;
  touches->state = state;
  StStatus status = st_contact_set_create(contacts, &touches->set, error);
  if (status != ST_OK) {
    free(touches);
    return status;
  }
  *result = touches;
  return ST_OK;
}

void st_contact_cache_destroy(StContactCache *touches) {
  if (!touches)
    return;
  st_contact_set_destroy(touches->set);
  free(touches);
}

static bool is_same(const StInstant *a, const StInstant *b) {
  return a->time == b->time && a->progress == b->progress &&
         (a->progress == 1 || a->start == b->start);
}

static bool is_good(const StContactCache *touches, const StInstant *instant, const double *position,
                    double ease) {
  const StContactSet *set = touches->set;
  return touches->where == position && set->version == touches->state->version &&
         set->ease == ease && (touches->contacts->still || is_same(&set->instant, instant));
}

const StContactSet *st_contact_cache_at(StContactCache *touches, double time,
                                        const double *position, double ease) {
  return st_contact_cache_on_way(touches, st_instant(time), position, ease);
}

const StContactSet *st_contact_cache_on_way(StContactCache *touches, StInstant instant,
                                            const double *position, double ease) {
  if (!touches)
    return NULL;
  if (!is_good(touches, &instant, position, ease)) {
    st_contacts_evaluate(touches->contacts, touches->state, instant, position, ease, touches->set);
    touches->where = position;
    touches->no_memory |= touches->set->status == ST_SYSTEM_FAULT;
  }
  return touches->set;
}

StStatus st_contact_cache_limit(StContactCache *touches, const StConfiguration *from,
                                const StConfiguration *to, double *part) {
  StStatus status = st_contacts_limit(touches->set, from, to, part);
  touches->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

StStatus st_contact_cache_hits(StContactCache *touches, const StConfiguration *from,
                               const StConfiguration *to, struct StAdvanceHits *hits, bool *whole) {
  StStatus status = st_contacts_hits(touches->set, from, to, hits, whole);
  touches->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

void st_contact_cache_park(StContactCache *touches, const bool *parked) {
  st_contacts_park(touches->set, parked);
}

StStatus st_contact_cache_check(StContactCache *touches, StError *error) {
  if (!touches)
    return ST_OK;
  bool short_of_memory = touches->no_memory;
  touches->no_memory = false;
  return st_runtime_agree(short_of_memory ? st_fail_memory(error) : ST_OK, error);
}

void st_contact_cache_moved(StContactCache *touches, const double *position) {
  if (touches && touches->where == position)
    touches->where = NULL;
}

void st_contact_cache_copied(StContactCache *touches, const double *from, const double *to) {
  if (touches && (touches->where == from || touches->where == to))
    touches->where = touches->where == from ? to : NULL;
}
