// Sides of points and shells.
#include "contact/smooth/sides.h"

#include "contact/smooth/smooth_provider.h"
#include "math/vec3.h"

#include <string.h>

// Number of pairs to check: primitives have no sides.
static int may_have_sides(const StContacts *contacts) {
  return contacts->skins ? 0 : contacts->pair_count;
}

static void find_middle(const StPair *pair, const double *position, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int i = 0; i < pair->point_count; i++)
    vec3_add_scaled(1.0 / pair->point_count, position + 3 * pair->point[i], middle);
}

void st_sides_begin(const StContacts *contacts, StContactState *state, const double *position) {
  memcpy(state->start, position, 3 * (size_t)contacts->piece->vertex_count * sizeof(double));
  state->begun = true;
  for (int p = 0; p < may_have_sides(contacts); p++)
    if (contacts->pair[p].two_sided)
      find_middle(&contacts->pair[p], position, state->pair[p].middle);
}

void st_sides_forget(const StContacts *contacts, StContactState *state) {
  for (int p = 0; p < may_have_sides(contacts); p++) {
    const StPair *pair = &contacts->pair[p];
    if (pair->two_sided)
      memset(state->pair[p].side, 0, (size_t)pair->point_count * sizeof(int));
  }
}

void st_sides_commit(const StContactSet *set, StContactState *state) {
  st_sides_forget(set->contacts, state);
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    if (set->contacts->pair[contact->pair].two_sided)
      state->pair[contact->pair].side[contact->id] = st_smooth_side(set, contact);
  }
}

// A body may be placed on a sheet without a gap; such a point is on the side of its body's centre.
static const double NUDGE = 1e-6; // of the thickness

StSurfacePast st_sides_past(const StContacts *contacts, const StContactState *state, int index,
                            int point, const double *now, double place[3]) {
  const StPair *pair = &contacts->pair[index];
  const StPairState *past = &state->pair[index];
  const double *position = state->begun ? state->start : now;
  double way[3];
  vec3_copy(position + 3 * pair->point[point], place);
  if (state->begun) {
    vec3_sub(past->middle, place, way);
    double length = vec3_length(way);
    if (length > 0)
      vec3_add_scaled(NUDGE * pair->desc->thickness / length, way, place);
  }
  return (StSurfacePast){place, position, past->side[point]};
}

static int collider_size(const StContacts *contacts, const StPair *pair) {
  return contacts->description->body[pair->desc->collider].mesh->vertex_count;
}

int st_sides_count(const StContacts *contacts) {
  int count = 0;
  for (int p = 0; p < may_have_sides(contacts); p++)
    if (contacts->pair[p].two_sided)
      count += collider_size(contacts, &contacts->pair[p]);
  return count;
}

// Number of the pair's point among the vertices of its collider.
static int vertex_of(const StContacts *contacts, const StPair *pair, int point) {
  int vertex = contacts->piece->vertex_id[pair->point[point]];
  for (int b = 0; b < pair->desc->collider; b++)
    vertex -= contacts->description->body[b].mesh->vertex_count;
  return vertex;
}

void st_sides_remember(const StContacts *contacts, const StContactState *state, int *side) {
  memset(side, 0, (size_t)st_sides_count(contacts) * sizeof(int));
  for (int p = 0; p < may_have_sides(contacts); p++) {
    const StPair *pair = &contacts->pair[p];
    if (!pair->two_sided)
      continue;
    for (int i = 0; i < pair->point_count; i++)
      side[vertex_of(contacts, pair, i)] = state->pair[p].side[i];
    side += collider_size(contacts, pair);
  }
}

// A side is a signed triangle number from 1; 0: none.
static bool all_known(const StContacts *contacts, const int *side) {
  for (int p = 0; p < may_have_sides(contacts); p++) {
    const StPair *pair = &contacts->pair[p];
    int most = pair->two_sided ? st_surface_triangle_count(st_contacts_surface(contacts, p)) : 0;
    int count = pair->two_sided ? collider_size(contacts, pair) : 0;
    for (int i = 0; i < count; i++)
      if (side[i] < -most || side[i] > most)
        return false;
    side += count;
  }
  return true;
}

bool st_sides_recall(const StContacts *contacts, StContactState *state, const int *side) {
  if (!all_known(contacts, side))
    return false;
  state->version++;
  for (int p = 0; p < may_have_sides(contacts); p++) {
    const StPair *pair = &contacts->pair[p];
    if (!pair->two_sided)
      continue;
    for (int i = 0; i < pair->point_count; i++)
      state->pair[p].side[i] = side[vertex_of(contacts, pair, i)];
    side += collider_size(contacts, pair);
  }
  return true;
}
