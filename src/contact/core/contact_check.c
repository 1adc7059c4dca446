// Checks the end of a step. Tested by tests/contact/test_contact_set.c and
// tests/contact/test_smooth_state.c.
#include "contact/core/contact_check.h"

#include "base/memory.h"
#include "base/search.h"
#include "contact/core/method.h"
#include "model/contact_pairs.h"

#include <stdio.h>

void st_pair_ends_free(StPairEnds *ends) {
  free(ends->end);
}

StPairEnd st_pair_ends_of(const StPairEnds *ends, int pair) {
  int low = st_find_row(ends->end, ends->count, sizeof(StPairEnd), offsetof(StPairEnd, pair), pair);
  if (low < ends->count && ends->end[low].pair == pair)
    return ends->end[low];
  return (StPairEnd){.pair = pair, .deepest = INFINITY, .vertex = -1};
}

// The last entry if it belongs to the pair, otherwise a new one.
static StPairEnd *end_of(StPairEnds *ends, int pair) {
  if (ends->count > 0 && ends->end[ends->count - 1].pair == pair)
    return &ends->end[ends->count - 1];
  if (!ST_GROW(ends->end, ends->capacity, ends->count + 1))
    return NULL;
  StPairEnd *end = &ends->end[ends->count++];
  *end = (StPairEnd){.pair = pair, .deepest = INFINITY, .vertex = -1};
  return end;
}

// An entry for each pair with contacts, with its smallest gap; an entry for every pair if paths may
// cross surfaces.
static StStatus find_ends(const StContactSet *set, StPairEnds *ends) {
  const StContacts *contacts = set->contacts;
  int next = 0, all = contacts->method->check_pair ? contacts->pair_count : 0;
  ends->count = 0;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    for (; next < all && next < contact->pair; next++)
      if (!end_of(ends, next))
        return ST_SYSTEM_FAULT;
    StPairEnd *of = end_of(ends, contact->pair);
    if (!of)
      return ST_SYSTEM_FAULT;
    if (contact->owned && contact->gap < of->deepest) {
      of->deepest = contact->gap;
      of->vertex = contacts->piece->vertex_id[st_contact_set_vertex(set, &set->now, contact)];
    }
  }
  for (; next < all; next++)
    if (!end_of(ends, next))
      return ST_SYSTEM_FAULT;
  return ST_OK;
}

// Where gaps never close, ccd checks the paths of all pairs together (contact/ccd/sweep.h).
StStatus st_contact_check_measure(const StContactSet *set, const StContactState *state,
                                  double start, const double *before, const double *after,
                                  StPairEnds *ends) {
  const StContacts *contacts = set->contacts;
  ends->count = 0;
  ST_TRY(set->status);
  ST_TRY(find_ends(set, ends));
  for (int p = 0; p < contacts->pair_count && before && contacts->method->check_pair; p++)
    ST_TRY(contacts->method->check_pair(set, state, p, start, before, after, &ends->end[p]));
  return ST_OK;
}

int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends) {
  return contacts->method->stiffen ? contacts->method->stiffen(contacts, state, ends) : 0;
}

void st_contact_check_commit(const StContactSet *set, const StPairEnds *ends,
                             StContactState *state) {
  if (set->contacts->method->commit)
    set->contacts->method->commit(set, ends, state);
  state->committed = true;
}

StStatus st_contact_check_begin(const StContactSet *set, const StPairEnds *ends,
                                StContactState *state, const StLog *log, StError *error) {
  return set->contacts->method->start ? set->contacts->method->start(set, ends, state, log, error)
                                      : ST_OK;
}

void st_pair_end_describe(const StPairEnd *end, const StDescription *description, char *text,
                          size_t size) {
  char vertex[160], other[160];
  StPairSides sides = st_pair_sides(description, end->pair);
  st_description_name_vertex(description, end->vertex, vertex, sizeof vertex);
  st_description_name_party(description, sides.body, sides.obstacle, other, sizeof other);
  if (end->crossed)
    snprintf(text, size, "%s passed through %s", vertex, other);
  else
    snprintf(text, size, "%s is %.3g m inside %s", vertex, -end->deepest, other);
}
