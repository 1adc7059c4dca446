// The set of touches at wherever the step looks at present: evaluated when asked for, and not again
// while its owner knows that nothing has changed. Owners are known by their array of positions.
#ifndef ST_STEP_TOUCHES_H
#define ST_STEP_TOUCHES_H

#include "contact/contacts.h"

#include <stdbool.h>

typedef struct StTouches {
  const StContacts *contacts;
  const StContactState *state;
  StTouchSet *set;
  const double *where; // the array of positions that the set was evaluated at; NULL: none
  bool no_memory;      // some search had none: see st_touches_check
} StTouches;

StStatus st_touches_create(const StContacts *contacts, const StContactState *state,
                           StTouches **touches, StError *error);
void st_touches_destroy(StTouches *touches); // NULL is fine

// What touches at these positions, [vertex_count][3] with ghosts; its status says whether the
// search went well. NULL where `touches` is, since nothing can touch. ease: see
// st_contacts_evaluate.
const StTouchSet *st_touches_at(StTouches *touches, double time, const double *position,
                                double ease);

// The same while obstacles are on their way.
const StTouchSet *st_touches_on_way(StTouches *touches, StInstant instant, const double *position,
                                    double ease);

// As st_contacts_limit.
StStatus st_touches_limit(StTouches *touches, const StStand *from, const StStand *to, double *part);

// Solvers take a point where the search failed for one outside the domain and go elsewhere. Where
// it failed for lack of memory that would change results, so that whoever solves asks here
// afterwards, once: ST_SYSTEM_FAULT if any search since the last call had too little. Collective.
StStatus st_touches_check(StTouches *touches, StError *error);

// The array has got other contents; or another one has got the same.
void st_touches_moved(StTouches *touches, const double *position);
void st_touches_copied(StTouches *touches, const double *from, const double *to);

#endif
