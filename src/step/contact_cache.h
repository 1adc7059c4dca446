// The set of contacts at the positions in use: evaluated on demand, and not again while nothing has
// changed. The owner of a set is identified by its array of positions.
#pragma once

#include "contact/core/contacts.h"

#include <stdbool.h>

typedef struct StContactCache {
  const StContacts *contacts;
  const StContactState *state;
  StContactSet *set;
  const double *where; // positions that the set was evaluated at; NULL: none
  bool no_memory;      // some search ran out of memory: see st_contact_cache_check
} StContactCache;

StStatus st_contact_cache_create(const StContacts *contacts, const StContactState *state,
                                 StContactCache **cache, StError *error);
void st_contact_cache_destroy(StContactCache *cache); // NULL is fine

// Contacts at these positions, [vertex_count][3] with ghosts; its status says whether the search
// succeeded. NULL if `contacts` is, because nothing can touch.
const StContactSet *st_contact_cache_at(StContactCache *cache, double time, const double *position);

// The same while obstacles are between two poses.
const StContactSet *st_contact_cache_at_instant(StContactCache *cache, StInstant instant,
                                                const double *position);

// As st_contacts_limit.
StStatus st_contact_cache_limit(StContactCache *cache, const StConfiguration *from,
                                const StConfiguration *to, double *part);

// As st_contacts_hits.
StStatus st_contact_cache_hits(StContactCache *cache, const StConfiguration *from,
                               const StConfiguration *to, struct StAdvanceHits *hits, bool *whole);

// As st_contacts_park. The present set stays as it is: after a release, call
// st_contact_cache_moved.
void st_contact_cache_park(StContactCache *cache, const bool *parked);

// Solvers treat a point where the search failed as outside the domain. If it
// failed for lack of memory, that would change results, so the caller checks here once afterwards:
// ST_SYSTEM_FAULT if any search since the last call ran out of memory. Collective.
StStatus st_contact_cache_check(StContactCache *cache, StError *error);

// The array has new contents; or another array has the same contents.
void st_contact_cache_moved(StContactCache *cache, const double *position);
void st_contact_cache_copied(StContactCache *cache, const double *from, const double *to);
