// Reads out contact forces, with the functions that apply them.
#include "contact/core/readout.h"

#include "base/memory.h"
#include "contact/core/reading.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"

#include <string.h>

// A contact now, and the same contact as friction uses it, which differs if friction is lagged.
// NULL: it was not in contact then, or is not now.
typedef struct Meeting {
  const StContact *now, *used;
} Meeting;

// At the local vertices, [vertex_count][3].
typedef struct State {
  const double *position, *velocity;
  double *room; // for the velocities and the forces of a stencil
} State;

static bool grips(const StFrictionLaw *law) {
  return law->dynamic_coefficient > 0 || law->static_coefficient > 0 ||
         law->viscous_coefficient > 0;
}

// Adds the power and work of a moving obstacle through these forces on a stencil. The obstacle acts
// with the reverse of the force on its places, or on its surface point if it has none.
static void add_driving(const StContactSet *set, const StContactArray *list,
                        const StContact *contact, const double *force, StReading *reading) {
  const int *place = st_contact_array_places(list, contact);
  for (int k = 0; k < contact->split; k++) {
    reading->driving_power +=
        vec3_dot(force + 3 * k, st_contact_set_wall_velocity(set, list, contact));
    reading->driving_work += vec3_dot(force + 3 * k, st_contact_set_shift(set, list, contact));
  }
  for (int k = 0; k < contact->count; k++)
    if (!st_contact_set_is_local(set, place[k])) {
      size_t rigid = (size_t)(place[k] - set->contacts->piece->vertex_count);
      reading->driving_power -= vec3_dot(force + 3 * k, set->rigid_velocity + 3 * rigid);
      reading->driving_work -= vec3_dot(force + 3 * k, set->rigid_shift + 3 * rigid);
    }
}

// Sums a stencil's forces for both sides of the contact.
static void add_up(const StContactSet *set, const StContactArray *list, const StContact *contact,
                   const double *stencil, const State *at, StReading *reading) {
  const int *place = st_contact_array_places(list, contact);
  for (int k = 0; k < contact->count; k++) {
    const double *x = at->position + 3 * (size_t)place[k];
    if (!st_contact_set_is_local(set, place[k]))
      x = set->rigid_position + 3 * (size_t)(place[k] - set->contacts->piece->vertex_count);
    double torque[3];
    vec3_cross(x, stencil + 3 * k, torque);
    vec3_add_scaled(1, stencil + 3 * k, reading->force[k >= contact->split]);
    vec3_add_scaled(1, torque, reading->torque[k >= contact->split]);
  }
}

// Clears the forces of the stencil, in the room after its velocities.
static double *clear_forces(const State *at, const StContact *contact) {
  double *force = at->room + 3 * contact->count;
  memset(force, 0, 3 * (size_t)contact->count * sizeof(double));
  return force;
}

// One part of a contact's friction on side A.
typedef struct Sliding {
  double friction[3], slip[3]; // across the normal, and the velocity on which it depends
  double damper, parting;      // the same along the normal
  StFrictionLoad load;
} Sliding;

static Sliding slide_contact(const StContactSet *set, const StContactArray *list,
                             const StContact *contact, StFrictionPart part, const State *at) {
  double *gathered = at->room, wall[3];
  const double *share = st_contact_array_shares(list, contact);
  StContactLaw law = st_contact_set_law(set, contact, part);
  Sliding sliding;
  st_contact_set_friction_velocities(set, contact->count, st_contact_array_places(list, contact),
                                     part, at->position, at->velocity, gathered);
  st_contact_set_friction_wall(set, list, contact, part, wall);
  double along =
      st_contact_slip(contact->count, &contact->normal_state, share, gathered, wall, sliding.slip);
  sliding.load = st_contact_load(&law, &contact->normal_state, along);
  sliding.damper = sliding.load.normal_force - contact->normal_state.normal_force;
  st_friction_force(law.friction, &sliding.load, sliding.slip, sliding.friction);
  sliding.parting = along - vec3_dot(law.held, contact->normal_state.normal);
  return sliding;
}

static const StFrictionLaw *dry_law(const StContactSet *set, const StContact *contact) {
  return &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_DRY];
}

double st_readout_held_energy(const StContactSet *set, const double *position) {
  const State at = {position, NULL, set->work->real};
  double sum = 0;
  for (int t = 0; set->status == ST_OK && t < set->slip->count; t++) {
    const StContact *contact = &set->slip->contact[t];
    double held[3];
    if (!contact->owned || !dry_law(set, contact)->anchored)
      continue;
    Sliding sliding = slide_contact(set, set->slip, contact, ST_FRICTION_PART_DRY, &at);
    st_contact_held(contact, held);
    sum += st_friction_brought(dry_law(set, contact), &sliding.load, vec3_length(held));
  }
  return sum;
}

// Power of anchored friction that is dissipated, negative: its work in the step so far, less the
// change of stored energy.
static double spent_power(const StContactSet *set, const StContact *contact, const Sliding *sliding,
                          const double z[3]) {
  const StFrictionLaw *law = dry_law(set, contact);
  double before[3], power = sliding->damper * sliding->parting;
  double time = st_contact_set_elastic_time(set, contact);
  st_contact_held(contact, before);
  for (int i = 0; i < 3; i++)
    power += sliding->friction[i] * (sliding->slip[i] - before[i] / time);
  double gain = st_friction_stored(law, &sliding->load, vec3_length(z)) -
                st_friction_brought(law, &sliding->load, vec3_length(before));
  return power + gain / set->span;
}

static void read_friction_part(const StContactSet *set, const StContact *contact,
                               StFrictionPart part, const State *at, StReading *reading) {
  double z[3];
  Sliding sliding = slide_contact(set, set->slip, contact, part, at);
  vec3_add_scaled(1, sliding.friction, reading->friction);
  reading->damper += sliding.damper;
  if (part == ST_FRICTION_PART_DRY) {
    st_contact_set_elastic(set, contact, &sliding.load, sliding.slip, z);
    reading->power += spent_power(set, contact, &sliding, z);
    reading->displacement = vec3_length(z);
  } else {
    reading->power += vec3_dot(sliding.friction, sliding.slip);
  }
  double film = st_contact_set_pair_law(set, contact)->friction[part].viscous_coefficient *
                fabs(contact->normal_state.engagement) * vec3_length(sliding.slip);
  if (part != ST_FRICTION_PART_FILM)
    reading->coulomb = vec3_length(sliding.friction) - film;
}

static void read_friction(const StContactSet *set, const StContact *contact, const State *at,
                          StReading *reading) {
  StFrictionPart part[2];
  if (!grips(reading->law))
    return;
  int count = st_contact_set_friction_parts(set, contact, part);
  for (int i = 0; i < count; i++)
    read_friction_part(set, contact, part[i], at, reading);
  double *force = clear_forces(at, contact), all[3];
  vec3_copy(reading->friction, all);
  vec3_add_scaled(reading->damper, contact->normal_state.normal, all);
  st_contact_spread(contact->count, st_contact_array_shares(set->slip, contact), all, force);
  add_driving(set, set->slip, contact, force, reading);
  reading->used_normal_force = contact->normal_state.normal_force;
  add_up(set, set->slip, contact, force, at, reading);
}

// Anchored friction sticks below its yield, other friction below the sticking speed.
static bool sticks(const StContactSet *set, const StContact *contact, const State *at,
                   double speed) {
  const StFrictionLaw *law = &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_ALL];
  double z[3];
  if (!law->anchored)
    return speed < law->sticking_speed;
  Sliding sliding = slide_contact(set, &set->now, contact, ST_FRICTION_PART_DRY, at);
  return st_contact_set_elastic(set, contact, &sliding.load, sliding.slip, z) == 1;
}

static void read_normal(const StContactSet *set, const StContact *contact, const State *at,
                        StReading *reading) {
  reading->gap = contact->gap;
  reading->normal_force = contact->normal_state.normal_force;
  Sliding sliding = slide_contact(set, &set->now, contact, ST_FRICTION_PART_FILM, at);
  reading->slip_speed = vec3_length(sliding.slip);
  vec3_copy(sliding.slip, reading->slip);
  reading->state = grips(reading->law) && sticks(set, contact, at, reading->slip_speed)
                       ? ST_CONTACT_STICKING
                       : ST_CONTACT_SLIDING;
  StContactLaw contact_law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(&set->now, contact);
  double *force = clear_forces(at, contact);
  st_contact_add_normal(&contact_law, contact->count, &gap, force);
  add_driving(set, &set->now, contact, force, reading);
  add_up(set, &set->now, contact, force, at, reading);
}

// Whether side A is the pair's collider; with primitives it may be either body.
static bool is_of_collider(const StContactSet *set, const StContactArray *list,
                           const StContact *contact) {
  int place = st_contact_array_places(list, contact)[0];
  return st_contact_set_is_local(set, place) &&
         set->contacts->piece->body[place] ==
             st_pair_sides(set->contacts->description, contact->pair).collider;
}

static void swap(double a[3], double b[3]) {
  for (int c = 0; c < 3; c++) {
    double kept = a[c];
    a[c] = b[c];
    b[c] = kept;
  }
}

// Swaps sides.
static void turn_round(StReading *reading) {
  reading->turned = true;
  swap(reading->force[0], reading->force[1]);
  swap(reading->torque[0], reading->torque[1]);
  for (int c = 0; c < 3; c++) {
    reading->friction[c] = -reading->friction[c];
    reading->slip[c] = -reading->slip[c];
  }
}

static StReading read_meeting(const StContactSet *set, Meeting meeting, const State *at) {
  const StContact *any = meeting.now ? meeting.now : meeting.used;
  const StContactArray *list = meeting.now ? &set->now : set->slip;
  bool on_body = st_pair_sides(set->contacts->description, any->pair).body >= 0;
  StReading reading = {.law = &st_contact_set_pair_law(set, any)->friction[ST_FRICTION_PART_ALL],
                       .pair = any->pair,
                       .vertex = st_contact_set_vertex(set, list, any)};
  if (meeting.used)
    read_friction(set, meeting.used, at, &reading);
  if (meeting.now)
    read_normal(set, meeting.now, at, &reading);
  if (!is_of_collider(set, list, any))
    turn_round(&reading);
  reading.contact = meeting.now;
  for (int c = 0; c < 3 && on_body; c++)
    reading.net[c] = reading.force[0][c] + reading.force[1][c];
  return reading;
}

static int compare(const StContact *a, const StContact *b) {
  return a->pair != b->pair ? a->pair - b->pair : (a->id > b->id) - (a->id < b->id);
}

enum { READINGS_AT_ONCE = 256, READINGS = 16 };

// Contacts that threads read, to be visited in order.
typedef struct Batch {
  const StContactSet *set;
  State at;
  int count;
  bool wide; // some contact has a larger stencil than threads have room for
  Meeting meeting[READINGS_AT_ONCE];
  StReading reading[READINGS_AT_ONCE];
} Batch;

static void read_some(void *context, int begin, int end) {
  Batch *batch = context;
  double room[6 * ST_CONTACT_SMALL];
  State at = batch->at;
  if (!batch->wide)
    at.room = room;
  for (int i = begin; i < end; i++)
    batch->reading[i] = read_meeting(batch->set, batch->meeting[i], &at);
}

static void visit_batch(Batch *batch, StReadingVisit visit, void *context) {
  StCrew *crew = batch->wide ? NULL : batch->set->contacts->piece->crew;
  st_crew_sweep(crew, 0, batch->count, READINGS, read_some, batch);
  for (int i = 0; i < batch->count; i++)
    visit(context, &batch->reading[i]);
  batch->count = 0;
  batch->wide = false;
}

// The next contact of two lists in the same order.
static Meeting next_meeting(const StContactArray *now, const StContactArray *used, int *i, int *j) {
  Meeting meeting = {*i < now->count ? &now->contact[*i] : NULL,
                     *j < used->count ? &used->contact[*j] : NULL};
  int order = meeting.now && meeting.used ? compare(meeting.now, meeting.used) : 0;
  if (order > 0)
    meeting.now = NULL;
  if (order < 0)
    meeting.used = NULL;
  *i += meeting.now != NULL;
  *j += meeting.used != NULL;
  return meeting;
}

static bool is_wide(const StContact *contact) {
  return contact && contact->count > ST_CONTACT_SMALL;
}

StStatus st_readings_visit(const StContactSet *set, const double *position, const double *velocity,
                           StReadingVisit visit, void *context) {
  ST_TRY(set->status);
  const StContactArray *now = &set->now, *used = set->slip;
  Batch *batch = ST_ROOM(Batch, 1);
  if (!batch)
    return ST_SYSTEM_FAULT;
  batch->set = set;
  batch->at = (State){position, velocity, set->work->real};
  batch->count = 0;
  batch->wide = false;
  for (int i = 0, j = 0; i < now->count || j < used->count;) {
    Meeting meeting = next_meeting(now, used, &i, &j);
    const StContact *any = meeting.now ? meeting.now : meeting.used;
    if (!any->owned)
      continue;
    batch->meeting[batch->count++] = meeting;
    batch->wide = batch->wide || is_wide(meeting.now) || is_wide(meeting.used);
    if (batch->count == READINGS_AT_ONCE)
      visit_batch(batch, visit, context);
  }
  visit_batch(batch, visit, context);
  free(batch);
  return ST_OK;
}

typedef struct Sums {
  const StContacts *contacts;
  StPairReadouts *readouts;
  StContactExtremes *extremes;
  const StContactSet *set;
  const double *mean;
  bool no_memory;
} Sums;

void st_pair_readouts_free(StPairReadouts *readouts) {
  free(readouts->row);
}

// The row of a pair: the last one, or a new one.
static StPairReadout *row_of(StPairReadouts *readouts, int pair) {
  if (readouts->count > 0 && readouts->row[readouts->count - 1].pair == pair)
    return &readouts->row[readouts->count - 1];
  if (!ST_GROW(readouts->row, readouts->capacity, readouts->count + 1))
    return NULL;
  StPairReadout *row = &readouts->row[readouts->count++];
  *row = (StPairReadout){.pair = pair};
  return row;
}

static void add_row(const StPairReadout *row, StPairReadout *sum) {
  sum->touching += row->touching;
  sum->sticking += row->sticking;
  sum->normal_force += row->normal_force;
  sum->friction_size += row->friction_size;
  sum->power += row->power;
  sum->driving_power += row->driving_power;
  sum->driving_work += row->driving_work;
  sum->lost_power += row->lost_power;
  vec3_add_scaled(1, row->friction, sum->friction);
  vec3_add_scaled(1, row->force, sum->force);
  vec3_add_scaled(1, row->torque, sum->torque);
  vec3_add_scaled(1, row->other_torque, sum->other_torque);
  vec3_add_scaled(1, row->net, sum->net);
}

static int compare_rows(const void *a, const void *b) {
  const StPairReadout *x = a, *y = b;
  return x->pair != y->pair ? (x->pair > y->pair) - (x->pair < y->pair) : x->order - y->order;
}

void st_pair_readouts_merge(StPairReadouts *readouts) {
  StPairReadout *row = readouts->row;
  int count = 0;
  for (int i = 0; i < readouts->count; i++)
    row[i].order = i;
  if (readouts->count > 0)
    qsort(row, (size_t)readouts->count, sizeof *row, compare_rows);
  for (int i = 0; i < readouts->count; i++)
    if (count > 0 && row[count - 1].pair == row[i].pair)
      add_row(&row[i], &row[count - 1]);
    else
      row[count++] = row[i];
  readouts->count = count;
}

static void sum_pair(StPairReadout *sum, const StReading *reading) {
  sum->touching += reading->state != ST_CONTACT_FREE;
  sum->sticking += reading->state == ST_CONTACT_STICKING;
  sum->normal_force += reading->normal_force + reading->damper;
  sum->friction_size += vec3_length(reading->friction);
  sum->power += reading->power;
  sum->driving_power += reading->driving_power;
  sum->driving_work += reading->driving_work;
  vec3_add_scaled(1, reading->friction, sum->friction);
  vec3_add_scaled(1, reading->force[0], sum->force);
  vec3_add_scaled(1, reading->torque[0], sum->torque);
  vec3_add_scaled(1, reading->torque[1], sum->other_torque);
  vec3_add_scaled(1, reading->net, sum->net);
}

static void find_extremes(const StContacts *contacts, StContactExtremes *worst,
                          const StReading *reading) {
  const StFrictionLaw *law = reading->law;
  if (reading->state == ST_CONTACT_STICKING) {
    worst->creep_speed = fmax(worst->creep_speed, reading->slip_speed);
    worst->displacement = fmax(worst->displacement, reading->displacement);
  }
  if (reading->state != ST_CONTACT_FREE && reading->gap < worst->deepest_gap) {
    worst->deepest_gap = reading->gap;
    worst->deepest_vertex = contacts->piece->vertex_id[reading->vertex];
  }
  if (reading->contact)
    worst->factor = fmax(worst->factor, reading->contact->factor);
  if (!grips(reading->law))
    return;
  double peak = fmax(law->static_coefficient, law->dynamic_coefficient);
  worst->cone_violation =
      fmax(worst->cone_violation,
           reading->coulomb - peak * fabs(reading->normal_force + reading->damper));
  worst->normal_force_error =
      fmax(worst->normal_force_error, fabs(reading->used_normal_force - reading->normal_force));
}

// Power lost: the force on side A times the velocity with which side A approaches side B.
static double lost_power(const StContactSet *set, const double *mean, const StReading *reading) {
  const StContact *contact = reading->contact;
  const int *place = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  const double *force = reading->force[reading->turned];
  double sum = vec3_dot(force, st_contact_set_wall_velocity(set, &set->now, contact));
  for (int k = 0; k < contact->count; k++) {
    bool local = st_contact_set_is_local(set, place[k]);
    size_t rigid = local ? 0 : (size_t)(place[k] - set->contacts->piece->vertex_count);
    sum -= share[k] *
           vec3_dot(force, local ? mean + 3 * (size_t)place[k] : set->rigid_velocity + 3 * rigid);
  }
  return sum;
}

static void visit_pair(void *context, const StReading *reading) {
  Sums *sums = context;
  StPairReadout *row = row_of(sums->readouts, reading->pair);
  sums->no_memory = sums->no_memory || !row;
  if (row)
    sum_pair(row, reading);
  if (row && sums->mean && reading->contact)
    row->lost_power += lost_power(sums->set, sums->mean, reading);
  find_extremes(sums->contacts, sums->extremes, reading);
}

StStatus st_readout_pairs(const StContactSet *set, const double *position, const double *velocity,
                          const double *mean, StPairReadouts *readouts,
                          StContactExtremes *extremes) {
  Sums sums = {set->contacts, readouts, extremes, set, mean, false};
  readouts->count = 0;
  *extremes = (StContactExtremes){
      .cone_violation = -INFINITY, .factor = 1, .deepest_gap = INFINITY, .deepest_vertex = -1};
  ST_TRY(st_readings_visit(set, position, velocity, visit_pair, &sums));
  return sums.no_memory ? ST_SYSTEM_FAULT : ST_OK;
}

static void visit_vertex(void *context, const StReading *reading) {
  double *vertex = (double *)context + ST_READOUT_WIDTH * reading->vertex;
  if (reading->state == ST_CONTACT_FREE)
    return;
  vertex[ST_READOUT_NORMAL_FORCE] += reading->normal_force + reading->damper;
  vertex[ST_READOUT_GAP] = fmin(vertex[ST_READOUT_GAP], reading->gap);
  vertex[ST_READOUT_SLIP_SPEED] = fmax(vertex[ST_READOUT_SLIP_SPEED], reading->slip_speed);
  vertex[ST_READOUT_HELD] = fmax(vertex[ST_READOUT_HELD], reading->displacement);
  vertex[ST_READOUT_STATE] = fmax(vertex[ST_READOUT_STATE], reading->state);
}

StStatus st_readout_vertices(const StContactSet *set, const double *position,
                             const double *velocity, double *vertex) {
  const StContacts *contacts = set->contacts;
  double free_gap = st_pairs_most_reach(contacts->description);
  for (int i = 0; i < contacts->piece->owned_count; i++) {
    double *of = vertex + ST_READOUT_WIDTH * i;
    memset(of, 0, ST_READOUT_WIDTH * sizeof *of);
    of[ST_READOUT_GAP] = free_gap;
  }
  return st_readings_visit(set, position, velocity, visit_vertex, vertex);
}
