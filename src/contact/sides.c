// Sides of points and shells.
#include "contact/sides.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

StStatus st_sides_create(const StContacts *contacts, StPair *pair, StError *error) {
  int body = pair->desc->body;
  pair->two_sided = body >= 0 && contacts->description->body[body].mesh->triangle_count > 0;
  if (!pair->two_sided)
    return ST_OK;
  pair->side = ST_NEW(int, pair->point_count);
  return pair->side ? ST_OK : st_fail_memory(error);
}

static void find_middle(const double *position, StPair *pair) {
  vec3_set(0, 0, 0, pair->middle);
  for (int i = 0; i < pair->point_count; i++)
    vec3_add_scaled(1.0 / pair->point_count, position + 3 * pair->point[i], pair->middle);
}

void st_sides_begin(StContacts *contacts, const double *position) {
  memcpy(contacts->start, position, 3 * (size_t)contacts->piece->vertex_count * sizeof(double));
  contacts->begun = true;
  for (int p = 0; p < contacts->pair_count; p++)
    if (contacts->pair[p].two_sided)
      find_middle(position, &contacts->pair[p]);
}

void st_sides_forget(StContacts *contacts) {
  for (int p = 0; p < contacts->pair_count; p++) {
    StPair *pair = &contacts->pair[p];
    if (pair->two_sided)
      memset(pair->side, 0, (size_t)pair->point_count * sizeof(int));
  }
}

void st_sides_commit(StContacts *contacts) {
  st_sides_forget(contacts);
  for (int t = 0; t < contacts->now.count; t++) {
    const StTouch *touch = &contacts->now.touch[t];
    StPair *pair = &contacts->pair[touch->pair];
    if (pair->two_sided)
      pair->side[touch->point] = touch->side;
  }
}

// A body may be laid on a sheet without a gap; such a point is on the side of its body's middle.
static const double NUDGE = 1e-6; // of the thickness

StSurfacePast st_sides_past(const StContacts *contacts, const StPair *pair, int point,
                            double place[3]) {
  const double *position = contacts->begun ? contacts->start : contacts->position;
  double way[3];
  vec3_copy(position + 3 * pair->point[point], place);
  if (contacts->begun) {
    vec3_sub(pair->middle, place, way);
    double length = vec3_length(way);
    if (length > 0)
      vec3_add_scaled(NUDGE * pair->desc->thickness / length, way, place);
  }
  return (StSurfacePast){place, position, pair->side[point]};
}

static int collider_size(const StContacts *contacts, const StPair *pair) {
  return contacts->description->body[pair->desc->collider].mesh->vertex_count;
}

int st_sides_count(const StContacts *contacts) {
  int count = 0;
  for (int p = 0; p < contacts->pair_count; p++)
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

void st_sides_remember(const StContacts *contacts, int *side) {
  memset(side, 0, (size_t)st_sides_count(contacts) * sizeof(int));
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    if (!pair->two_sided)
      continue;
    for (int i = 0; i < pair->point_count; i++)
      side[vertex_of(contacts, pair, i)] = pair->side[i];
    side += collider_size(contacts, pair);
  }
}

// A side is a triangle's number from 1, with a sign; 0: none.
static bool all_known(const StContacts *contacts, const int *side) {
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    int most = pair->two_sided ? st_surface_triangle_count(pair->surface) : 0;
    int count = pair->two_sided ? collider_size(contacts, pair) : 0;
    for (int i = 0; i < count; i++)
      if (side[i] < -most || side[i] > most)
        return false;
    side += count;
  }
  return true;
}

bool st_sides_recall(StContacts *contacts, const int *side) {
  if (!all_known(contacts, side))
    return false;
  for (int p = 0; p < contacts->pair_count; p++) {
    StPair *pair = &contacts->pair[p];
    if (!pair->two_sided)
      continue;
    for (int i = 0; i < pair->point_count; i++)
      pair->side[i] = side[vertex_of(contacts, pair, i)];
    side += collider_size(contacts, pair);
  }
  return true;
}
