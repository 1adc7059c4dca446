// Bytes of the state of smooth surfaces: the number of pairs, the pairs, and the sides. Tested by
// tests/contact/test_smooth_state.c and tests/api/test_api_take_over.c.
#include "contact/smooth/smooth_memory.h"

#include "base/memory.h"
#include "contact/smooth/smooth_state.h"

#include <math.h>
#include <string.h>

typedef struct Saved {
  double stiffness, depth, radius;
  int pair, overlapping;
} Saved;

static Saved save(const StContacts *contacts, const StContactState *state, int pair) {
  const StSmoothPair *from = &state->smooth->pair[pair];
  return (Saved){from->stiffness, from->depth, st_smooth_state_radius(contacts, state, pair), pair,
                 from->overlapping};
}

static void put(char *bytes, int64_t index, const Saved *saved) {
  memcpy(bytes + sizeof index + (size_t)index * sizeof *saved, saved, sizeof *saved);
}

static Saved get(const char *bytes, int64_t index) {
  Saved saved;
  memcpy(&saved, bytes + sizeof index + (size_t)index * sizeof saved, sizeof saved);
  return saved;
}

static int64_t pairs_of(const char *bytes) {
  int64_t pairs;
  memcpy(&pairs, bytes, sizeof pairs);
  return pairs;
}

static size_t sides_at(int64_t pairs) {
  return sizeof pairs + (size_t)pairs * sizeof(Saved);
}

char *st_smooth_memory_pack(const StContacts *contacts, StContactState *state, size_t *size) {
  int count = st_smooth_memory_side_count(contacts), *side = ST_NEW(int, count);
  int64_t pairs = state->smooth->marked_count;
  size_t sides = (size_t)count * sizeof(int);
  *size = sides_at(pairs) + sides;
  char *bytes = ST_NEW(char, *size);
  if (bytes && side) {
    st_smooth_state_sort(state);
    memcpy(bytes, &pairs, sizeof pairs);
    for (int64_t i = 0; i < pairs; i++) {
      Saved saved = save(contacts, state, state->smooth->marked[i]);
      put(bytes, i, &saved);
    }
    st_smooth_memory_sides(contacts, state, side);
    memcpy(bytes + *size - sides, side, sides);
  }
  free(side);
  return bytes;
}

static bool is_sane(const StContacts *contacts, const char *bytes, size_t size) {
  int64_t pairs = size >= sizeof pairs ? pairs_of(bytes) : -1;
  if (pairs < 0 || pairs > contacts->pair_count || size < sides_at(pairs))
    return false;
  for (int64_t i = 0; i < pairs; i++) {
    Saved saved = get(bytes, i);
    if (!(st_contacts_place(contacts, saved.pair) >= 0 && saved.stiffness > 0 &&
          isfinite(saved.stiffness) && isfinite(saved.depth) && saved.radius >= 0 &&
          isfinite(saved.radius)))
      return false;
  }
  return true;
}

// Bytes from another scene have no sides.
static StStatus unpack_sides(const StContacts *contacts, StContactState *state, const char *bytes,
                             size_t size) {
  size_t count = (size_t)st_smooth_memory_side_count(contacts);
  if (size == 0)
    return ST_OK;
  if (size != count * sizeof(int))
    return ST_BAD_INPUT;
  int *side = ST_NEW(int, count);
  if (!side)
    return ST_SYSTEM_FAULT;
  memcpy(side, bytes, size);
  bool known = st_smooth_memory_restore_sides(contacts, state, side);
  free(side);
  return known ? ST_OK : ST_BAD_INPUT;
}

StStatus st_smooth_memory_unpack(const StContacts *contacts, StContactState *state,
                                 const char *bytes, size_t size) {
  if (!is_sane(contacts, bytes, size))
    return ST_BAD_INPUT;
  int64_t pairs = pairs_of(bytes);
  size_t fixed = sides_at(pairs);
  ST_TRY(unpack_sides(contacts, state, bytes + fixed, size - fixed));
  for (int64_t i = 0; i < pairs; i++) {
    Saved saved = get(bytes, i);
    st_smooth_state_restore(contacts, state, saved.pair,
                            &(StSmoothPair){.stiffness = saved.stiffness,
                                            .depth = saved.depth,
                                            .overlapping = saved.overlapping != 0},
                            saved.radius);
  }
  return ST_OK;
}

void st_smooth_memory_rename(char *bytes, size_t *size, StPairTranslation translate,
                             const void *context) {
  int64_t count = 0, pairs = pairs_of(bytes);
  for (int64_t i = 0; i < pairs; i++) {
    Saved saved = get(bytes, i);
    saved.pair = translate(context, saved.pair);
    if (saved.pair >= 0)
      put(bytes, count++, &saved);
  }
  memcpy(bytes, &count, sizeof count);
  *size = sides_at(count);
}

// Vertices of the collider of a two-sided pair; otherwise 0.
static int side_count(const StContacts *contacts, const StPair *pair) {
  return pair->smooth->two_sided
             ? contacts->description->body[pair->desc->collider].mesh->vertex_count
             : 0;
}

int st_smooth_memory_side_count(const StContacts *contacts) {
  int count = 0;
  for (int p = 0; p < contacts->pair_count; p++)
    count += side_count(contacts, &contacts->pair[p]);
  return count;
}

// Number of the pair's point among the vertices of its collider.
static int vertex_of(const StContacts *contacts, const StPair *pair, int point) {
  return contacts->piece->vertex_id[pair->point[point]] -
         st_description_first_vertex(contacts->description, pair->desc->collider);
}

void st_smooth_memory_sides(const StContacts *contacts, const StContactState *state, int *side) {
  memset(side, 0, (size_t)st_smooth_memory_side_count(contacts) * sizeof(int));
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    for (int i = 0; i < pair->point_count && pair->smooth->two_sided; i++)
      side[vertex_of(contacts, pair, i)] = state->smooth->pair[p].side[i];
    side += side_count(contacts, pair);
  }
}

// A side is a signed triangle number from 1; 0: none.
static bool all_known(const StContacts *contacts, const int *side) {
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    int count = side_count(contacts, pair);
    int most = count > 0 ? contacts->smooth->surface[pair->smooth->surface].triangle_count : 0;
    for (int i = 0; i < count; i++)
      if (side[i] < -most || side[i] > most)
        return false;
    side += count;
  }
  return true;
}

bool st_smooth_memory_restore_sides(const StContacts *contacts, StContactState *state,
                                    const int *side) {
  if (!all_known(contacts, side))
    return false;
  state->version++;
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    for (int i = 0; i < pair->point_count && pair->smooth->two_sided; i++)
      state->smooth->pair[p].side[i] = side[vertex_of(contacts, pair, i)];
    side += side_count(contacts, pair);
  }
  return true;
}
