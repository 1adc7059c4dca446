// Touches of primitives: found by contact/near.h, counted by contact/point_features.h.
#include "contact/touch_provider.h"

#include "base/memory.h"
#include "contact/advance.h"
#include "contact/obstacle_path.h"
#include "contact/point_features.h"
#include "contact/primitive.h"
#include "contact/primitive_touch.h"
#include "contact/resting.h"
#include "contact/spin.h"
#include "math/vec3.h"

#include <limits.h>
#include <string.h>

// A surface and the one on its other side each carry half of what presses between them; edges a
// quarter of theirs.
static const double POINT_PART = 0.5, EDGE_PART = 0.25;

// Inside a flat face points do all that edges could. Edges there press only below this part of the
// thickness, where something is between points; but then as hard as others: a weak barrier is a
// wall that Newton's method runs into.
static const double FLAT_REACH = 0.25;

// Lists stay valid for motions of this many activation distances, besides those requested.
static const double SLACK = 1;

// One close pair, before its gap is taken.
typedef struct Found {
  uint64_t id;
  int pair;
  StPrimitive primitive;
  int place[ST_PRIMITIVE_MOST];
  double weight;
  int triangle; // that the other feature of a point belongs to; -1: none
  double reach; // part of the pair's thickness
} Found;

typedef struct Own {
  const StContacts *contacts;
  StNear *near;
  double slack;
  // [place_count][3] positions at the evaluation; at the end of a way; of rigid places at the
  // step's start; and velocities of those.
  double *place, *way, *before, *velocity;
  const double *sharpness; // [edges] of the state evaluated with
  size_t count, capacity;
  Found *found; // in order of pairs and ids
  StSpin *spin; // [obstacles]
  StPointFeatures features;
  int *candidate; // [of one point] triangles, those far apart at rest first
  size_t candidate_capacity;
} Own;

static bool takes(const StContacts *contacts, int pair) {
  const StContactDesc *desc = &contacts->description->contact[pair];
  bool found = contacts->skins && desc->body >= 0;
  for (int s = 0; contacts->skins && s < contacts->skins->skin_count; s++)
    found = found || (desc->obstacle >= 0 && contacts->skins->skin[s].obstacle == desc->obstacle);
  return found;
}

static void close_own(void *data) {
  Own *own = data;
  if (!own)
    return;
  st_near_destroy(own->near);
  st_point_features_free(&own->features);
  free(own->candidate);
  free(own->place);
  free(own->way);
  free(own->before);
  free(own->velocity);
  free(own->found);
  free(own->spin);
  free(own);
}

static double largest_thickness(const StDescription *description) {
  double largest = 0;
  for (int i = 0; i < description->contact_count; i++)
    largest = fmax(largest, description->contact[i].thickness);
  return largest;
}

static StStatus open_own(StTouchSet *set, void **result, StError *error) {
  const StContacts *contacts = set->contacts;
  int first;
  *result = NULL;
  if (!contacts->skins)
    return ST_OK;
  Own *own = ST_NEW(Own, 1);
  if (!own)
    return st_fail_memory(error);
  size_t places = 3 * (size_t)contacts->skins->place_count;
  own->contacts = contacts;
  own->slack = SLACK * largest_thickness(contacts->description);
  own->place = ST_NEW(double, places);
  own->way = ST_NEW(double, places);
  own->before = ST_NEW(double, places);
  own->velocity = ST_NEW(double, places);
  own->spin = ST_NEW(StSpin, contacts->description->obstacle_count);
  bool room = own->place && own->way && own->before && own->velocity && own->spin;
  StStatus status = room ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_touch_set_add_rigid(
        set, contacts->skins->place_count - contacts->skins->vertex_count, &first, error);
  if (status == ST_OK)
    status = st_near_create(contacts->skins, &own->near, error);
  if (status != ST_OK) {
    close_own(own);
    return status;
  }
  *result = own;
  return ST_OK;
}

// Positions of all places, and velocities of rigid ones. Those go straight from where they were at
// the step's start.
static void stand(Own *own, const StStand *at, double *place) {
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

// The same features have the same number in every set.
static uint64_t number(StPrimitiveKind kind, int a, int b) {
  return (uint64_t)kind << 62 | (uint64_t)(unsigned)a << 31 | (uint64_t)(unsigned)b;
}

static Found *add_found(Own *own, int pair) {
  if (!st_grow((void **)&own->found, &own->capacity, own->count + 1, sizeof(Found)))
    return NULL;
  Found *found = &own->found[own->count++];
  *found = (Found){.pair = pair, .triangle = -1, .reach = 1};
  return found;
}

// The places of a point's feature, after the point's own.
static void feature_places(const StSkins *skins, StPrimitiveKind kind, int feature, int *place) {
  if (kind == ST_POINT_POINT)
    place[0] = feature;
  else if (kind == ST_POINT_EDGE)
    memcpy(place, skins->edge_place + 2 * (size_t)feature, 2 * sizeof(int));
  else
    memcpy(place, skins->triangle_place + 3 * (size_t)feature, 3 * sizeof(int));
}

static bool add_point(Own *own, int point, int pair, const StPointFeature *feature, double radius,
                      double area, double part) {
  const StSkins *skins = own->contacts->skins;
  if (feature->count == 0 || area == 0)
    return true;
  Found *found = add_found(own, pair);
  if (!found)
    return false;
  found->id = number(feature->kind, point, feature->feature);
  found->primitive = (StPrimitive){.kind = feature->kind, .radius = radius};
  found->place[0] = skins->point_place[point];
  feature_places(skins, feature->kind, feature->feature, found->place + 1);
  found->weight = area * feature->count;
  found->triangle = feature->triangle;
  found->reach = part;
  return true;
}

// Features that count already, from `since` on, do not count again with a shorter reach.
static bool counts(const Own *own, size_t since, int point, const StPointFeature *feature) {
  uint64_t id = number(feature->kind, point, feature->feature);
  for (size_t i = since; i < own->count; i++)
    if (own->found[i].id == id)
      return true;
  return false;
}

// Features of some triangles of one skin near a point, within a part of the pair's reach.
static bool find_features(Own *own, int point, const int *triangle, int count, int stride,
                          double part, size_t since) {
  const StSkins *skins = own->contacts->skins;
  int a = skins->point_skin[point], b = skins->triangle_skin[triangle[0]];
  double radius = st_skins_radii(skins, a, b);
  double reach = part * st_skins_reach(skins, a, b) + radius;
  StPointFeatures *features = &own->features;
  if (!st_point_features_find(features, skins, own->place, skins->point_place[point], triangle,
                              count, stride, reach))
    return false;
  for (int i = 0; i < features->count; i++)
    if (!counts(own, since, point, &features->item[i]) &&
        !add_point(own, point, st_skins_law(skins, a, b), &features->item[i], radius,
                   POINT_PART * skins->point_area[point], part))
      return false;
  return true;
}

// Sorts a point's triangles of its own skin: how many rest far enough away, and what part of the
// reach all others have.
static bool sort_candidates(Own *own, const int (*pair)[2], int count, int *far, double *part) {
  const StSkins *skins = own->contacts->skins;
  if (!st_grow((void **)&own->candidate, &own->candidate_capacity, (size_t)count, sizeof(int)))
    return false;
  *far = 0;
  *part = 1;
  for (int i = 0, close = count; i < count; i++) {
    StNearPair near = st_near_pair(skins, ST_NEAR_POINT_TRIANGLE, pair[i]);
    double reach = st_resting_reach(skins, &near, near.reach);
    own->candidate[reach < near.reach ? --close : (*far)++] = pair[i][1];
    *part = fmin(*part, reach / near.reach);
  }
  return true;
}

// All triangles of one skin near one point: rows of the list. Few points are close to any.
static bool find_point(Own *own, const int (*pair)[2], int count) {
  const StSkins *skins = own->contacts->skins;
  int point = pair[0][0], far;
  size_t since = own->count;
  double part;
  if (!find_features(own, point, &pair[0][1], count, 2, 1, since))
    return false;
  if (own->count == since || skins->point_skin[point] != skins->triangle_skin[pair[0][1]])
    return true;
  if (!sort_candidates(own, pair, count, &far, &part))
    return false;
  if (far == count)
    return true;
  own->count = since;
  return (far == 0 || find_features(own, point, own->candidate, far, 1, 1, since)) &&
         find_features(own, point, own->candidate + far, count - far, 1, part, since);
}

static bool find_points(Own *own) {
  const StSkins *skins = own->contacts->skins;
  const StNearList *list = &own->near->list[ST_NEAR_POINT_TRIANGLE];
  const int(*pair)[2] = (const int(*)[2])list->pair;
  for (int first = 0, last; first < list->count; first = last) {
    int skin = skins->triangle_skin[pair[first][1]];
    for (last = first + 1; last < list->count && pair[last][0] == pair[first][0] &&
                           skins->triangle_skin[pair[last][1]] == skin;)
      last++;
    if (!find_point(own, pair + first, last - first))
      return false;
  }
  return true;
}

static StEdgeStop stop_at(double param) {
  return param <= 0 ? ST_EDGE_FIRST : param >= 1 ? ST_EDGE_SECOND : ST_EDGE_INSIDE;
}

// Pairs count wherever on the edges the nearest points are. Ends are points as well, and have
// touches of their own; but those may all push another way than the edges would.
static bool find_edge(Own *own, int a, int b) {
  const StSkins *skins = own->contacts->skins;
  const int *place[2] = {skins->edge_place + 2 * (size_t)a, skins->edge_place + 2 * (size_t)b};
  int skin[2] = {skins->edge_skin[a], skins->edge_skin[b]};
  double x[4][3], param[2], square;
  for (int k = 0; k < 4; k++)
    vec3_copy(own->place + 3 * (size_t)place[k / 2][k % 2], x[k]);
  double sharp = own->sharpness[a] * own->sharpness[b],
         part = FLAT_REACH + (1 - FLAT_REACH) * sharp;
  double radius = st_skins_radii(skins, skin[0], skin[1]);
  double whole = st_skins_reach(skins, skin[0], skin[1]), reach = part * whole + radius;
  st_primitive_edge_edge((const double(*)[3])x, param, &square);
  if (!(square < reach * reach))
    return true;
  if (skin[0] == skin[1]) {
    StNearPair near = st_near_pair(skins, ST_NEAR_EDGE_EDGE, (const int[2]){a, b});
    part = fmin(part, st_resting_reach(skins, &near, whole) / whole);
  }
  Found *found = add_found(own, st_skins_law(skins, skin[0], skin[1]));
  if (!found)
    return false;
  double length = skins->edge_length[a] * skins->edge_length[b];
  found->id = number(ST_EDGE_EDGE, a, b);
  found->primitive = (StPrimitive){.kind = ST_EDGE_EDGE,
                                   .stop = {stop_at(param[0]), stop_at(param[1])},
                                   .radius = radius,
                                   .rest_square = length * length};
  memcpy(found->place, place[0], 2 * sizeof(int));
  memcpy(found->place + 2, place[1], 2 * sizeof(int));
  found->weight = EDGE_PART * (skins->edge_area[a] + skins->edge_area[b]);
  found->reach = part;
  return true;
}

static bool find_edges(Own *own) {
  const StNearList *list = &own->near->list[ST_NEAR_EDGE_EDGE];
  for (int i = 0; i < list->count; i++)
    if (!find_edge(own, list->pair[2 * i], list->pair[2 * i + 1]))
      return false;
  return true;
}

// A point and what stands alone: a capsule's edge, a sphere's centre.
static bool find_alone(Own *own, StNearKind kind) {
  const StSkins *skins = own->contacts->skins;
  const StNearList *list = &own->near->list[kind];
  for (int i = 0; i < list->count; i++) {
    const int *pair = list->pair + 2 * (size_t)i;
    int point = pair[0], a = skins->point_skin[point];
    int b = kind == ST_NEAR_POINT_EDGE ? skins->edge_skin[pair[1]] : skins->point_skin[pair[1]];
    StPointFeature feature = {.kind = ST_POINT_POINT, .count = 1, .triangle = -1};
    if (kind == ST_NEAR_POINT_EDGE) {
      const int *place = skins->edge_place + 2 * (size_t)pair[1];
      double x[3][3];
      StClosest closest;
      vec3_copy(own->place + 3 * (size_t)skins->point_place[point], x[0]);
      vec3_copy(own->place + 3 * (size_t)place[0], x[1]);
      vec3_copy(own->place + 3 * (size_t)place[1], x[2]);
      st_primitive_point_edge((const double(*)[3])x, &closest);
      bool inside = closest.feature == ST_EDGE_0;
      feature.kind = inside ? ST_POINT_EDGE : ST_POINT_POINT;
      feature.feature = inside ? pair[1] : place[closest.feature - ST_CORNER_0];
    } else {
      feature.feature = skins->point_place[pair[1]];
    }
    if (!add_point(own, point, st_skins_law(skins, a, b), &feature, st_skins_radii(skins, a, b),
                   skins->point_area[point], 1))
      return false;
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const Found *f = a, *g = b;
  if (f->pair != g->pair)
    return f->pair < g->pair ? -1 : 1;
  return f->id < g->id ? -1 : f->id > g->id;
}

static void sort_found(Own *own) {
  if (own->count > 0)
    qsort(own->found, own->count, sizeof(Found), compare);
}

// How far rigid places have come since the step's start.
static void shift_rigid(StTouchSet *set, Own *own) {
  const StSkins *skins = own->contacts->skins;
  size_t local = 3 * (size_t)skins->vertex_count, rigid = 3 * (size_t)set->rigid_count;
  memset(set->rigid_shift, 0, rigid * sizeof(double));
  if (own->contacts->still)
    return;
  st_skins_place_rigid(skins, set->start_time, own->before, NULL);
  for (size_t i = 0; i < rigid; i++)
    set->rigid_shift[i] = own->place[local + i] - own->before[local + i];
}

static void turn_obstacles(const StTouchSet *set, Own *own) {
  const StSkins *skins = own->contacts->skins;
  for (int s = 0; s < skins->skin_count && !own->contacts->still; s++) {
    int obstacle = skins->skin[s].obstacle;
    if (obstacle >= 0)
      st_spin_at(&own->contacts->description->obstacle[obstacle], skins->skin[s].radius,
                 set->start_time, set->time, &own->spin[obstacle]);
  }
}

static StStatus begin(StTouchSet *set, const StContactState *state, const double *position) {
  Own *own = st_touch_set_own(set, &st_touch_primitives);
  if (!own)
    return ST_OK;
  const StStand at = {set->instant, position};
  const StSkins *skins = own->contacts->skins;
  own->count = 0;
  own->sharpness = state->sharpness;
  stand(own, &at, own->place);
  turn_obstacles(set, own);
  size_t local = 3 * (size_t)skins->vertex_count, rigid = 3 * (size_t)set->rigid_count;
  if (rigid > 0) {
    memcpy(set->rigid_position, own->place + local, rigid * sizeof(double));
    memcpy(set->rigid_velocity, own->velocity + local, rigid * sizeof(double));
    shift_rigid(set, own);
  }
  ST_TRY(st_near_cover(own->near, own->place, own->place, own->slack, NULL));
  if (!find_points(own) || !find_edges(own) || !find_alone(own, ST_NEAR_POINT_EDGE) ||
      !find_alone(own, ST_NEAR_POINT_POINT))
    return ST_SYSTEM_FAULT;
  sort_found(own);
  return ST_OK;
}

// Forces are added by the rank that has the first vertex of a body.
static bool is_owned(const StContacts *contacts, const int *place, int count) {
  for (int k = 0; k < count; k++)
    if (place[k] < contacts->piece->vertex_count)
      return place[k] < contacts->piece->owned_count;
  return false;
}

static void gather(const double *place, const int *index, int count, double *x) {
  for (int k = 0; k < count; k++)
    vec3_copy(place + 3 * (size_t)index[k], x + 3 * k);
}

static StBarrier barrier(const StTouchSet *set, const StTouch *touch, StFrictionPart part) {
  StBarrier law = {.activation = touch->thickness,
                   .stiffness = set->law[touch->pair].stiffness,
                   .weight = touch->weight,
                   .film = touch->split == 1 ? touch->weight : 0,
                   .holding = touch->holding};
  st_touch_set_held(set, touch, part, law.held);
  return law;
}

static const StSpin *spin_of(const StTouchSet *set, int pair) {
  static const StSpin none = {0};
  const Own *own = st_touch_set_own(set, &st_touch_primitives);
  int obstacle = set->contacts->pair[pair].desc->obstacle;
  return obstacle >= 0 ? &own->spin[obstacle] : &none;
}

// The same as a part of friction takes it.
static bool friction_spin(const StTouchSet *set, int pair, StFrictionPart part, double spin[9]) {
  const StSpin *of = spin_of(set, pair);
  for (int i = 0; i < 9; i++)
    spin[i] = part == ST_FRICTION_PART_DRY ? of->shift[i] / set->span : of->velocity[i];
  return of->turns;
}

static void wall(const StTouchSet *set, const StTouch *touch, const double *position,
                 double velocity[3], double shift[3]) {
  const StSpin *spin = spin_of(set, touch->pair);
  (void)position;
  if (!spin->turns)
    return;
  mat3_apply(spin->velocity, touch->grip.normal, velocity);
  mat3_apply(spin->shift, touch->grip.normal, shift);
}

static StStatus add_touch(StTouchSet *set, const Own *own, size_t index) {
  const Found *found = &own->found[index];
  int count = st_primitive_count(found->primitive.kind);
  double x[3 * ST_PRIMITIVE_MOST];
  StPrimitiveGap gap;
  gather(own->place, found->place, count, x);
  if (!st_primitive_gap(&found->primitive, x, &gap))
    return ST_NOT_SOLVED; // features meet
  double thickness = found->reach * set->law[found->pair].thickness;
  if (!(gap.gap < thickness) || !(gap.fade > 0))
    return ST_OK;
  StTouch *touch = st_touch_set_add(set, &st_touch_primitives, found->pair, count);
  if (!touch)
    return ST_SYSTEM_FAULT;
  touch->index = index;
  touch->id = found->id;
  touch->split = found->primitive.kind == ST_EDGE_EDGE ? 2 : 1;
  touch->owned = is_owned(own->contacts, found->place, count);
  touch->weight = found->weight;
  touch->thickness = thickness;
  touch->gap = gap.gap;
  touch->fade = gap.fade;
  StBarrier law = barrier(set, touch, ST_FRICTION_PART_ALL);
  touch->grip = st_primitive_grip(&law, &gap);
  wall(set, touch, NULL, touch->wall, touch->shift);
  StTouchList *list = &set->now;
  memcpy(list->vertex + touch->first, found->place, (size_t)count * sizeof(int));
  memcpy(list->gradient + 3 * touch->first, gap.gradient, 3 * (size_t)count * sizeof(double));
  memcpy(list->fade_gradient + 3 * touch->first, gap.fade_gradient,
         3 * (size_t)count * sizeof(double));
  memcpy(list->share + touch->first, gap.share, (size_t)count * sizeof(double));
  st_touch_set_keep(set, touch);
  return ST_OK;
}

// Of what was found, sorted by pairs, the first of a pair or of a later one.
static size_t first_of(const Own *own, int pair) {
  size_t low = 0, high = own->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (own->found[middle].pair < pair)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int next(const StTouchSet *set, int pair) {
  const Own *own = st_touch_set_own(set, &st_touch_primitives);
  size_t first = own ? first_of(own, pair) : 0;
  return own && first < own->count ? own->found[first].pair : INT_MAX;
}

static StStatus evaluate(StTouchSet *set, const StContactState *state, int pair,
                         const double *position) {
  (void)state, (void)position;
  const Own *own = st_touch_set_own(set, &st_touch_primitives);
  for (size_t i = first_of(own, pair); i < own->count && own->found[i].pair == pair; i++)
    ST_TRY(add_touch(set, own, i));
  return ST_OK;
}

static const StPrimitive *primitive_of(const StTouchSet *set, const StTouch *touch) {
  const Own *own = st_touch_set_own(set, &st_touch_primitives);
  return &own->found[touch->index].primitive;
}

static bool normal_jacobian(const StTouchSet *set, const StTouch *touch, const double *position,
                            double by_position, double *jacobian) {
  const StPrimitive *primitive = primitive_of(set, touch);
  StBarrier law = barrier(set, touch, ST_FRICTION_PART_ALL);
  StPrimitiveGap gap;
  StPrimitiveSlopes slopes;
  if (!st_primitive_gap(primitive, position, &gap))
    return false;
  st_primitive_slopes(primitive, &gap, &slopes);
  st_primitive_normal_jacobian(&law, &gap, &slopes, by_position, jacobian);
  return true;
}

static bool friction_jacobian(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                              const double *position, const double *velocity, double by_position,
                              double by_velocity, double *jacobian) {
  const StPrimitive *primitive = primitive_of(set, touch);
  StBarrier law = barrier(set, touch, part);
  StPrimitiveGap gap;
  StPrimitiveSlopes slopes;
  if (!st_primitive_gap(primitive, position, &gap))
    return false;
  st_primitive_slopes(primitive, &gap, &slopes);
  StPrimitiveSlide slide = {.velocity = velocity};
  st_touch_set_friction_wall(set, &set->now, touch, part, slide.wall);
  friction_spin(set, touch->pair, part, slide.spin);
  st_primitive_friction_jacobian(&law, &set->law[touch->pair].friction[part], &gap, &slopes, &slide,
                                 by_position, by_velocity, jacobian);
  return true;
}

static void normal_dual(const StTouchSet *set, const StTouch *touch, const StDual *position,
                        StDual *force) {
  StBarrier law = barrier(set, touch, ST_FRICTION_PART_ALL);
  StPrimitiveGapDual gap;
  if (st_primitive_gap_dual(primitive_of(set, touch), position, &gap))
    st_primitive_add_normal_dual(&law, &gap, force);
}

// Where a round obstacle turns, with the normal.
static void wall_velocity_dual(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                               const StPrimitiveGapDual *gap, StDual out[3]) {
  double rest[3], spin[9];
  st_touch_set_friction_wall(set, &set->now, touch, part, rest);
  bool turns = friction_spin(set, touch->pair, part, spin);
  for (int i = 0; i < 3; i++) {
    out[i] = rest[i];
    for (int j = 0; j < 3 && turns; j++)
      out[i] += spin[3 * i + j] * (gap->normal[j] - touch->grip.normal[j]);
  }
}

static void friction_dual(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                          const StDual *position, const StDual *velocity, StDual *force) {
  StBarrier law = barrier(set, touch, part);
  StPrimitiveGapDual gap;
  StDual wall_velocity[3];
  if (!st_primitive_gap_dual(primitive_of(set, touch), position, &gap))
    return;
  wall_velocity_dual(set, touch, part, &gap, wall_velocity);
  st_primitive_add_friction_dual(&law, &set->law[touch->pair].friction[part], &gap, velocity,
                                 wall_velocity, force);
}

// A point over an edge or a corner: over a triangle that has it.
static bool stencil(const StTouchSet *set, const StTouch *touch, int *place, double *weight) {
  const Own *own = st_touch_set_own(set, &st_touch_primitives);
  const Found *found = &own->found[touch->index];
  const int *of = st_touch_list_places(&set->now, touch);
  const double *share = st_touch_list_shares(&set->now, touch);
  if (found->triangle < 0 || touch->count == 4)
    return false;
  place[0] = of[0];
  weight[0] = share[0];
  for (int k = 0; k < 3; k++) {
    place[k + 1] = own->contacts->skins->triangle_place[3 * (size_t)found->triangle + (size_t)k];
    weight[k + 1] = 0;
    for (int j = 1; j < touch->count; j++)
      if (of[j] == place[k + 1])
        weight[k + 1] = share[j];
  }
  return true;
}

const StTouchProvider st_touch_primitives = {
    .name = "primitives",
    .takes = takes,
    .begin = begin,
    .evaluate = evaluate,
    .next = next,
    .open = open_own,
    .close = close_own,
    .normal_jacobian = normal_jacobian,
    .friction_jacobian = friction_jacobian,
    .normal_dual = normal_dual,
    .friction_dual = friction_dual,
    .wall = wall,
    .stencil = stencil,
};

void st_contacts_know(StTouchSet *set, const bool *known) {
  st_near_know(((Own *)st_touch_set_own(set, &st_touch_primitives))->near, known);
}

// Where there are too many pairs on the way, half of it has fewer.
static StStatus cover_way(Own *own, double *part) {
  const size_t size = 3 * (size_t)own->contacts->skins->place_count;
  for (;;) {
    StStatus status = st_near_cover(own->near, own->place, own->way, own->slack, NULL);
    if (status != ST_NOT_SOLVED)
      return status;
    *part /= 2;
    for (size_t i = 0; i < size; i++)
      own->way[i] = 0.5 * (own->place[i] + own->way[i]);
  }
}

StStatus st_contacts_limit(StTouchSet *set, const StStand *from, const StStand *to, double *part) {
  Own *own = st_touch_set_own(set, &st_touch_primitives);
  stand(own, from, own->place);
  stand(own, to, own->way);
  *part = 1;
  ST_TRY(cover_way(own, part));
  *part *= st_advance(own->near, own->place, own->way, NULL);
  *part = fmin(*part, st_obstacle_paths_limit(set->contacts, from, to));
  return ST_OK;
}
