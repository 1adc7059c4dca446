// Contacts of primitives that contact/core/narrow_phase.h finds. Tested by
// tests/contact/test_anchors.c and tests/step/test_stage_contact.c.
#include "contact/core/provider.h"

#include "base/memory.h"
#include "contact/ccd/conservative_advancement.h"
#include "contact/ccd/obstacle_path.h"
#include "contact/core/narrow_phase.h"
#include "contact/core/primitive_jacobian.h"
#include "contact/core/taken_features.h"
#include "contact/friction/anchor_stiffening.h"
#include "contact/friction/spin.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <limits.h>
#include <string.h>

// The numbers of a pair of primitives before it is known to be a contact.
typedef struct Shape {
  bool meets, touches; // features that meet have no gap; contacts touch, others are too far apart
  double thickness, gap, mollifier;
  double factor; // of κ
  StNormalState normal_state;
  double share[ST_PRIMITIVE_MOST];
} Shape;

typedef struct Own {
  const StContacts *contacts;
  double *numbers; // all arrays of numbers below
  StCandidates *candidates;
  double slack;
  // [place_count][3] positions at the evaluation, and at the next; at both ends of a path; of rigid
  // places at the start of the step; and velocities of rigid places.
  double *place, *next, *start, *way, *before, *velocity;
  StFinder *finder;
  size_t count;
  const StFound *const *found; // [count] owned by the finder, or …
  StTakenFeatures taken;       // … taken from another set, see st_contacts_follow
  size_t asked;                // see `first_of`
  // Inputs of the last search, besides `place`: positions when the step began, [place_count][3],
  // and the sharpness of edges there; not known before the first search. And what comes next.
  bool known;
  double *known_sharpness, *began, *next_began;
  // Paths that were looked at last, and the skins that met nothing on them.
  bool looked, *clear;             // [skin_count]
  double *looked_from, *looked_to; // [place_count][3]
  Shape *shape;                    // [count]
  size_t shape_capacity;
  StSpin *spin; // [obstacles]
} Own;

static bool takes(const StContacts *contacts, int pair) {
  const StContactDesc *desc = contacts->pair[pair].desc;
  return desc->body >= 0 || st_skins_of_obstacle(contacts->skins, desc->obstacle) >= 0;
}

static void close_own(void *data) {
  Own *own = data;
  if (!own)
    return;
  st_candidates_destroy(own->candidates);
  st_finder_destroy(own->finder);
  st_taken_features_free(&own->taken);
  free(own->shape);
  st_owner_free(own);
}

static void allocate(Own *own) {
  const StSkins *skins = own->contacts->skins;
  double **array[] = {&own->place,       &own->next,     &own->start, &own->way,
                      &own->before,      &own->velocity, &own->began, &own->next_began,
                      &own->looked_from, &own->looked_to};
  for (int i = 0; i < ST_LENGTH(array); i++)
    *array[i] = ST_OWN(own, double, 3 * (size_t)skins->place_count);
  own->known_sharpness = ST_OWN(own, double, skins->edge_count);
  own->clear = ST_OWN(own, bool, skins->skin_count);
  own->spin = ST_OWN(own, StSpin, own->contacts->description->obstacle_count);
}

static StStatus fill_own(StContactSet *set, Own *own, StError *error) {
  const StSkins *skins = own->contacts->skins;
  int first;
  allocate(own);
  ST_TRY_MEMORY(st_owner_is_whole(own), error);
  ST_TRY(st_contact_set_add_rigid(set, skins->place_count - skins->vertex_count, &first, error));
  ST_TRY(st_candidates_create(skins, &own->candidates, error));
  return st_finder_create(skins, &own->finder, error);
}

static StStatus open_own(StContactSet *set, void **result, StError *error) {
  const StContacts *contacts = set->contacts;
  Own *own = *result = ST_OWNER(Own);
  ST_TRY_MEMORY(own, error);
  own->contacts = contacts;
  own->slack = st_contact_tunables.lists_slack * contacts->skins->most_reach;
  return fill_own(set, own, error);
}

// Positions of all places, and velocities of rigid ones. Rigid places move straight from where they
// were at the start of the step.
static void stand(Own *own, const StConfiguration *at, double *place) {
  const StSkins *skins = own->contacts->skins;
  const StInstant *instant = &at->instant;
  size_t local = 3 * (size_t)skins->vertex_count, all = 3 * (size_t)skins->place_count;
  memcpy(place, at->position, local * sizeof(double));
  if (all == local)
    return;
  st_skins_place_rigid(skins, instant->time, place, own->velocity);
  if (!(instant->progress < 1))
    return;
  st_skins_place_rigid(skins, instant->start, own->before, NULL);
  for (size_t i = local; i < all; i++)
    place[i] = own->before[i] + instant->progress * (place[i] - own->before[i]);
}

// The same without a copy if there are no rigid places.
static const double *places_at(Own *own, const StConfiguration *at, double *room) {
  if (own->contacts->skins->place_count == own->contacts->skins->vertex_count)
    return at->position;
  stand(own, at, room);
  return room;
}

// Displacement of rigid places since the start of the step.
static void shift_rigid(StContactSet *set, Own *own) {
  const StSkins *skins = own->contacts->skins;
  size_t local = 3 * (size_t)skins->vertex_count, rigid = 3 * (size_t)set->rigid_count;
  memset(set->rigid_shift, 0, rigid * sizeof(double));
  if (own->contacts->still)
    return;
  st_skins_place_rigid(skins, set->start_time, own->before, NULL);
  for (size_t i = 0; i < rigid; i++)
    set->rigid_shift[i] = own->place[local + i] - own->before[local + i];
}

static void turn_obstacles(const StContactSet *set, Own *own) {
  const StSkins *skins = own->contacts->skins;
  for (int s = 0; s < skins->skin_count && !own->contacts->still; s++) {
    int obstacle = skins->skin[s].obstacle;
    if (obstacle >= 0)
      st_spin_at(&own->contacts->description->obstacle[obstacle], skins->skin[s].radius,
                 set->start_time, set->time, &own->spin[obstacle]);
  }
}

// Positions of all places when the step began.
static void stand_at_start(Own *own, const StContactState *state, const StContactSet *set) {
  const StSkins *skins = own->contacts->skins;
  size_t local = 3 * (size_t)skins->vertex_count;
  memcpy(own->next_began, state->begun ? state->start : own->next, local * sizeof(double));
  st_skins_place_rigid(skins, set->start_time, own->next_began, NULL);
}

static void gather(const double *place, const int *index, int count, double *x) {
  for (int k = 0; k < count; k++)
    vec3_copy(place + 3 * (size_t)index[k], x + 3 * k);
}

typedef struct Shaping {
  Own *own;
  const StContactState *state;
} Shaping;

static void find_shape(const Shaping *shaping, const StFound *found, Shape *shape) {
  const Own *own = shaping->own;
  int count = st_primitive_count(found->primitive.kind);
  double x[3 * ST_PRIMITIVE_MOST];
  StPrimitiveGap gap;
  gather(own->place, found->place, count, x);
  shape->meets = !st_primitive_gap(&found->primitive, x, &gap);
  if (shape->meets)
    return;
  StContactDesc pair = st_pair_law(own->contacts->description, found->pair);
  shape->thickness = found->part * pair.thickness;
  shape->touches = gap.gap < shape->thickness && gap.mollifier > 0;
  if (!shape->touches)
    return;
  bool edges = found->primitive.kind == ST_EDGE_EDGE;
  StContactKind kind = st_stiffness_kind(own->contacts, found->pair, edges);
  shape->factor =
      st_stiffness_factor(&shaping->state->stiffness, own->contacts, kind, found->place, count);
  StContactLaw law = {.normal_law = ST_NORMAL_BARRIER,
                      .thickness = shape->thickness,
                      .stiffness = shape->factor * pair.stiffness * found->weight,
                      .film = edges ? 0 : found->weight};
  shape->gap = gap.gap;
  shape->mollifier = gap.mollifier;
  shape->normal_state = st_contact_normal_state_along(&law, gap.gap, gap.mollifier, gap.normal);
  memcpy(shape->share, gap.share, sizeof shape->share);
}

static void find_shapes(void *context, int begin, int end) {
  const Shaping *shaping = context;
  for (int i = begin; i < end; i++)
    find_shape(shaping, shaping->own->found[i], &shaping->own->shape[i]);
}

static void swap(double **a, double **b) {
  double *keep = *a;
  *a = *b;
  *b = keep;
}

// Whether the last search holds here: steps begin where the ones before ended, and residuals are
// evaluated more than once at a point.
static bool is_known(const Own *own, const double *sharpness) {
  const StSkins *skins = own->contacts->skins;
  size_t places = 3 * (size_t)skins->place_count * sizeof(double);
  return own->known && memcmp(own->next, own->place, places) == 0 &&
         memcmp(own->next_began, own->began, places) == 0 &&
         memcmp(own->known_sharpness, sharpness, (size_t)skins->edge_count * sizeof(double)) == 0;
}

static StStatus search(Own *own, const StContactState *state, const bool *parked) {
  const StSkins *skins = own->contacts->skins;
  swap(&own->place, &own->next);
  swap(&own->began, &own->next_began);
  own->known = false;
  own->count = own->asked = 0;
  ST_TRY(st_candidates_cover(own->candidates, own->place, own->place, own->slack, NULL));
  if (!st_finder_search(own->finder, own->candidates, own->place,
                        (StStepStart){own->began, state->sharpness}, parked))
    return ST_SYSTEM_FAULT;
  own->found = st_finder_found(own->finder, &own->count);
  memcpy(own->known_sharpness, state->sharpness, (size_t)skins->edge_count * sizeof(double));
  own->known = true;
  return ST_OK;
}

static StStatus follow(Own *own, const Own *other) {
  if (!st_taken_features_take(&own->taken, own->found, own->count, other->found, other->count))
    return ST_SYSTEM_FAULT;
  own->known = false;
  own->found = (const StFound *const *)own->taken.list;
  own->count = other->count;
  return ST_OK;
}

enum { SHAPES_AT_ONCE = 256 };

static StStatus begin(StContactSet *set, const StContactState *state, const double *position) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  const StConfiguration at = {set->instant, position};
  const StSkins *skins = own->contacts->skins;
  stand(own, &at, own->next);
  stand_at_start(own, state, set);
  if (!is_known(own, state->sharpness))
    ST_TRY(search(own, state, set->parked));
  if (set->followed)
    ST_TRY(follow(own, st_contact_set_own(set->followed, &st_provider_primitives)));
  turn_obstacles(set, own);
  size_t local = 3 * (size_t)skins->vertex_count, rigid = 3 * (size_t)set->rigid_count;
  if (rigid > 0) {
    memcpy(set->rigid_position, own->place + local, rigid * sizeof(double));
    memcpy(set->rigid_velocity, own->velocity + local, rigid * sizeof(double));
    shift_rigid(set, own);
  }
  if (!ST_GROW(own->shape, own->shape_capacity, own->count))
    return ST_SYSTEM_FAULT;
  st_crew_sweep(skins->crew, 0, (int)own->count, SHAPES_AT_ONCE, find_shapes,
                &(Shaping){own, state});
  return ST_OK;
}

// Forces are added by the rank that owns the first vertex of a body.
static bool is_owned(const StContacts *contacts, const int *place, int count) {
  for (int k = 0; k < count; k++)
    if (place[k] < contacts->piece->vertex_count)
      return place[k] < contacts->piece->owned_count;
  return false;
}

static StContactLaw law_of(const StContactSet *set, const StContact *contact, StFrictionPart part) {
  StContactLaw law = st_contact_set_law(set, contact, part);
  if (law.friction->anchored)
    law.stiffening =
        st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale).slope;
  return law;
}

static const StSpin *spin_of(const StContactSet *set, int pair) {
  static const StSpin none = {0};
  const Own *own = st_contact_set_own(set, &st_provider_primitives);
  int obstacle = st_pair_sides(set->contacts->description, pair).obstacle;
  return obstacle >= 0 ? &own->spin[obstacle] : &none;
}

// The same for the velocity on which one part of friction depends.
static bool friction_spin(const StContactSet *set, int pair, StFrictionPart part, double spin[9]) {
  const StSpin *of = spin_of(set, pair);
  for (int i = 0; i < 9; i++)
    spin[i] = part == ST_FRICTION_PART_DRY ? of->shift[i] / set->span : of->velocity[i];
  return of->turns;
}

static void wall(const StContactSet *set, const StContact *contact, const double *position,
                 double velocity[3], double shift[3]) {
  const StSpin *spin = spin_of(set, contact->pair);
  (void)position;
  if (!spin->turns)
    return;
  mat3_apply(spin->velocity, contact->normal_state.normal, velocity);
  mat3_apply(spin->shift, contact->normal_state.normal, shift);
}

// Adds a contact to the list; threads complete it.
static StStatus add_contact(StContactSet *set, const Own *own, size_t index) {
  const StFound *found = own->found[index];
  const Shape *shape = &own->shape[index];
  if (shape->meets)
    return ST_NOT_SOLVED;
  if (!shape->touches)
    return ST_OK;
  StContact *contact = st_contact_set_add(set, &st_provider_primitives, found->pair,
                                          st_primitive_count(found->primitive.kind));
  if (!contact)
    return ST_SYSTEM_FAULT;
  contact->index = index;
  st_contact_set_keep(set, contact);
  return ST_OK;
}

// Fills the gradients of a contact. There are millions of shapes, of which few are mollified, so
// numbers that follow from others are not stored in them.
static void fill_gradients(const Own *own, const StFound *found, const Shape *shape, size_t count,
                           double *gradient, double *mollifier_gradient) {
  double x[3 * ST_PRIMITIVE_MOST];
  StPrimitiveGap gap;
  for (size_t i = 0; i < 3 * count; i++)
    gradient[i] = shape->share[i / 3] * shape->normal_state.normal[i % 3];
  memset(mollifier_gradient, 0, 3 * count * sizeof(double));
  if (!(shape->mollifier < 1))
    return;
  gather(own->place, found->place, (int)count, x);
  if (st_primitive_gap(&found->primitive, x, &gap))
    memcpy(mollifier_gradient, gap.mollifier_gradient, 3 * count * sizeof(double));
}

static void complete(const StContactSet *set, StContact *contact) {
  const Own *own = st_contact_set_own(set, &st_provider_primitives);
  const StFound *found = own->found[contact->index];
  const Shape *shape = &own->shape[contact->index];
  const StContactArray *list = &set->now;
  size_t count = (size_t)contact->count;
  contact->id = found->id;
  contact->split = found->primitive.kind == ST_EDGE_EDGE ? 2 : 1;
  contact->owned = is_owned(own->contacts, found->place, contact->count);
  contact->weight = found->weight;
  contact->factor = shape->factor;
  contact->thickness = shape->thickness;
  contact->gap = shape->gap;
  contact->mollifier = shape->mollifier;
  contact->normal_state = shape->normal_state;
  wall(set, contact, NULL, contact->wall, contact->shift);
  memcpy(list->vertex + contact->first, found->place, count * sizeof(int));
  fill_gradients(own, found, shape, count, list->gradient + 3 * contact->first,
                 list->mollifier_gradient + 3 * contact->first);
  memcpy(list->share + contact->first, shape->share, count * sizeof(double));
}

// Index of the first result of this pair or a later one. Results are sorted by pair, and callers
// ask for ascending pairs.
static size_t first_of(Own *own, int pair) {
  if (own->asked > 0 && own->found[own->asked - 1]->pair >= pair)
    own->asked = 0;
  while (own->asked < own->count && own->found[own->asked]->pair < pair)
    own->asked++;
  return own->asked;
}

static int next(const StContactSet *set, int pair) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  size_t first = first_of(own, pair);
  return first < own->count ? own->found[first]->pair : INT_MAX;
}

static StStatus evaluate(StContactSet *set, const StContactState *state, int pair,
                         const double *position) {
  (void)state, (void)position;
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  for (size_t i = first_of(own, pair); i < own->count && own->found[i]->pair == pair; i++)
    ST_TRY(add_contact(set, own, i));
  return ST_OK;
}

static const StPrimitive *primitive_of(const StContactSet *set, const StContact *contact) {
  const Own *own = st_contact_set_own(set, &st_provider_primitives);
  return &own->found[contact->index]->primitive;
}

static bool normal_jacobian(const StContactSet *set, const StContact *contact,
                            const double *position, double by_position, double *jacobian) {
  const StPrimitive *primitive = primitive_of(set, contact);
  StContactLaw law = law_of(set, contact, ST_FRICTION_PART_ALL);
  StPrimitiveGap gap;
  StPrimitiveSlopes slopes;
  if (!st_primitive_gap(primitive, position, &gap))
    return false;
  st_primitive_slopes(primitive, &gap, &slopes);
  st_primitive_normal_jacobian(&law, &gap, &slopes, by_position, jacobian);
  return true;
}

// The sliding of the sides for one part of friction.
static StPrimitiveSlide slide_of(const StContactSet *set, const StContact *contact,
                                 StFrictionPart part, const double *velocity) {
  StPrimitiveSlide slide = {.velocity = velocity};
  st_contact_set_friction_wall(set, &set->now, contact, part, slide.wall);
  friction_spin(set, contact->pair, part, slide.spin);
  return slide;
}

static bool friction_jacobian(const StContactSet *set, const StContact *contact,
                              StFrictionPart part, bool joined, const double *position,
                              const double *velocity, double by_position, double by_velocity,
                              double *jacobian) {
  const StPrimitive *primitive = primitive_of(set, contact);
  StContactLaw law = law_of(set, contact, part);
  StPrimitiveGap gap;
  StPrimitiveSlopes slopes;
  if (!st_primitive_gap(primitive, position, &gap))
    return false;
  st_primitive_turns(&gap, &slopes);
  st_primitive_mollifier_slopes(primitive, &gap, &slopes);
  StPrimitiveSlide slide = slide_of(set, contact, part, velocity);
  st_primitive_friction_jacobian(&law, &gap, &slopes, &slide, joined, by_position, by_velocity,
                                 jacobian);
  return true;
}

static void normal_dual(const StContactSet *set, const StContact *contact, const StDual *position,
                        StDual *force) {
  StContactLaw law = law_of(set, contact, ST_FRICTION_PART_ALL);
  StPrimitiveGapDual gap;
  if (!st_primitive_gap_dual(primitive_of(set, contact), position, &gap))
    return;
  StGapDual view = st_primitive_view_dual(&gap);
  st_contact_add_normal_dual(&law, gap.count, &view, force);
}

// For a round obstacle that spins; depends on the normal.
static void wall_velocity_dual(const StContactSet *set, const StContact *contact,
                               StFrictionPart part, const StPrimitiveGapDual *gap, StDual out[3]) {
  double rest[3], spin[9];
  st_contact_set_friction_wall(set, &set->now, contact, part, rest);
  bool turns = friction_spin(set, contact->pair, part, spin);
  for (int i = 0; i < 3; i++) {
    out[i] = rest[i];
    for (int j = 0; j < 3 && turns; j++)
      out[i] += spin[3 * i + j] * (gap->normal[j] - contact->normal_state.normal[j]);
  }
}

static void friction_dual(const StContactSet *set, const StContact *contact, StFrictionPart part,
                          const StDual *position, const StDual *velocity, StDual *force) {
  StContactLaw law = law_of(set, contact, part);
  StPrimitiveGapDual gap;
  StDual wall_velocity[3];
  if (!st_primitive_gap_dual(primitive_of(set, contact), position, &gap))
    return;
  wall_velocity_dual(set, contact, part, &gap, wall_velocity);
  StGapDual view = st_primitive_view_dual(&gap);
  st_contact_add_friction_along_dual(&law, gap.count, &view, gap.normal, velocity, wall_velocity,
                                     force);
}

// A point over an edge or a corner: uses a triangle that contains the feature.
static bool stencil(const StContactSet *set, const StContact *contact, int *place, double *weight) {
  const Own *own = st_contact_set_own(set, &st_provider_primitives);
  const StFound *found = own->found[contact->index];
  const int *of = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  if (found->triangle < 0 || contact->count == 4)
    return false;
  place[0] = of[0];
  weight[0] = share[0];
  for (int k = 0; k < 3; k++) {
    place[k + 1] = own->contacts->skins->triangle_place[3 * (size_t)found->triangle + (size_t)k];
    weight[k + 1] = 0;
    for (int j = 1; j < contact->count; j++)
      if (of[j] == place[k + 1])
        weight[k + 1] = share[j];
  }
  return true;
}

static bool first_normal(const StContactSet *set, const StContact *contact, double normal[3]) {
  double x[3 * ST_PRIMITIVE_MOST];
  StPrimitiveGap gap;
  if (!st_contact_set_first_positions(set, contact->count,
                                      st_contact_array_places(&set->now, contact), x) ||
      !st_primitive_gap(primitive_of(set, contact), x, &gap))
    return false;
  vec3_copy(gap.normal, normal);
  return true;
}

const StContactProvider st_provider_primitives = {
    .name = "primitives",
    .takes = takes,
    .begin = begin,
    .evaluate = evaluate,
    .complete = complete,
    .next = next,
    .open = open_own,
    .close = close_own,
    .normal_jacobian = normal_jacobian,
    .friction_jacobian = friction_jacobian,
    .shares_jacobians = true,
    .normal_dual = normal_dual,
    .friction_dual = friction_dual,
    .wall = wall,
    .stencil = stencil,
    .first_normal = first_normal,
};

void st_contacts_set_known(StContactSet *set, const bool *known) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  own->known = false;
  st_candidates_set_known(own->candidates, known);
}

void st_contacts_park(StContactSet *set, const bool *parked) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  own->known = false;
  set->parked = parked;
}

void st_contacts_follow(StContactSet *set, const StContactSet *other) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  own->known = false;
  set->followed = other;
}

StCandidates *st_contacts_candidates(StContactSet *set, double *slack) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  *slack = own->slack;
  return own->candidates;
}

// Covers a path. If there are too many candidate pairs on it, half of it is tried.
static StStatus cover_way(Own *own, const double *start, const double **end, double *part) {
  const size_t size = 3 * (size_t)own->contacts->skins->place_count;
  for (;;) {
    StStatus status = st_candidates_cover(own->candidates, start, *end, own->slack, NULL);
    if (status != ST_NOT_SOLVED)
      return status;
    *part /= 2;
    for (size_t i = 0; i < size; i++)
      own->way[i] = 0.5 * (start[i] + (*end)[i]);
    *end = own->way;
  }
}

StStatus st_contacts_limit(StContactSet *set, const StConfiguration *from,
                           const StConfiguration *to, double *part) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  const double *start = places_at(own, from, own->start), *end = places_at(own, to, own->way);
  *part = 1;
  ST_TRY(cover_way(own, start, &end, part));
  *part *= st_advance(own->candidates, start, end, NULL);
  double clear;
  ST_TRY(st_obstacle_paths_limit(set->contacts, from, to, &clear));
  *part = fmin(*part, clear);
  return ST_OK;
}

typedef struct Paths {
  Own *own;
  const double *start, *end;
} Paths;

// Stores the path of a place; false if it had another path before.
static bool keeps_path(const Paths *paths, int place) {
  size_t i = 3 * (size_t)place, bytes = 3 * sizeof(double);
  double *from = paths->own->looked_from + i, *to = paths->own->looked_to + i;
  if (memcmp(from, paths->start + i, bytes) == 0 && memcmp(to, paths->end + i, bytes) == 0)
    return true;
  memcpy(from, paths->start + i, bytes);
  memcpy(to, paths->end + i, bytes);
  return false;
}

static void keep_clear(void *context, int begin, int end) {
  const Paths *paths = context;
  Own *own = paths->own;
  const StSkins *skins = own->contacts->skins;
  for (int s = begin; s < end; s++) {
    const StSkin *skin = &skins->skin[s];
    const int *point = skins->point_place + skin->first_point;
    const int *edge = skins->edge_place + 2 * (size_t)skin->first_edge;
    bool same = true;
    for (int i = 0; i < skin->point_count; i++)
      same = keeps_path(paths, point[i]) && same;
    for (int i = 0; i < 2 * skin->edge_count && skin->body < 0; i++)
      same = keeps_path(paths, edge[i]) && same;
    own->clear[s] = own->looked && own->clear[s] && same;
  }
}

// Skins that met nothing on their last paths and have the same paths now do not meet each other
// now. Where some bodies are blocked, the paths of the others are checked again and again.
StStatus st_contacts_hits(StContactSet *set, const StConfiguration *from, const StConfiguration *to,
                          StAdvanceHits *hits, bool *whole) {
  Own *own = st_contact_set_own(set, &st_provider_primitives);
  const StSkins *skins = own->contacts->skins;
  const double *start = places_at(own, from, own->start), *end = places_at(own, to, own->way);
  hits->count = 0;
  st_crew_sweep(skins->crew, 0, skins->skin_count, ST_SKINS_AT_ONCE, keep_clear,
                &(Paths){own, start, end});
  StStatus status = st_candidates_cover(own->candidates, start, end, own->slack, NULL);
  *whole = status == ST_OK;
  own->looked = false;
  if (status == ST_NOT_SOLVED)
    return ST_OK;
  ST_TRY(status);
  bool good = st_advance_all(own->candidates, start, end, set->parked, own->clear, hits);
  own->looked = good;
  good = good && st_obstacle_paths_hits(set->contacts, set->parked, from, to, hits);
  return good ? ST_OK : ST_SYSTEM_FAULT;
}
