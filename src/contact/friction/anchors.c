// Anchors: finding, holding and renewing them.
#include "contact/friction/anchors.h"

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "contact/core/provider.h"
#include "contact/friction/anchor_stiffening.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <string.h>

// Fraction of its extent: a stencil thinner than this along a direction cannot carry a displacement
// along it.
static const double THIN = 1e-6;

void st_anchors_free(StAnchors *anchors) {
  free(anchors->item);
  free(anchors->place);
  free(anchors->weight);
  *anchors = (StAnchors){0};
}

// The number of a place in the description, equal on all ranks.
static uint64_t number(const StContacts *contacts, int place) {
  const StPiece *piece = contacts->piece;
  if (place < piece->vertex_count)
    return (uint64_t)piece->vertex_id[place];
  return (uint64_t)(st_description_vertex_count(contacts->description) + place -
                    piece->vertex_count);
}

// Whether a place is the centre of a sphere or the end of a capsule: one place, but not one point
// of a surface.
static bool is_round(const StContacts *contacts, int place) {
  const StSkins *skins = contacts->skins;
  if (!skins || place < skins->vertex_count || skins->point[place] < 0)
    return false;
  return skins->skin[skins->point_skin[skins->point[place]]].radius > 0;
}

StAnchorKey st_anchor_key(const StContactSet *set, const StContact *contact) {
  const int *place = st_contact_array_places(&set->now, contact);
  uint64_t n[4] = {0};
  bool round = contact->split == 1 && is_round(set->contacts, place[0]);
  if (contact->split == 1 && !round)
    return (StAnchorKey){contact->pair, number(set->contacts, place[0]), UINT64_MAX};
  for (int k = 0; k < contact->count; k++)
    n[k] = number(set->contacts, place[k]) + round;
  return (StAnchorKey){contact->pair, (uint64_t)round << 63 | n[0] << 32 | n[1], n[2] << 32 | n[3]};
}

int st_anchor_key_compare(const StAnchorKey *a, const StAnchorKey *b) {
  if (a->pair != b->pair)
    return a->pair < b->pair ? -1 : 1;
  if (a->a != b->a)
    return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

// The first anchor of a range whose key is not less than this one.
static int first_with(const StAnchors *anchors, const StAnchorKey *key, int low, int high) {
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (st_anchor_key_compare(&anchors->item[middle].key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void find_span(const StAnchors *anchors, int pair, StAnchorSpan *span) {
  StAnchorKey first = {pair, 0, 0}, next = {pair + 1, 0, 0};
  if (span->known && span->pair == pair)
    return;
  int begin = first_with(anchors, &first, 0, anchors->count);
  *span = (StAnchorSpan){true, pair, begin, first_with(anchors, &next, begin, anchors->count)};
}

static bool are_neighbours(const StSkins *skins, int a, int b) {
  if (a == b)
    return true;
  for (int i = skins->around[a]; i < skins->around[a + 1]; i++)
    if (skins->neighbour[i] == b)
      return true;
  return false;
}

// Whether the feature that a point is in contact with is adjacent to the one its anchor is on.
static bool is_beside(const StAnchors *anchors, const StAnchor *anchor, const StContactSet *set,
                      const StContact *contact) {
  const StSkins *skins = set->contacts->skins;
  const int *place = st_contact_array_places(&set->now, contact);
  for (int i = 0; i < anchor->count; i++)
    for (int k = contact->split; k < contact->count; k++)
      if (anchors->weight[anchor->first + (size_t)i] <= 0 &&
          are_neighbours(skins, anchors->place[anchor->first + (size_t)i], place[k]))
        return true;
  return false;
}

// How well an anchor matches a contact: it does from anchor_same_surface on. Normals alone are not
// enough: they rotate quickly as a point passes an edge, and losing an anchor there makes forces
// jump.
static double likeness(const StAnchors *anchors, const StAnchor *anchor, const StContactSet *set,
                       const StContact *contact, const double normal[3]) {
  double dot = vec3_dot(anchor->normal, normal);
  bool beside = set->contacts->skins && anchor->sign == 0 &&
                dot >= st_contact_tunables.anchor_no_corner &&
                is_beside(anchors, anchor, set, contact);
  return beside ? 2 + dot : dot;
}

static bool agree(const StAnchor *anchor, const StAnchorKey *key, StAnchorKey mask) {
  return ((anchor->key.a ^ key->a) & mask.a) == 0 && ((anchor->key.b ^ key->b) & mask.b) == 0;
}

// The best match among the anchors of a pair, from `lowest` on, whose keys agree in all bits of the
// mask. Most contacts have one anchor, which then matches whatever its normal is. Of several
// anchors the choice must be the same throughout a step; normals rotate during the iterations, and
// where folds meet two anchors match equally well, so the normal at the start of the step decides.
static const StAnchor *best_of(const StAnchors *anchors, const StAnchorSpan *span,
                               const StAnchorKey *lowest, StAnchorKey mask, const StContactSet *set,
                               const StContact *contact) {
  int first = first_with(anchors, lowest, span->begin, span->end), end = first;
  const StAnchor *best = &anchors->item[first];
  double most = -INFINITY, normal[3];
  while (end < span->end && agree(&anchors->item[end], lowest, mask))
    end++;
  if (end - first <= 1)
    return end > first ? best : NULL;
  if (!contact->provider->first_normal || !contact->provider->first_normal(set, contact, normal))
    vec3_copy(contact->normal_state.normal, normal);
  for (int i = first; i < end; i++) {
    double like = likeness(anchors, &anchors->item[i], set, contact, normal);
    if (like > most)
      best = &anchors->item[i], most = like;
  }
  return best;
}

// Within a step no contact may lose its anchor, however its normal rotates and whatever feature is
// nearest: a force that jumps breaks Newton's method. Anchors that no longer match are replaced
// when the step has been committed.
const StAnchor *st_anchors_find(const StAnchors *anchors, const StContactSet *set,
                                const StContact *contact, StAnchorSpan *span) {
  const StAnchorKey all = {0, UINT64_MAX, UINT64_MAX}, centre = {0, UINT64_MAX << 32, 0};
  if (anchors->count == 0)
    return NULL;
  find_span(anchors, contact->pair, span);
  if (span->begin == span->end)
    return NULL;
  StAnchorKey key = st_anchor_key(set, contact);
  const StAnchor *best = best_of(anchors, span, &key, all, set, contact);
  if (best || !(key.a >> 63))
    return best;
  StAnchorKey lowest = {key.pair, key.a & centre.a, 0};
  return best_of(anchors, span, &lowest, centre, set, contact);
}

void st_anchors_hold(StAnchors *anchors, const StContacts *contacts, double time,
                     const double *position) {
  StObstacleNow now;
  int at = -1;
  for (int i = 0; i < anchors->count; i++) {
    StAnchor *anchor = &anchors->item[i];
    int obstacle = st_pair_sides(contacts->description, anchor->key.pair).obstacle;
    vec3_set(0, 0, 0, anchor->held);
    for (int k = 0; k < anchor->count; k++)
      vec3_add_scaled(anchors->weight[anchor->first + (size_t)k],
                      position + 3 * (size_t)anchors->place[anchor->first + (size_t)k],
                      anchor->held);
    if (anchor->sign == 0)
      continue;
    double world[3];
    if (obstacle != at)
      st_obstacle_at(&contacts->description->obstacle[obstacle], time, &now);
    at = obstacle;
    st_obstacle_to_world(&now, anchor->point, world);
    vec3_add_scaled(anchor->sign, world, anchor->held);
  }
}

StAnchor *st_anchors_add(StAnchors *anchors, int places) {
  size_t used = anchors->used + (size_t)places;
  if (!ST_GROW(anchors->item, anchors->capacity, anchors->count + 1) ||
      !ST_GROW(anchors->place, anchors->place_capacity, used) ||
      !ST_GROW(anchors->weight, anchors->weight_capacity, used))
    return NULL;
  StAnchor *anchor = &anchors->item[anchors->count++];
  *anchor = (StAnchor){.count = places, .first = anchors->used};
  anchors->used = used;
  return anchor;
}

// A contact for which an anchor may be set at the end of a step.
typedef struct Candidate {
  StAnchorKey key;
  int contact;
  float normal_force; // rounded so that equal ones compare equal
} Candidate;

static int compare_candidates(const void *a, const void *b) {
  const Candidate *one = a, *other = b;
  int order = st_anchor_key_compare(&one->key, &other->key);
  if (order != 0)
    return order;
  if (one->normal_force != other->normal_force)
    return one->normal_force > other->normal_force ? -1 : 1;
  return one->contact < other->contact ? -1 : one->contact > other->contact;
}

static Candidate *candidates(const StContactSet *set, int *count) {
  Candidate *list = ST_NEW(Candidate, set->now.count);
  *count = 0;
  for (int t = 0; list && t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    const StFrictionLaw *law =
        &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_DRY];
    if (law->anchored && law->static_coefficient > 0)
      list[(*count)++] =
          (Candidate){st_anchor_key(set, contact), t, (float)contact->normal_state.normal_force};
  }
  if (list && *count > 0)
    qsort(list, (size_t)*count, sizeof *list, compare_candidates);
  return list;
}

// Elastic displacement at the end of the step. Returns its fraction of the whole displacement; 1:
// the contact sticks. velocity: room for the velocities of the stencil.
static double displacement(const StContactSet *set, const StContact *contact,
                           const double *position, double *velocity, double z[3]) {
  const int *place = st_contact_array_places(&set->now, contact);
  double wall[3], slip[3];
  st_contact_set_friction_velocities(set, contact->count, place, ST_FRICTION_PART_DRY, position,
                                     NULL, velocity);
  st_contact_set_friction_wall(set, &set->now, contact, ST_FRICTION_PART_DRY, wall);
  double along = st_contact_slip(contact->count, &contact->normal_state,
                                 st_contact_array_shares(&set->now, contact), velocity, wall, slip);
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_DRY);
  StFrictionLoad load = st_contact_load(&law, &contact->normal_state, along);
  return st_contact_set_elastic(set, contact, &load, slip, z);
}

static bool keep(const StAnchors *from, const StAnchor *old, const StContact *contact,
                 StAnchors *to) {
  StAnchor *anchor = st_anchors_add(to, old->count);
  if (!anchor)
    return false;
  size_t first = anchor->first, count = (size_t)old->count;
  *anchor = *old;
  anchor->first = first;
  anchor->owned = contact->owned;
  anchor->kept = true;
  anchor->contact = contact->id;
  vec3_copy(contact->normal_state.normal, anchor->normal);
  if (count > 0) {
    memcpy(to->place + first, from->place + old->first, count * sizeof(int));
    memcpy(to->weight + first, from->weight + old->first, count * sizeof(double));
  }
  return true;
}

// Two unit vectors perpendicular to a third.
static void across(const double n[3], double t[2][3]) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[least]))
      least = i;
  double axis[3] = {least == 0, least == 1, least == 2};
  vec3_cross(n, axis, t[0]);
  double length = vec3_length(t[0]);
  for (int i = 0; i < 3; i++)
    t[0][i] /= length;
  vec3_cross(n, t[0], t[1]);
}

// x = M⁺ b for a symmetric, semidefinite 2 × 2 matrix {m00, m01, m11}.
static void solve_thin(const double m[3], const double b[2], double x[2]) {
  double middle = 0.5 * (m[0] + m[2]), half = 0.5 * (m[0] - m[2]);
  double radius = sqrt(half * half + m[1] * m[1]);
  double value[2] = {middle + radius, middle - radius};
  double angle = 0.5 * atan2(m[1], half);
  double v[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
  x[0] = x[1] = 0;
  for (int k = 0; k < 2; k++) {
    if (!(value[k] > THIN * value[0]))
      continue;
    double part = (v[k][0] * b[0] + v[k][1] * b[1]) / value[k];
    x[0] += part * v[k][0];
    x[1] += part * v[k][1];
  }
}

static void mean(const int *place, int count, const double *position, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int k = 0; k < count; k++)
    vec3_add_scaled(1.0 / count, position + 3 * (size_t)place[k], middle);
}

// Changes the weights minimally, such that the component of Σ weight·x across n is z. The sum of
// the weights of each side stays the same.
static void shift_weights(int count, int split, const int *place, const double *position,
                          const double n[3], const double z[3], double *weight) {
  double t[2][3], middle[2][3], m[3] = {0}, lack[2], by[2], now[3] = {0};
  across(n, t);
  mean(place, split, position, middle[0]);
  mean(place + split, count - split, position, middle[1]);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < count; k++) {
      double arm[3];
      vec3_sub(position + 3 * (size_t)place[k], middle[k >= split], arm);
      double a = vec3_dot(t[0], arm), b = vec3_dot(t[1], arm);
      if (pass == 1)
        weight[k] += a * by[0] + b * by[1];
      else {
        m[0] += a * a, m[1] += a * b, m[2] += b * b;
        vec3_add_scaled(weight[k], position + 3 * (size_t)place[k], now);
      }
    }
    for (int i = 0; i < 2; i++)
      lack[i] = vec3_dot(t[i], z) - vec3_dot(t[i], now);
    solve_thin(m, lack, by);
  }
}

// Between bodies: the stencil of the contact, with weights that reproduce the displacement.
static bool set_on_bodies(const StContactSet *set, const StContact *contact, const double *position,
                          const double z[3], StAnchors *to) {
  int count = contact->count, wide[4];
  double wide_weight[4];
  const int *place = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  if (contact->provider->stencil && contact->provider->stencil(set, contact, wide, wide_weight))
    place = wide, share = wide_weight, count = 4;
  StAnchor *anchor = st_anchors_add(to, count);
  if (!anchor)
    return false;
  memcpy(to->place + anchor->first, place, (size_t)count * sizeof(int));
  memcpy(to->weight + anchor->first, share, (size_t)count * sizeof(double));
  shift_weights(count, contact->split, place, position, contact->normal_state.normal, z,
                to->weight + anchor->first);
  return true;
}

// On an obstacle the body's places stay as they are, and the displacement is put into the
// obstacle's point, on the surface across the gap. From the centre of a sphere, the direction to a
// point that slides over it is always along the normal.
static bool set_on_obstacle(const StContactSet *set, const StContact *contact,
                            const double *position, const double z[3], StAnchors *to) {
  const int *place = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  int obstacle = st_pair_sides(set->contacts->description, contact->pair).obstacle, places = 0;
  double world[3];
  StObstacleNow now;
  StAnchor *anchor = st_anchors_add(to, contact->count);
  if (!anchor)
    return false;
  vec3_copy(z, world);
  vec3_add_scaled(contact->gap, contact->normal_state.normal, world);
  for (int k = 0; k < contact->count; k++) {
    if (!st_contact_set_is_local(set, place[k]))
      continue;
    to->place[anchor->first + (size_t)places] = place[k];
    to->weight[anchor->first + (size_t)places++] = share[k];
    vec3_add_scaled(-share[k], position + 3 * (size_t)place[k], world);
  }
  anchor->count = places;
  anchor->sign = st_contact_set_is_local(set, place[0]) ? -1 : 1;
  for (int i = 0; i < 3; i++)
    world[i] *= anchor->sign;
  st_obstacle_at(&set->contacts->description->obstacle[obstacle], set->time, &now);
  st_obstacle_to_own(&now, world, anchor->point);
  return true;
}

static StAnchorStiffening stiffening_of(const StContactSet *set, const StContact *contact) {
  if (st_contact_set_pair_law(set, contact)->normal_law != ST_NORMAL_BARRIER)
    return (StAnchorStiffening){.factor = 1};
  return st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale);
}

// Scale of a new anchor, such that it is at least as stiff as the contact was under this load.
// Where a contact has slid, the slid part may stretch a softer anchor; the work of friction covers
// that energy.
static double new_anchor_scale(const StContact *contact, StAnchorStiffening stiffening,
                               double elastic_part) {
  double now = stiffening.factor * contact->anchor_scale;
  return fmax(fmax(1, stiffening.load * contact->anchor_scale), elastic_part * now);
}

// The outcome of a contact and its anchor in the step.
typedef struct Outcome {
  const StAnchor *old; // NULL: the contact had none
  bool keeps;          // the old anchor stays; otherwise a new one has …
  double z[3];         // … this elastic displacement …
  double anchor_scale; // … and the anchor's scale
} Outcome;

enum { OUTCOMES = 512, OUTCOMES_AT_ONCE = 32 };

typedef struct Renewal {
  const StAnchors *from;
  const StAnchors *like; // decides what is kept; NULL: the contacts do
  const StContactSet *set;
  const double *position;
  const Candidate *list;
  int first; // candidate of the first outcome
  Outcome outcome[OUTCOMES];
} Renewal;

// The anchor that this contact decided about.
static const StAnchor *find_decided(const StAnchors *anchors, const StAnchorKey *key, uint64_t id) {
  for (int i = first_with(anchors, key, 0, anchors->count); i < anchors->count; i++)
    if (st_anchor_key_compare(&anchors->item[i].key, key) != 0)
      return NULL;
    else if (anchors->item[i].contact == id)
      return &anchors->item[i];
  return NULL;
}

static void find_outcome(Renewal *renewal, int index, double *room, StAnchorSpan *span) {
  const StContactSet *set = renewal->set;
  const Candidate *candidate = &renewal->list[index];
  const StContact *contact = &set->now.contact[candidate->contact];
  const StAnchor *old = st_anchors_find(renewal->from, set, contact, span);
  Outcome *outcome = &renewal->outcome[index - renewal->first];
  bool like = old && likeness(renewal->from, old, set, contact, contact->normal_state.normal) >=
                         st_contact_tunables.anchor_same_surface;
  bool stiff = old && old->stiffness >=
                          st_contact_area_stiffness(contact, st_contact_set_pair_law(set, contact));
  double part = displacement(set, contact, renewal->position, room, outcome->z);
  StAnchorStiffening stiffening = stiffening_of(set, contact);
  outcome->old = old;
  outcome->keeps = part == 1 && like && stiff && stiffening.factor == 1 &&
                   st_anchor_key_compare(&old->key, &candidate->key) == 0;
  const StAnchor *decided =
      renewal->like ? find_decided(renewal->like, &candidate->key, contact->id) : NULL;
  if (decided)
    outcome->keeps = old && decided->kept;
  outcome->anchor_scale = new_anchor_scale(contact, stiffening, part);
  bool elsewhere = old && !like; // the anchor belongs to another wall
  for (int i = 0; i < 3; i++)    // the force stays the same
    outcome->z[i] *=
        elsewhere ? 0 : stiffening.factor * contact->anchor_scale / outcome->anchor_scale;
}

static bool is_small(const Renewal *renewal, int index) {
  return renewal->set->now.contact[renewal->list[index].contact].count <= ST_CONTACT_SMALL;
}

static void find_outcomes(void *context, int begin, int end) {
  Renewal *renewal = context;
  double room[3 * ST_CONTACT_SMALL];
  StAnchorSpan span = {0};
  for (int i = begin; i < end; i++)
    if (is_small(renewal, i))
      find_outcome(renewal, i, room, &span);
}

static bool renew(Renewal *renewal, int index, StAnchors *to) {
  const StContactSet *set = renewal->set;
  const Candidate *candidate = &renewal->list[index];
  const Outcome *outcome = &renewal->outcome[index - renewal->first];
  const StContact *contact = &set->now.contact[candidate->contact];
  bool on_body = st_pair_sides(set->contacts->description, contact->pair).body >= 0;
  if (!is_small(renewal, index))
    find_outcome(renewal, index, set->work->real, &(StAnchorSpan){0});
  if (outcome->keeps)
    return keep(renewal->from, outcome->old, contact, to);
  if (!(on_body ? set_on_bodies : set_on_obstacle)(set, contact, renewal->position, outcome->z, to))
    return false;
  StAnchor *anchor = &to->item[to->count - 1];
  anchor->key = candidate->key;
  anchor->owned = contact->owned;
  anchor->contact = contact->id;
  anchor->stiffness = outcome->anchor_scale *
                      st_contact_area_stiffness(contact, st_contact_set_pair_law(set, contact));
  vec3_copy(contact->normal_state.normal, anchor->normal);
  return true;
}

// Whether an anchor set just before, with the same key, also serves this contact.
static bool is_served(const Renewal *renewal, int index, const StAnchors *to) {
  const StAnchorKey *key = &renewal->list[index].key;
  const StContact *contact = &renewal->set->now.contact[renewal->list[index].contact];
  const double *normal = contact->normal_state.normal;
  if (renewal->like)
    return !find_decided(renewal->like, key, contact->id);
  for (int i = to->count - 1; i >= 0 && st_anchor_key_compare(&to->item[i].key, key) == 0; i--)
    if (vec3_dot(to->item[i].normal, normal) >= st_contact_tunables.anchor_same_surface)
      return true;
  return false;
}

bool st_anchors_renew(const StAnchors *from, const StContactSet *set, const double *position,
                      StAnchors *to) {
  return st_anchors_renew_like(from, set, position, NULL, to);
}

bool st_anchors_renew_like(const StAnchors *from, const StContactSet *set, const double *position,
                           const StAnchors *like, StAnchors *to) {
  int count;
  Candidate *list = candidates(set, &count);
  Renewal renewal = {.from = from, .like = like, .set = set, .position = position, .list = list};
  bool good = list != NULL;
  for (int i = 0; i < count && good; i++) {
    if (i % OUTCOMES == 0) {
      renewal.first = i;
      st_crew_sweep(set->contacts->piece->crew, i, count - i < OUTCOMES ? count : i + OUTCOMES,
                    OUTCOMES_AT_ONCE, find_outcomes, &renewal);
    }
    if (!is_served(&renewal, i, to))
      good = renew(&renewal, i, to);
  }
  free(list);
  return good;
}
