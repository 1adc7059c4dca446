// The list of contacts, from their readings. Tested by tests/api/test_api_query.c.
#include "contact/core/contact_list.h"

#include "base/memory.h"
#include "contact/core/reading.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

typedef struct Listing {
  const StContactSet *set;
  const double *position;
  StContactList *list;
  bool failed;
} Listing;

// Finds the vertices of one side with the largest shares, at most three.
static int find_feature(const StContactSet *set, int first, int end, const int *place,
                        const double *share, int vertex[ST_CONTACT_CORNERS]) {
  double size[ST_CONTACT_CORNERS];
  int count = 0;
  for (int k = first; k < end; k++) {
    if (!st_contact_set_is_local(set, place[k]))
      return 0;
    int at = count < ST_CONTACT_CORNERS ? count++ : ST_CONTACT_CORNERS;
    for (; at > 0 && fabs(share[k]) > size[at - 1]; at--)
      if (at < ST_CONTACT_CORNERS) {
        size[at] = size[at - 1];
        vertex[at] = vertex[at - 1];
      }
    if (at < ST_CONTACT_CORNERS) {
      size[at] = fabs(share[k]);
      vertex[at] = set->contacts->piece->vertex_id[place[k]];
    }
  }
  return count;
}

// The contact's point on the collider: Σ share·x over its places, whose shares sum to ±1.
static void find_point(const Listing *listing, int first, int end, const int *place,
                       const double *share, double point[3]) {
  double sum = 0;
  vec3_set(0, 0, 0, point);
  for (int k = first; k < end; k++) {
    vec3_add_scaled(share[k], listing->position + 3 * (size_t)place[k], point);
    sum += share[k];
  }
  for (int c = 0; c < 3 && sum != 0; c++)
    point[c] /= sum;
}

static void fill(const Listing *listing, const StReading *reading, StContactItem *item) {
  const StContactSet *set = listing->set;
  const StContact *contact = reading->contact;
  const int *place = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  int own = reading->turned, split = contact->split, count = contact->count;
  const int from[2] = {0, split}, to[2] = {split, count};
  *item = (StContactItem){.key = st_anchor_key(set, contact),
                          .pair = reading->pair,
                          .state = (int)reading->state,
                          .vertex = {{-1, -1, -1}, {-1, -1, -1}},
                          .gap = reading->gap,
                          .normal_force = reading->normal_force + reading->damper};
  for (int side = 0; side < 2; side++) {
    int at = side ^ own;
    item->count[side] = find_feature(set, from[at], to[at], place, share, item->vertex[side]);
  }
  find_point(listing, from[own], to[own], place, share, item->point);
  vec3_copy(reading->friction, item->friction);
  vec3_copy(reading->force[0], item->force);
  vec3_copy(reading->slip, item->slip);
  vec3_add_scaled(own ? -1 : 1, contact->normal_state.normal, item->normal);
}

static void visit(void *context, const StReading *reading) {
  Listing *listing = context;
  StContactList *list = listing->list;
  if (!reading->contact)
    return;
  if (!ST_GROW(list->item, list->capacity, list->count + 1)) {
    listing->failed = true;
    return;
  }
  fill(listing, reading, &list->item[list->count++]);
}

static int compare(const void *a, const void *b) {
  const StContactItem *x = a, *y = b;
  int order = st_anchor_key_compare(&x->key, &y->key);
  return order ? order : (x->gap > y->gap) - (x->gap < y->gap);
}

void st_contact_list_sort(StContactList *list) {
  if (list->count > 0)
    qsort(list->item, (size_t)list->count, sizeof *list->item, compare);
}

// Merges two contacts: the smaller gap gives the location, forces add up, and the sum of the normal
// forces gives the normal.
static void take_in(StContactItem *one, const StContactItem *other) {
  double pressing[3] = {0};
  vec3_add_scaled(one->normal_force, one->normal, pressing);
  vec3_add_scaled(other->normal_force, other->normal, pressing);
  double length = vec3_length(pressing);
  for (int c = 0; c < 3 && length > 0; c++)
    one->normal[c] = pressing[c] / length;
  one->normal_force = length;
  one->state = one->state > other->state ? one->state : other->state;
  vec3_add_scaled(1, other->friction, one->friction);
  vec3_add_scaled(1, other->force, one->force);
}

static void merge(StContactList *list) {
  int count = 0;
  for (int i = 0; i < list->count; i++) {
    StContactItem *last = count > 0 ? &list->item[count - 1] : NULL;
    if (last && st_anchor_key_compare(&last->key, &list->item[i].key) == 0)
      take_in(last, &list->item[i]);
    else
      list->item[count++] = list->item[i];
  }
  list->count = count;
}

StStatus st_contact_list_fill(const StContactSet *set, const double *position,
                              const double *velocity, StContactList *list) {
  Listing listing = {set, position, list, false};
  ST_TRY(st_readings_visit(set, position, velocity, visit, &listing));
  if (listing.failed)
    return ST_SYSTEM_FAULT;
  st_contact_list_sort(list);
  merge(list);
  return ST_OK;
}

void st_contact_list_free(StContactList *list) {
  free(list->item);
  *list = (StContactList){0};
}
