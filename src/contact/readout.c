// Reads forces off the touches with the functions that apply them.
#include "contact/readout.h"

#include "contact/slip.h"
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
  StContactState state;
} Reading;

typedef void (*Visit)(void *context, const Reading *reading);

static bool grips(const StPair *pair) {
  const StFrictionLaw *law = &pair->friction;
  return law->dynamic_coefficient > 0 || law->static_coefficient > 0 ||
         law->viscous_coefficient > 0;
}

// Friction on the stencil, [count][3] in the contacts' work space, and the sliding speed. matter:
// the obstacle's velocity there.
static double slide(StContacts *contacts, const StTouchList *list, const StTouch *touch,
                    const double *velocity, double **stencil, double matter[3], double *power) {
  double *gathered = (double *)contacts->dual, *force = gathered + 3 * touch->count;
  StTouchLaw law = st_contacts_law(contacts, touch);
  st_slip_gather(touch, list->vertex + touch->first, velocity, gathered);
  st_slip_matter(contacts, list, touch, matter);
  memset(force, 0, 3 * (size_t)touch->count * sizeof(double));
  double speed = st_touch_add_friction(&law, touch->count, &touch->grip, list->share + touch->first,
                                       gathered, matter, force);
  *power = -vec3_dot(force, matter);
  for (int k = 0; k < touch->count; k++)
    *power += vec3_dot(force + 3 * k, gathered + 3 * k);
  *stencil = force;
  return speed;
}

static void add_up(const StTouch *touch, const double *stencil, double net[3]) {
  for (int k = 0; k < touch->count; k++)
    vec3_add_scaled(1, stencil + 3 * k, net);
}

static void read_friction(StContacts *contacts, const StTouch *touch, const double *velocity,
                          Reading *reading) {
  const StFrictionLaw *law = &reading->pair->friction;
  double *stencil, matter[3];
  if (!grips(reading->pair))
    return;
  double speed =
      slide(contacts, st_slip_list(contacts), touch, velocity, &stencil, matter, &reading->power);
  reading->driving_power += vec3_dot(stencil, matter);
  vec3_copy(stencil, reading->friction);
  reading->used_normal_force = touch->grip.normal_force;
  reading->coulomb =
      vec3_length(stencil) - law->viscous_coefficient * touch->grip.engagement * speed;
  add_up(touch, stencil, reading->net);
}

// Power of normal forces from an obstacle that moves: its vertices feel what is in the stencil
// behind the point, a closed form the reverse of what the point feels.
static double pushing_power(const StContacts *contacts, const StTouch *touch, const double *stencil,
                            const double matter[3]) {
  const StPair *pair = &contacts->pair[touch->pair];
  const int *vertex = contacts->now.vertex + touch->first;
  if (!pair->rigid)
    return vec3_dot(stencil, matter);
  double power = 0;
  for (int k = 1; k < touch->count; k++)
    power -= vec3_dot(stencil + 3 * k, pair->rigid_speed + 3 * (size_t)vertex[k]);
  return power;
}

static void read_normal(StContacts *contacts, const StTouch *touch, const double *velocity,
                        Reading *reading) {
  const StFrictionLaw *law = &reading->pair->friction;
  double *stencil, matter[3], unused;
  reading->gap = touch->gap;
  reading->normal_force = touch->grip.normal_force;
  reading->slip_speed = slide(contacts, &contacts->now, touch, velocity, &stencil, matter, &unused);
  bool sticks = grips(reading->pair) && reading->slip_speed < law->sticking_speed;
  reading->state = sticks ? ST_CONTACT_STICKING : ST_CONTACT_SLIDING;
  StTouchLaw touch_law = st_contacts_law(contacts, touch);
  StGap gap = st_contacts_gap(&contacts->now, touch);
  memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
  st_touch_add_normal(&touch_law, touch->count, &gap, stencil);
  reading->driving_power += pushing_power(contacts, touch, stencil, matter);
  add_up(touch, stencil, reading->net);
}

static Reading read_meeting(StContacts *contacts, Meeting meeting, const double *velocity) {
  const StTouch *any = meeting.now ? meeting.now : meeting.used;
  Reading reading = {.pair = &contacts->pair[any->pair],
                     .pair_index = any->pair,
                     .vertex = st_contacts_vertex(contacts, any)};
  if (meeting.used)
    read_friction(contacts, meeting.used, velocity, &reading);
  if (meeting.now)
    read_normal(contacts, meeting.now, velocity, &reading);
  if (reading.pair->desc->body < 0)
    vec3_set(0, 0, 0, reading.net);
  return reading;
}

static int compare(const StTouch *a, const StTouch *b) {
  return a->pair != b->pair ? a->pair - b->pair : a->point - b->point;
}

// Both lists are in the same order: one walk along both finds who is in either.
static StStatus visit_all(StContacts *contacts, double time, const double *position,
                          const double *velocity, Visit visit, void *context) {
  ST_TRY(st_contacts_update(contacts, time, position));
  const StTouchList *now = &contacts->now, *used = st_slip_list(contacts);
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
    if (!st_contacts_owned(contacts, meeting.now ? meeting.now : meeting.used))
      continue;
    Reading reading = read_meeting(contacts, meeting, velocity);
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
      fmax(worst->cone_violation, reading->coulomb - peak * reading->normal_force);
  worst->normal_force_error =
      fmax(worst->normal_force_error, fabs(reading->used_normal_force - reading->normal_force));
}

static void visit_pair(void *context, const Reading *reading) {
  const Sums *sums = context;
  sum_pair(&sums->pair[reading->pair_index], reading);
  find_extremes(sums->contacts, sums->extremes, reading);
}

StStatus st_readout_pairs(StContacts *contacts, double time, const double *position,
                          const double *velocity, StPairReadout *pair, StTouchExtremes *extremes) {
  Sums sums = {contacts, pair, extremes};
  memset(pair, 0, (size_t)contacts->pair_count * sizeof *pair);
  *extremes =
      (StTouchExtremes){.cone_violation = -INFINITY, .deepest_gap = INFINITY, .deepest_vertex = -1};
  return visit_all(contacts, time, position, velocity, visit_pair, &sums);
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

StStatus st_readout_vertices(StContacts *contacts, double time, const double *position,
                             const double *velocity, double *vertex) {
  double free_gap = largest_thickness(contacts);
  for (int i = 0; i < contacts->piece->owned_count; i++) {
    double *of = vertex + ST_READOUT_WIDTH * i;
    memset(of, 0, ST_READOUT_WIDTH * sizeof *of);
    of[ST_READOUT_GAP] = free_gap;
  }
  return visit_all(contacts, time, position, velocity, visit_vertex, vertex);
}
