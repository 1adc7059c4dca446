// Reads forces off the touches with the functions that apply them.
#include "contact/readout.h"

#include "math/vec3.h"

#include <string.h>

// A point against a surface as they are now, and as friction took them: the same touch unless
// friction lags. NULL: it did not touch.
typedef struct Meeting {
  const StTouch *now, *used;
} Meeting;

typedef struct Reading {
  const StPair *pair;
  int pair_index, vertex; // local
  double gap, normal_force, slip_speed;
  double used_normal_force;
  double friction[3], coulomb; // coulomb: its size without the viscous part
  double power, net[3];
  double driving_power;
  StSlipState state;
} Reading;

typedef void (*Visit)(void *context, const Reading *reading);

static bool grips(const StPair *pair) {
  const StFrictionLaw *law = &pair->friction;
  return law->dynamic_coefficient > 0 || law->static_coefficient > 0 ||
         law->viscous_coefficient > 0;
}

// Power that obstacles which move feed in through these forces on a stencil: what acts on their
// places, reversed, or on the point of matter that has none.
static double driving_power(const StTouchSet *set, const StTouchList *list, const StTouch *touch,
                            const double *force) {
  const int *place = st_touch_list_places(list, touch);
  double power = vec3_dot(force, st_touch_set_matter(set, list, touch));
  for (int k = 0; k < touch->count; k++)
    if (!st_touch_set_is_local(set, place[k])) {
      int rigid = place[k] - set->contacts->piece->vertex_count;
      power -= vec3_dot(force + 3 * k, set->rigid_velocity + 3 * (size_t)rigid);
    }
  return power;
}

static void add_up(const StTouch *touch, const double *stencil, double net[3]) {
  for (int k = 0; k < touch->count; k++)
    vec3_add_scaled(1, stencil + 3 * k, net);
}

// Velocities of the stencil, into the work space; forces have room behind them.
static double *gather(const StTouchSet *set, const StTouchList *list, const StTouch *touch,
                      const double *velocity) {
  double *gathered = set->work->real, *force = gathered + 3 * touch->count;
  st_touch_set_velocities(set, touch->count, st_touch_list_places(list, touch), velocity, gathered);
  memset(force, 0, 3 * (size_t)touch->count * sizeof(double));
  return gathered;
}

static double slide(const StTouchSet *set, const StTouchList *list, const StTouch *touch,
                    const double *gathered, double friction[3]) {
  StTouchLaw law = st_touch_set_law(set, touch);
  return st_touch_friction(&law, touch->count, &touch->grip, st_touch_list_shares(list, touch),
                           gathered, st_touch_set_matter(set, list, touch), friction);
}

static void read_friction(const StTouchSet *set, const StTouch *touch, const double *velocity,
                          Reading *reading) {
  const StFrictionLaw *law = &reading->pair->friction;
  if (!grips(reading->pair))
    return;
  const StTouchList *list = set->slip;
  const double *gathered = gather(set, list, touch, velocity);
  double *force = set->work->real + 3 * touch->count;
  double speed = slide(set, list, touch, gathered, reading->friction);
  st_touch_spread(touch->count, st_touch_list_shares(list, touch), reading->friction, force);
  reading->power = -vec3_dot(reading->friction, st_touch_set_matter(set, list, touch));
  for (int k = 0; k < touch->count; k++)
    reading->power += vec3_dot(force + 3 * k, gathered + 3 * k);
  reading->driving_power += driving_power(set, list, touch, force);
  reading->used_normal_force = touch->grip.normal_force;
  reading->coulomb = vec3_length(reading->friction) -
                     law->viscous_coefficient * fabs(touch->grip.engagement) * speed;
  add_up(touch, force, reading->net);
}

static void read_normal(const StTouchSet *set, const StTouch *touch, const double *velocity,
                        Reading *reading) {
  const StFrictionLaw *law = &reading->pair->friction;
  const double *gathered = gather(set, &set->now, touch, velocity);
  double *force = set->work->real + 3 * touch->count, unused[3];
  reading->gap = touch->gap;
  reading->normal_force = touch->grip.normal_force;
  reading->slip_speed = slide(set, &set->now, touch, gathered, unused);
  bool sticks = grips(reading->pair) && reading->slip_speed < law->sticking_speed;
  reading->state = sticks ? ST_CONTACT_STICKING : ST_CONTACT_SLIDING;
  StTouchLaw touch_law = st_touch_set_law(set, touch);
  StGap gap = st_touch_list_gap(&set->now, touch);
  st_touch_add_normal(&touch_law, touch->count, &gap, force);
  reading->driving_power += driving_power(set, &set->now, touch, force);
  add_up(touch, force, reading->net);
}

// Whether side A is the pair's collider: between primitives it may be either.
static bool is_of_collider(const StTouchSet *set, const StTouchList *list, const StTouch *touch) {
  int place = st_touch_list_places(list, touch)[0];
  return st_touch_set_is_local(set, place) &&
         set->contacts->piece->body[place] == set->contacts->pair[touch->pair].desc->collider;
}

static Reading read_meeting(const StTouchSet *set, Meeting meeting, const double *velocity) {
  const StTouch *any = meeting.now ? meeting.now : meeting.used;
  const StTouchList *list = meeting.now ? &set->now : set->slip;
  Reading reading = {.pair = &set->contacts->pair[any->pair],
                     .pair_index = any->pair,
                     .vertex = st_touch_set_vertex(set, list, any)};
  if (meeting.used)
    read_friction(set, meeting.used, velocity, &reading);
  if (!is_of_collider(set, list, any))
    for (int c = 0; c < 3; c++)
      reading.friction[c] = -reading.friction[c];
  if (meeting.now)
    read_normal(set, meeting.now, velocity, &reading);
  if (reading.pair->desc->body < 0)
    vec3_set(0, 0, 0, reading.net);
  return reading;
}

static int compare(const StTouch *a, const StTouch *b) {
  return a->pair != b->pair ? a->pair - b->pair : (a->id > b->id) - (a->id < b->id);
}

// Both lists are in the same order: one walk along both finds who is in either.
static StStatus visit_all(const StTouchSet *set, const double *velocity, Visit visit,
                          void *context) {
  ST_TRY(set->status);
  const StTouchList *now = &set->now, *used = set->slip;
  for (int i = 0, j = 0; i < now->count || j < used->count;) {
    Meeting meeting = {i < now->count ? &now->touch[i] : NULL,
                       j < used->count ? &used->touch[j] : NULL};
    int order = meeting.now && meeting.used ? compare(meeting.now, meeting.used) : 0;
    if (order > 0)
      meeting.now = NULL;
    if (order < 0)
      meeting.used = NULL;
    i += meeting.now != NULL;
    j += meeting.used != NULL;
    if (!(meeting.now ? meeting.now : meeting.used)->owned)
      continue;
    Reading reading = read_meeting(set, meeting, velocity);
    visit(context, &reading);
  }
  return ST_OK;
}

typedef struct Sums {
  const StContacts *contacts;
  StPairReadout *pair;
  StTouchExtremes *extremes;
} Sums;

static void sum_pair(StPairReadout *sum, const Reading *reading) {
  sum->touching += reading->state != ST_CONTACT_FREE;
  sum->sticking += reading->state == ST_CONTACT_STICKING;
  sum->normal_force += reading->normal_force;
  sum->friction_size += vec3_length(reading->friction);
  sum->power += reading->power;
  sum->driving_power += reading->driving_power;
  vec3_add_scaled(1, reading->friction, sum->friction);
  vec3_add_scaled(1, reading->net, sum->net);
}

static void find_extremes(const StContacts *contacts, StTouchExtremes *worst,
                          const Reading *reading) {
  const StFrictionLaw *law = &reading->pair->friction;
  if (reading->state == ST_CONTACT_STICKING)
    worst->creep_speed = fmax(worst->creep_speed, reading->slip_speed);
  if (reading->state != ST_CONTACT_FREE && reading->gap < worst->deepest_gap) {
    worst->deepest_gap = reading->gap;
    worst->deepest_vertex = contacts->piece->vertex_id[reading->vertex];
  }
  if (!grips(reading->pair))
    return;
  double peak = fmax(law->static_coefficient, law->dynamic_coefficient);
  worst->cone_violation =
      fmax(worst->cone_violation, reading->coulomb - peak * fabs(reading->normal_force));
  worst->normal_force_error =
      fmax(worst->normal_force_error, fabs(reading->used_normal_force - reading->normal_force));
}

static void visit_pair(void *context, const Reading *reading) {
  const Sums *sums = context;
  sum_pair(&sums->pair[reading->pair_index], reading);
  find_extremes(sums->contacts, sums->extremes, reading);
}

StStatus st_readout_pairs(const StTouchSet *set, const double *velocity, StPairReadout *pair,
                          StTouchExtremes *extremes) {
  Sums sums = {set->contacts, pair, extremes};
  memset(pair, 0, (size_t)set->contacts->pair_count * sizeof *pair);
  *extremes =
      (StTouchExtremes){.cone_violation = -INFINITY, .deepest_gap = INFINITY, .deepest_vertex = -1};
  return visit_all(set, velocity, visit_pair, &sums);
}

static void visit_vertex(void *context, const Reading *reading) {
  double *vertex = (double *)context + ST_READOUT_WIDTH * reading->vertex;
  if (reading->state == ST_CONTACT_FREE)
    return;
  vertex[ST_READOUT_NORMAL_FORCE] += reading->normal_force;
  vertex[ST_READOUT_GAP] = fmin(vertex[ST_READOUT_GAP], reading->gap);
  vertex[ST_READOUT_SLIP_SPEED] = fmax(vertex[ST_READOUT_SLIP_SPEED], reading->slip_speed);
  vertex[ST_READOUT_STATE] = fmax(vertex[ST_READOUT_STATE], reading->state);
}

static double largest_thickness(const StContacts *contacts) {
  double largest = 0;
  for (int p = 0; p < contacts->pair_count; p++)
    largest = fmax(largest, contacts->pair[p].desc->thickness);
  return largest;
}

StStatus st_readout_vertices(const StTouchSet *set, const double *velocity, double *vertex) {
  const StContacts *contacts = set->contacts;
  double free_gap = largest_thickness(contacts);
  for (int i = 0; i < contacts->piece->owned_count; i++) {
    double *of = vertex + ST_READOUT_WIDTH * i;
    memset(of, 0, ST_READOUT_WIDTH * sizeof *of);
    of[ST_READOUT_GAP] = free_gap;
  }
  return visit_all(set, velocity, visit_vertex, vertex);
}
