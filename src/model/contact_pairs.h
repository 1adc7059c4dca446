// The pairs of a description that may touch, by numbers. Under a rule a pair's number is
// body · surfaces + surface, where surfaces are all bodies, then all obstacles, so that pairs are
// in the order of their bodies and need no list. Without a rule it is the pair's place in the list.
#pragma once

#include "model/description.h"

#include <limits.h>
#include <stdint.h>

enum { ST_NO_PAIR = INT_MAX };

static inline bool st_pairs_exist(const StDescription *description) {
  return description->contact_count > 0 || description->contact_rule;
}

// The contact of a surface: a body, or the number of bodies plus an obstacle.
static inline int st_contact_surface(const StDescription *description,
                                     const StContactDesc *contact) {
  return contact->body >= 0 ? contact->body : description->body_count + contact->obstacle;
}

// The kind of partner that a contact is for its collider, as a bit.
static inline unsigned char st_contact_partner(const StContactDesc *contact) {
  return contact->body == contact->collider ? ST_PARTNER_ITSELF
         : contact->body >= 0               ? ST_PARTNER_BODIES
                                            : ST_PARTNER_OBSTACLES;
}

// The sides of a pair; body or obstacle is -1.
typedef struct StPairSides {
  int collider, body, obstacle;
} StPairSides;

StPairSides st_pair_sides(const StDescription *description, int pair);

// A pair's law. False: the two never touch, or there is no such pair.
bool st_pair_find(const StDescription *description, int pair, StContactDesc *contact);

// The same of a pair that is known to touch.
StContactDesc st_pair_law(const StDescription *description, int pair);

// The pair with this collider and surface; ST_NO_PAIR: they never touch. Lists must be in order.
int st_pair_of(const StDescription *description, int collider, int surface);

// Its thickness, m; -1: they never touch.
double st_pair_reach(const StDescription *description, int collider, int surface);

// The first pair from this number on; ST_NO_PAIR: there is none. Slow where few pairs touch.
int st_pair_next(const StDescription *description, int pair);

// The kinds of partners of each body, as bits. partners: [bodies].
void st_pairs_partners(const StDescription *description, unsigned char *partners);

// Whether every two bodies, and every body and obstacle, touch.
bool st_pairs_are_all(const StDescription *description);

// All numbers of pairs are below this.
int st_pairs_end(const StDescription *description);

// How many pairs may touch.
int64_t st_pairs_count(const StDescription *description);

// Lists pairs with the laws that the rule gives them, at most so many, so that their friction can
// be changed. False: no memory.
bool st_pairs_list(StDescription *description, int most);

// Upper bound of all thicknesses, m; 0: nothing touches.
double st_pairs_most_reach(const StDescription *description);

// Friction that may occur, number i; NULL: no more.
const StFrictionDesc *st_pairs_friction(const StDescription *description, int i);
