// When to evaluate contact.
// Tested by tests/step/test_stage_contact.c.
#include "step/contact_cache.h"

#include "base/memory.h"
#include "solve/runtime.h"

StStatus st_contact_cache_create(const StContacts *contacts, const StContactState *state,
                                 StContactCache **result, StError *error) {
  StContactCache *cache = ST_NEW(StContactCache, 1);
  if (!cache)
    return st_fail_memory(error);
  cache->contacts = contacts;
  cache->state = state;
  StStatus status = st_contact_set_create(contacts, &cache->set, error);
  if (status != ST_OK) {
    free(cache);
    return status;
  }
  *result = cache;
  return ST_OK;
}

void st_contact_cache_destroy(StContactCache *cache) {
  if (!cache)
    return;
  st_contact_set_destroy(cache->set);
  free(cache);
}

static bool is_same(const StInstant *a, const StInstant *b) {
  return a->time == b->time && a->progress == b->progress &&
         (a->progress == 1 || a->start == b->start);
}

static bool is_good(const StContactCache *cache, const StInstant *instant, const double *position) {
  const StContactSet *set = cache->set;
  return cache->where == position && set->version == cache->state->version &&
         (cache->contacts->still || is_same(&set->instant, instant));
}

const StContactSet *st_contact_cache_at(StContactCache *cache, double time,
                                        const double *position) {
  return st_contact_cache_at_instant(cache, st_instant(time), position);
}

const StContactSet *st_contact_cache_at_instant(StContactCache *cache, StInstant instant,
                                                const double *position) {
  if (!cache)
    return NULL;
  if (!is_good(cache, &instant, position)) {
    st_contacts_evaluate(cache->contacts, cache->state, instant, position, cache->set);
    cache->where = position;
    cache->no_memory |= cache->set->status == ST_SYSTEM_FAULT;
  }
  return cache->set;
}

StStatus st_contact_cache_limit(StContactCache *cache, const StConfiguration *from,
                                const StConfiguration *to, double *part) {
  StStatus status = st_contacts_limit(cache->set, from, to, part);
  cache->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

StStatus st_contact_cache_hits(StContactCache *cache, const StConfiguration *from,
                               const StConfiguration *to, struct StAdvanceHits *hits, bool *whole) {
  StStatus status = st_contacts_hits(cache->set, from, to, hits, whole);
  cache->no_memory |= status == ST_SYSTEM_FAULT;
  return status;
}

void st_contact_cache_park(StContactCache *cache, const bool *parked) {
  st_contacts_park(cache->set, parked);
}

StStatus st_contact_cache_check(StContactCache *cache, StError *error) {
  if (!cache)
    return ST_OK;
  bool short_of_memory = cache->no_memory;
  cache->no_memory = false;
  return st_runtime_agree(short_of_memory ? st_fail_memory(error) : ST_OK, error);
}

void st_contact_cache_moved(StContactCache *cache, const double *position) {
  if (cache && cache->where == position)
    cache->where = NULL;
}

void st_contact_cache_copied(StContactCache *cache, const double *from, const double *to) {
  if (cache && (cache->where == from || cache->where == to))
    cache->where = cache->where == from ? to : NULL;
}
