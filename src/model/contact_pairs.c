// Numbers of pairs, and their laws: the list first, then the rule.
#include "model/contact_pairs.h"

#include "base/memory.h"

#include <math.h>

static int surfaces(const StDescription *description) {
  return description->body_count + description->obstacle_count;
}

static bool is_before(const StDescription *description, const StContactDesc *contact, int collider,
                      int surface) {
  return contact->collider != collider ? contact->collider < collider
                                       : st_contact_surface(description, contact) < surface;
}

// The first place in the list from this pair on.
static int find_place(const StDescription *description, int collider, int surface) {
  int low = 0, high = description->contact_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (is_before(description, &description->contact[middle], collider, surface))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_pair(const StDescription *description, const StContactDesc *contact, int collider,
                    int surface) {
  return contact->collider == collider && st_contact_surface(description, contact) == surface;
}

// Under a rule the list is sorted. Without one it is that of a program, in any order.
static const StContactDesc *find_listed(const StDescription *description, int collider,
                                        int surface) {
  int at = description->contact_rule ? find_place(description, collider, surface) : 0;
  while (!description->contact_rule && at < description->contact_count &&
         !is_pair(description, &description->contact[at], collider, surface))
    at++;
  bool good = at < description->contact_count &&
              is_pair(description, &description->contact[at], collider, surface);
  return good ? &description->contact[at] : NULL;
}

bool st_pair_find(const StDescription *description, int pair, StContactDesc *contact) {
  const StContactRule *rule = description->contact_rule;
  const StContactDesc *listed = NULL;
  if (pair < 0 || (!rule && pair >= description->contact_count))
    return false;
  int collider = pair / surfaces(description), surface = pair % surfaces(description);
  if (!rule)
    listed = &description->contact[pair];
  else if (collider >= description->body_count)
    return false;
  else if (description->contact_count > 0)
    listed = find_listed(description, collider, surface);
  if (listed)
    *contact = *listed;
  return listed || rule->law(rule, collider, surface, contact);
}

StPairSides st_pair_sides(const StDescription *description, int pair) {
  if (!description->contact_rule) {
    const StContactDesc *contact = &description->contact[pair];
    return (StPairSides){contact->collider, contact->body, contact->obstacle};
  }
  int surface = pair % surfaces(description), obstacle = surface - description->body_count;
  return (StPairSides){pair / surfaces(description), obstacle < 0 ? surface : -1,
                       obstacle < 0 ? -1 : obstacle};
}

StContactDesc st_pair_law(const StDescription *description, int pair) {
  StContactDesc contact = {.body = -1, .obstacle = -1};
  st_pair_find(description, pair, &contact);
  return contact;
}

int st_pair_of(const StDescription *description, int collider, int surface) {
  if (st_pair_reach(description, collider, surface) < 0)
    return ST_NO_PAIR;
  return description->contact_rule
             ? collider * surfaces(description) + surface
             : (int)(find_listed(description, collider, surface) - description->contact);
}

double st_pair_reach(const StDescription *description, int collider, int surface) {
  const StContactRule *rule = description->contact_rule;
  if (rule)
    return rule->reach(rule, collider, surface);
  const StContactDesc *found = find_listed(description, collider, surface);
  return found ? found->thickness : -1;
}

int st_pairs_end(const StDescription *description) {
  return description->contact_rule ? description->body_count * surfaces(description)
                                   : description->contact_count;
}

int st_pair_next(const StDescription *description, int pair) {
  const StContactRule *rule = description->contact_rule;
  int count = surfaces(description), end = st_pairs_end(description);
  while (rule && pair < end && rule->reach(rule, pair / count, pair % count) < 0)
    pair++;
  return pair < end ? pair : ST_NO_PAIR;
}

void st_pairs_partners(const StDescription *description, unsigned char *partners) {
  const StContactRule *rule = description->contact_rule;
  for (int b = 0; b < description->body_count; b++)
    partners[b] = rule ? rule->partners[b] : 0;
  for (int i = 0; i < description->contact_count && !rule; i++) {
    const StContactDesc *contact = &description->contact[i];
    partners[contact->collider] |= st_contact_partner(contact);
    if (contact->body >= 0)
      partners[contact->body] |= st_contact_partner(contact);
  }
}

// A pair in one direction counts as both.
bool st_pairs_are_all(const StDescription *description) {
  double up = 0, down = 0, fixed = 0, bodies = description->body_count;
  if (description->contact_rule)
    return description->contact_rule->all;
  for (int i = 0; i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    up += contact->body > contact->collider;
    down += contact->body >= 0 && contact->body < contact->collider;
    fixed += contact->obstacle >= 0;
  }
  return fmax(up, down) >= bodies * (bodies - 1) / 2 &&
         fixed >= bodies * description->obstacle_count;
}

int64_t st_pairs_count(const StDescription *description) {
  return description->contact_rule ? description->contact_rule->pair_count
                                   : description->contact_count;
}

bool st_pairs_list(StDescription *description, int most) {
  int count = 0, pair = st_pair_next(description, 0);
  if (!description->contact_rule)
    return true;
  for (; pair != ST_NO_PAIR && count < most; pair = st_pair_next(description, pair + 1))
    count++;
  StContactDesc *list = ST_NEW(StContactDesc, count);
  if (!list)
    return false;
  pair = st_pair_next(description, 0);
  for (int i = 0; i < count; i++, pair = st_pair_next(description, pair + 1))
    list[i] = st_pair_law(description, pair);
  free(description->contact);
  description->contact = list;
  description->contact_count = count;
  return true;
}

double st_pairs_most_reach(const StDescription *description) {
  double most = description->contact_rule ? description->contact_rule->most : 0;
  for (int i = 0; i < description->contact_count; i++)
    most = fmax(most, description->contact[i].thickness);
  return most;
}

const StFrictionDesc *st_pairs_friction(const StDescription *description, int i) {
  const StContactRule *rule = description->contact_rule;
  if (i < description->contact_count)
    return &description->contact[i].friction;
  i -= description->contact_count;
  return rule && i < rule->friction_count ? &rule->friction[i] : NULL;
}
