// Contacts of points with obstacles in closed form. Tested by tests/contact/test_contact_set.c and
// tests/contact/test_spin.c.
#include "base/memory.h"
#include "contact/core/provider.h"
#include "contact/friction/anchor_stiffening.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"

// An obstacle at the set's time, and at the start of the step.
typedef struct Moment {
  StObstacleNow now, start;
  bool moves;
} Moment;

static StStatus open_set(StContactSet *set, void **own, StError *error) {
  *own = ST_NEW(Moment, set->contacts->description->obstacle_count);
  return *own ? ST_OK : st_fail_memory(error);
}

static void close_set(void *own) {
  free(own);
}

static StStatus begin(StContactSet *set, const StContactState *state, const double *position) {
  (void)state, (void)position;
  const StDescription *description = set->contacts->description;
  Moment *moment = st_contact_set_own(set, &st_provider_obstacle);
  const StInstant *instant = &set->instant;
  double at = instant->progress < 1
                  ? instant->start + instant->progress * (instant->time - instant->start)
                  : instant->time;
  for (int i = 0; i < description->obstacle_count; i++) {
    const StObstacleDesc *desc = &description->obstacle[i];
    if (desc->mesh)
      continue;
    moment[i].moves = st_motion_moves(&desc->motion);
    st_obstacle_at(desc, at, &moment[i].now);
    if (moment[i].moves)
      st_obstacle_at(desc, set->start_time, &moment[i].start);
  }
  return ST_OK;
}

static const Moment *moment_of(const StContactSet *set, int pair) {
  const Moment *moment = st_contact_set_own(set, &st_provider_obstacle);
  return &moment[st_pair_sides(set->contacts->description, pair).obstacle];
}

static const StObstacleNow *obstacle_of(const StContactSet *set, int pair) {
  return &moment_of(set, pair)->now;
}

// Displacement of the surface under a point, taken at the foot of the gap, so that a point that
// rotates with the obstacle does not slide.
static void shift_under(const Moment *moment, const double x[3], double gap, const double n[3],
                        double shift[3]) {
  double foot[3];
  vec3_set(0, 0, 0, shift);
  if (!moment->moves)
    return;
  vec3_copy(x, foot);
  vec3_add_scaled(-gap, n, foot);
  st_obstacle_shift(&moment->start, &moment->now, foot, shift);
}

static bool add_contact(StContactSet *set, const StContactState *state, int index, int point,
                        const double *x, double distance, const double *gradient) {
  const StPair *pair = st_contacts_kept(set->contacts, index);
  StContact *contact = st_contact_set_add(set, &st_provider_obstacle, index, 1);
  if (!contact)
    return false;
  contact->id = (uint64_t)point;
  contact->owned = point < pair->owned_count;
  contact->weight = pair->area[point];
  contact->factor =
      st_stiffness_factor(&state->stiffness, set->contacts,
                          st_stiffness_kind(set->contacts, index, false), &pair->point[point], 1);
  contact->gap = distance;
  StGap gap = st_contact_array_gap(&set->now, contact);
  set->now.vertex[contact->first] = pair->point[point];
  vec3_copy(gradient, gap.gradient);
  vec3_set(0, 0, 0, gap.mollifier_gradient);
  gap.share[0] = 1;
  st_obstacle_velocity(obstacle_of(set, index), x, contact->wall);
  shift_under(moment_of(set, index), x, distance, gradient, contact->shift);
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  contact->normal_state = st_contact_normal_state(&law, &gap);
  st_contact_set_keep(set, contact);
  return true;
}

static StStatus evaluate(StContactSet *set, const StContactState *state, int index,
                         const double *position) {
  const StPair *pair = st_contacts_kept(set->contacts, index);
  const StObstacleNow *obstacle = obstacle_of(set, index);
  double thickness = pair->desc->thickness;
  for (int i = 0; i < pair->point_count; i++) {
    const double *x = position + 3 * pair->point[i];
    double gradient[3], distance = st_obstacle_gap(obstacle, x, gradient);
    if (distance < thickness && !add_contact(set, state, index, i, x, distance, gradient))
      return ST_SYSTEM_FAULT;
  }
  return ST_OK;
}

// Storage for a gap with one place.
typedef struct Single {
  StDual gradient[3], mollifier_gradient[3], share[1];
} Single;

static StGapDual gap_dual(const StObstacleNow *obstacle, const StDual *position, Single *room) {
  *room = (Single){.share = {1}};
  StGapDual gap = {.gradient = room->gradient,
                   .mollifier_gradient = room->mollifier_gradient,
                   .share = room->share};
  gap.gap = st_obstacle_gap_dual(obstacle, position, gap.gradient);
  gap.mollifier = 1;
  return gap;
}

static void normal_dual(const StContactSet *set, const StContact *contact, const StDual *position,
                        StDual *force) {
  Single room;
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGapDual gap = gap_dual(obstacle_of(set, contact->pair), position, &room);
  st_contact_add_normal_dual(&law, 1, &gap, force);
}

// The velocity of the wall for anchored friction: its displacement, less the elastic displacement
// at the start of the step.
static void friction_wall_dual(const StContactSet *set, const StContact *contact,
                               const StDual *position, const StGapDual *gap, StDual wall[3]) {
  const Moment *moment = moment_of(set, contact->pair);
  StDual foot[3], shift[3] = {0};
  double held[3];
  st_contact_set_held(set, contact, ST_FRICTION_PART_DRY, held);
  for (int i = 0; i < 3; i++)
    foot[i] = position[i] - gap->gap * gap->gradient[i];
  if (moment->moves)
    st_obstacle_shift_dual(&moment->start, &moment->now, foot, shift);
  for (int i = 0; i < 3; i++)
    wall[i] = shift[i] / set->span - held[i];
}

static void friction_dual(const StContactSet *set, const StContact *contact, StFrictionPart part,
                          const StDual *position, const StDual *velocity, StDual *force) {
  Single room;
  StDual wall[3];
  StContactLaw law = st_contact_set_law(set, contact, part);
  if (law.normal_law == ST_NORMAL_BARRIER && law.friction->anchored)
    law.stiffening =
        st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale).slope;
  const StObstacleNow *obstacle = obstacle_of(set, contact->pair);
  StGapDual gap = gap_dual(obstacle, position, &room);
  if (part == ST_FRICTION_PART_DRY)
    friction_wall_dual(set, contact, position, &gap, wall);
  else
    st_obstacle_velocity_dual(obstacle, position, wall);
  st_contact_add_friction_dual(&law, 1, &gap, st_contact_set_fixed_basis(set), velocity, wall,
                               force);
}

static void wall(const StContactSet *set, const StContact *contact, const double *position,
                 double velocity[3], double shift[3]) {
  int vertex = st_contacts_kept(set->contacts, contact->pair)->point[contact->id];
  const double *x = position + 3 * (size_t)vertex;
  st_obstacle_velocity(obstacle_of(set, contact->pair), x, velocity);
  shift_under(moment_of(set, contact->pair), x, contact->gap, contact->normal_state.normal, shift);
}

const StContactProvider st_provider_obstacle = {
    .name = "obstacle",
    .open = open_set,
    .close = close_set,
    .begin = begin,
    .evaluate = evaluate,
    .normal_dual = normal_dual,
    .friction_dual = friction_dual,
    .wall = wall,
};
