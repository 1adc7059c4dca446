// The set of touches at the positions in use: evaluated on demand, and not again while nothing has
// changed. The owner of a set is identified by its array of positions.
#ifndef ST_STEP_TOUCHES_H
#define ST_STEP_TOUCHES_H

#include "contact/core/contacts.h"

#include <stdbool.h>

typedef struct StTouches {
  const StContacts *contacts;
  const StContactState *state;
  StTouchSet *set;
  const double *where; // positions that the set was evaluated at; NULL: none
  bool no_memory;      // some search ran out of memory: see st_touches_check
} StTouches;

StStatus st_touches_create(const StContacts *contacts, const StContactState *state,
                           StTouches **touches, StError *error);
void st_touches_destroy(StTouches *touches); // NULL is fine

// Touches at these positions, [vertex_count][3] with ghosts; its status says whether the search
// succeeded. NULL if `touches` is, because nothing can touch. ease: see st_contacts_evaluate.
const StTouchSet *st_touches_at(StTouches *touches, double time, const double *position,
                                double ease);

// The same while obstacles are between two poses.
const StTouchSet *st_touches_on_way(StTouches *touches, StInstant instant, const double *position,
                                    double ease);

// As st_contacts_limit.
StStatus st_touches_limit(StTouches *touches, const StConfiguration *from,
                          const StConfiguration *to, double *part);

// As st_contacts_hits.
StStatus st_touches_hits(StTouches *touches, const StConfiguration *from, const StConfiguration *to,
                         struct StAdvanceHits *hits, bool *whole);

// As st_contacts_park. The present set stays as it is: who releases something says that it moved.
void st_touches_park(StTouches *touches, const bool *parked);

// Solvers treat a point where the search failed as outside the domain and go elsewhere. If it
// failed for lack of memory, that would change results, so the caller checks here once afterwards:
// ST_SYSTEM_FAULT if any search since the last call ran out of memory. Collective.
StStatus st_touches_check(StTouches *touches, StError *error);

// The array has new contents; or another array has the same contents.
void st_touches_moved(StTouches *touches, const double *position);
void st_touches_copied(StTouches *touches, const double *from, const double *to);

#endif
