// Matching by names. Tested by tests/api/test_api_take_over.c.
#include "contact/core/handover.h"

#include "base/memory.h"
#include "model/contact_pairs.h"

#include <limits.h>
#include <string.h>

static bool is_same_body(const StBodyDesc *a, const StBodyDesc *b) {
  return strcmp(a->name, b->name) == 0 && a->mesh->vertex_count == b->mesh->vertex_count &&
         a->mesh->tet_count == b->mesh->tet_count &&
         a->mesh->triangle_count == b->mesh->triangle_count && a->rigid == b->rigid;
}

static void match_bodies(StMatch *match) {
  for (int i = 0; i < match->from->body_count; i++) {
    match->body[i] = -1;
    for (int k = 0; k < match->to->body_count && match->body[i] < 0; k++)
      if (is_same_body(&match->from->body[i], &match->to->body[k]))
        match->body[i] = k;
  }
}

static void match_obstacles(StMatch *match) {
  for (int i = 0; i < match->from->obstacle_count; i++) {
    match->obstacle[i] = -1;
    for (int k = 0; k < match->to->obstacle_count && match->obstacle[i] < 0; k++)
      if (strcmp(match->from->obstacle[i].name, match->to->obstacle[k].name) == 0)
        match->obstacle[i] = k;
  }
}

static void match_vertices(StMatch *match) {
  int at = 0;
  for (int b = 0; b < match->from->body_count; b++) {
    int other = match->body[b],
        first = other < 0 ? -1 : st_description_first_vertex(match->to, other);
    for (int i = 0; i < match->from->body[b].mesh->vertex_count; i++)
      match->vertex[at++] = other < 0 ? -1 : first + i;
  }
}

// The pair of `to` with the same sides in the same order; -1: there is none.
static int translate_pair(const void *context, int pair) {
  const StMatch *match = context;
  StPairSides sides = st_pair_sides(match->from, pair);
  int collider = match->body[sides.collider];
  int other = sides.body >= 0 ? match->body[sides.body] : match->obstacle[sides.obstacle];
  if (collider < 0 || other < 0)
    return -1;
  int found =
      st_pair_of(match->to, collider, sides.body >= 0 ? other : match->to->body_count + other);
  return found == ST_NO_PAIR ? -1 : found;
}

// The rigid places of an obstacle, which are consecutive.
typedef struct Places {
  int first, count;
} Places;

static Places places_of(const StSkins *skins, int obstacle) {
  int skin = obstacle < 0 || !skins ? -1 : st_skins_of_obstacle(skins, obstacle);
  int low = INT_MAX, high = -1;
  for (int p = 0; skin >= 0 && p < skins->skin[skin].point_count; p++) {
    int place = skins->point_place[skins->skin[skin].first_point + p] - skins->vertex_count;
    low = place < low ? place : low;
    high = place > high ? place : high;
  }
  return high < 0 ? (Places){0, 0} : (Places){low, high - low + 1};
}

static void match_places(StMatch *match, const StSkins *from, const StSkins *to) {
  for (int i = 0; i < match->place_count; i++)
    match->place[i] = -1;
  for (int i = 0; i < match->from->obstacle_count; i++) {
    Places here = places_of(from, i), there = places_of(to, match->obstacle[i]);
    for (int k = 0; k < here.count && here.count == there.count; k++)
      match->place[here.first + k] = there.first + k;
  }
}

StStatus st_match_create(const StDescription *from, const StContacts *from_contacts,
                         const StDescription *to, const StContacts *to_contacts, StMatch *match,
                         StError *error) {
  const StSkins *skins = from_contacts ? from_contacts->skins : NULL;
  const StSkins *others = to_contacts ? to_contacts->skins : NULL;
  *match = (StMatch){.from = from,
                     .to = to,
                     .body = ST_NEW(int, from->body_count),
                     .obstacle = ST_NEW(int, from->obstacle_count),
                     .vertex = ST_NEW(int, st_description_vertex_count(from)),
                     .place_count = skins ? skins->place_count - skins->vertex_count : 0};
  match->place = ST_NEW(int, match->place_count);
  if (!match->body || !match->obstacle || !match->vertex || !match->place)
    return st_fail_memory(error);
  match_bodies(match);
  match_obstacles(match);
  match_vertices(match);
  match_places(match, skins, others);
  return ST_OK;
}

void st_match_free(StMatch *match) {
  free(match->body);
  free(match->obstacle);
  free(match->vertex);
  free(match->place);
  *match = (StMatch){0};
}

void st_handover_free(StHandover *handover) {
  free(handover->memory);
  free(handover->anchors);
  st_factors_free(&handover->factors);
  *handover = (StHandover){0};
}

bool st_handover_pairs(const StMatch *match, const StContacts *contacts, StContactState *state,
                       StHandover *handover) {
  if (match->from->contact_settings.method != match->to->contact_settings.method)
    return true;
  handover->memory = st_contact_state_pack(contacts, state, &handover->memory_size);
  if (handover->memory)
    st_contact_state_rename(state, handover->memory, &handover->memory_size, translate_pair, match);
  return handover->memory != NULL;
}

// Translates a number of a key (contact/friction/anchors.c); -1: it has no counterpart.
static int64_t translate_number(const StMatch *match, uint64_t number) {
  uint64_t vertices = (uint64_t)st_description_vertex_count(match->from);
  if (number < vertices)
    return match->vertex[number];
  uint64_t place = number - vertices;
  if (place >= (uint64_t)match->place_count || match->place[place] < 0)
    return -1;
  return st_description_vertex_count(match->to) + match->place[place];
}

void st_match_factors(const StMatch *match, StFactors *factors) {
  int count = 0;
  for (int i = 0; i < factors->count; i++) {
    StFactor item = factors->item[i];
    int64_t vertex = translate_number(match, (uint64_t)item.vertex);
    item.vertex = (int)vertex;
    if (vertex >= 0)
      factors->item[count++] = item;
  }
  factors->count = count;
}

static bool translate_key(void *context, StAnchorKey *key) {
  const StMatch *match = context;
  int64_t number[4];
  key->pair = translate_pair(match, key->pair);
  if (key->pair < 0)
    return false;
  if (key->b == UINT64_MAX) {
    number[0] = translate_number(match, key->a);
    key->a = (uint64_t)number[0];
    return number[0] >= 0;
  }
  uint64_t round = key->a >> 63, mask = UINT32_MAX;
  const uint64_t old[4] = {(key->a & ~(1ull << 63)) >> 32, key->a & mask, key->b >> 32,
                           key->b & mask};
  for (int k = 0; k < 4; k++) {
    bool empty = round && old[k] == 0; // keys of round obstacles count features from one
    number[k] = empty ? 0 : translate_number(match, old[k] - round) + (int64_t)round;
    if (number[k] < 0 || (round && !empty && number[k] == 0))
      return false;
  }
  key->a = round << 63 | (uint64_t)number[0] << 32 | (uint64_t)number[1];
  key->b = (uint64_t)number[2] << 32 | (uint64_t)number[3];
  return true;
}

static int64_t translate_vertex(void *context, int64_t vertex) {
  const StMatch *match = context;
  return match->vertex[vertex];
}

char *st_match_anchors(const StMatch *match, const char *bytes, size_t *size) {
  StAnchorNames names = {(void *)match, translate_key, translate_vertex};
  return st_anchors_rename(bytes, size, &names);
}
