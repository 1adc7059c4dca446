// Gathers what strikes what, and hands it to the reflection.
// Tested by tests/verify/test_restitution.c.
#include "step/impact.h"

#include "base/memory.h"
#include "contact/core/reading.h"
#include "math/inertia.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"
#include "step/reflection.h"
#include "step/rigid_frame.h"
#include "step/rows.h"
#include "step/tunables.h"

#include <math.h>
#include <string.h>

// A rigid body in the step.
typedef struct Body {
  int index;
  bool led;                       // some of it is prescribed
  double mass, centre[3];         // kg; m, at the end of the step
  double inverse[9];              // of the inertia there
  double momentum[3], angular[3]; // that the step began with, the latter about the centre
  double push[3], twist[3];       // N s, N m s, of all forces but those of strikes
  double velocity[3], spin[3];    // at the end of the step
  double free;                    // part of the step before it struck something
  int island;
} Body;

// A contact in the step.
typedef struct Contact {
  int pair;
  uint64_t id;
  int body[2];                   // -1: an obstacle
  double normal[3], point[3];    // the normal leads from the second to the first
  double force[3], torque[2][3]; // N, on the first, and N m about the origin
  double wall[3];                // m/s, of an obstacle
  double way;                    // m/s, by which the gap has grown in the step
  double stored;                 // J, by which contact has been compressed
} Contact;

struct StImpact {
  const StStageProblem *stage;
  const StDescription *description;
  int body_count, contact_count;
  Body *body;
  Contact *contact;
  size_t body_capacity, contact_capacity;
  bool no_memory;
  // Of all ranks:
  int *place; // [bodies of the description] in `body`; -1: not rigid
  StStruckBody *struck;
  StStrike *strike;
  size_t struck_capacity, strike_capacity;
  int loss_count;
  StPairLoss *loss;
  size_t loss_capacity;
};

static bool has_restitution(const StDescription *description) {
  const StFrictionDesc *friction;
  for (int i = 0; (friction = st_pairs_friction(description, i)); i++)
    if (friction->restitution > 0)
      return true;
  return false;
}

StStatus st_impact_create(const StStageProblem *stage, StImpact **result, StError *error) {
  const StDescription *description = stage->system->description;
  *result = NULL;
  if (!stage->system->contacts || !has_restitution(description))
    return ST_OK;
  StImpact *impact = ST_OWNER(StImpact);
  ST_TRY_MEMORY(impact, error);
  impact->stage = stage;
  impact->description = description;
  impact->place = ST_OWN(impact, int, description->body_count);
  return st_owner_give(impact, result, error);
}

void st_impact_destroy(StImpact *impact) {
  if (!impact)
    return;
  free(impact->body);
  free(impact->contact);
  free(impact->struck);
  free(impact->strike);
  free(impact->loss);
  st_owner_free(impact);
}

// Bodies -----------------------------------------------------------------------------------------

static Body read_body(const StImpact *impact, int frame, const StPoint *at, const StState *state,
                      double h, const double *velocity) {
  const StStageProblem *stage = impact->stage;
  StRigidFrame before = st_rigid_frame_at(stage, frame, state->position);
  StRigidFrame after = st_rigid_frame_at(stage, frame, at->position);
  Body body = {.index = stage->system->piece->body[after.carrier[0]],
               .led = st_rigid_frame_is_held(&after, stage->scale),
               .mass = after.whole,
               .free = 1};
  double angular[3] = {0};
  vec3_copy(after.centre, body.centre);
  if (!inertia_invert(after.inertia, body.inverse)) // it turns as the step has it
    body.led = true;
  st_rigid_frame_mean(&before, state->velocity, body.momentum);
  for (int c = 0; c < 3; c++)
    body.momentum[c] *= body.mass;
  st_rigid_frame_moment(&before, 1, state->velocity, body.angular);
  st_rigid_frame_mean(&after, velocity, body.velocity);
  st_rigid_frame_moment(&after, 1, velocity, angular);
  mat3_apply(body.inverse, angular, body.spin);
  for (int i = 0; i < ST_CARRIERS; i++) {
    const double *force = stage->force + 3 * (size_t)after.carrier[i];
    double moment[3];
    vec3_cross(after.arm[i], force, moment);
    vec3_add_scaled(h, force, body.push);
    vec3_add_scaled(h, moment, body.twist);
  }
  return body;
}

static StStatus read_bodies(StImpact *impact, const StPoint *at, const StState *state, double h,
                            const double *velocity, StError *error) {
  int count = impact->stage->frame_count;
  bool good = ST_GROW(impact->body, impact->body_capacity, count);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  for (int f = 0; f < count; f++)
    impact->body[f] = read_body(impact, f, at, state, h, velocity);
  impact->body_count = count;
  ST_TRY(ST_ROWS_GATHER(impact->body, impact->body_capacity, impact->body_count, error));
  for (int b = 0; b < impact->description->body_count; b++)
    impact->place[b] = -1;
  for (int i = 0; i < impact->body_count; i++)
    impact->place[impact->body[i].index] = i;
  return ST_OK;
}

// Contacts ---------------------------------------------------------------------------------------

typedef struct Reader {
  StImpact *impact;
  const StPoint *at;
} Reader;

// The side of a contact: a body, or -1.
static int side_of(const StContactSet *set, const StContact *contact, int side) {
  int place = side == 0 ? 0 : contact->split < contact->count ? contact->split : -1;
  if (place < 0)
    return -1;
  int vertex = st_contact_array_places(&set->now, contact)[place];
  return st_contact_set_is_local(set, vertex) ? set->contacts->piece->body[vertex] : -1;
}

static bool is_rigid(const StDescription *description, int body) {
  return body < 0 || description->body[body].rigid;
}

static int compare_features(const void *a, const void *b) {
  const StContact *x = a, *y = b;
  return x->pair != y->pair ? x->pair - y->pair : (x->id > y->id) - (x->id < y->id);
}

static double energy_in(const StContactSet *set, const StContactArray *list,
                        const StContact *contact) {
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(list, contact);
  return st_contact_energy(&law, &gap);
}

// J, by which contact has been compressed in the step.
static double stored_in_step(const StContactSet *set, const StContact *contact) {
  const StContactArray *before = set->before;
  const StContact *then = NULL;
  if (before && before->count > 0)
    then = bsearch(contact, before->contact, (size_t)before->count, sizeof *then, compare_features);
  return fmax(energy_in(set, &set->now, contact) - (then ? energy_in(set, before, then) : 0), 0);
}

// Where the contact is and how fast obstacles move there.
static void place_contact(const StContactSet *set, const StContact *touching, const StPoint *at,
                          Contact *contact) {
  const int *place = st_contact_array_places(&set->now, touching);
  const double *share = st_contact_array_shares(&set->now, touching);
  const double *shift = st_contact_set_shift(set, &set->now, touching);
  double x[3 * ST_CONTACT_SMALL], v[3 * ST_CONTACT_SMALL], way[3] = {0}, first[3] = {0};
  double apart[3] = {0};
  st_contact_set_positions(set, touching->count, place, at->position, x);
  st_contact_set_velocities(set, touching->count, place, at->velocity, v);
  vec3_copy(st_contact_set_wall_velocity(set, &set->now, touching), contact->wall);
  for (int k = 0; k < touching->count; k++) {
    int side = k >= touching->split;
    if (side == 0)
      vec3_add_scaled(share[k], x + 3 * k, first);
    vec3_add_scaled(share[k], x + 3 * k, apart);
    if (contact->body[side] < 0)
      vec3_add_scaled(side ? -share[k] : share[k], v + 3 * k, contact->wall);
  }
  bool bodies = touching->split < touching->count;
  vec3_copy(first, contact->point);
  vec3_add_scaled(bodies ? -0.5 : 0, apart, contact->point);
  st_contact_set_friction_moved(set, touching->count, place, x, v);
  for (int k = 0; k < touching->count; k++)
    vec3_add_scaled(share[k], v + 3 * k, way);
  vec3_add_scaled(-1 / set->span, shift, way);
  contact->way = vec3_dot(way, contact->normal);
  contact->stored = stored_in_step(set, touching);
}

static void read_contact(void *context, const StReading *reading) {
  const Reader *reader = context;
  StImpact *impact = reader->impact;
  const StContactSet *set = reader->at->contact_set;
  const StContact *touching = reading->contact;
  if (!touching || !(touching->normal_state.normal_force > 0) || touching->count > ST_CONTACT_SMALL)
    return;
  Contact contact = {.pair = touching->pair, .id = touching->id};
  for (int s = 0; s < 2; s++) {
    contact.body[s] = side_of(set, touching, s);
    if (!is_rigid(impact->description, contact.body[s]))
      return;
  }
  vec3_copy(touching->normal_state.normal, contact.normal);
  vec3_copy(reading->force[reading->turned], contact.force);
  for (int s = 0; s < 2; s++)
    vec3_copy(reading->torque[s != reading->turned], contact.torque[s]);
  place_contact(set, touching, reader->at, &contact);
  if (!ST_GROW(impact->contact, impact->contact_capacity, impact->contact_count + 1)) {
    impact->no_memory = true;
    return;
  }
  impact->contact[impact->contact_count++] = contact;
}

static int compare_contacts(const void *a, const void *b) {
  const Contact *x = a, *y = b;
  return x->pair != y->pair ? x->pair - y->pair : (x->id > y->id) - (x->id < y->id);
}

static StStatus read_contacts(StImpact *impact, const StPoint *at, StError *error) {
  Reader reader = {impact, at};
  impact->contact_count = 0;
  impact->no_memory = false;
  StStatus status =
      st_readings_visit(at->contact_set, at->position, at->velocity, read_contact, &reader);
  if (status != ST_OK || impact->no_memory)
    status = st_fail_memory(error);
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(ST_ROWS_GATHER(impact->contact, impact->contact_capacity, impact->contact_count, error));
  if (impact->contact_count > 0)
    qsort(impact->contact, (size_t)impact->contact_count, sizeof(Contact), compare_contacts);
  return ST_OK;
}

// Strikes and their bodies -----------------------------------------------------------------------

static Body *body_of(const StImpact *impact, const Contact *contact, int side) {
  return contact->body[side] < 0 ? NULL : &impact->body[impact->place[contact->body[side]]];
}

// The impulses of the strikes that are solved for do not count among those of the step.
static void leave_out_strikes(StImpact *impact, double h) {
  for (int i = 0; i < impact->contact_count; i++)
    for (int s = 0; s < 2; s++) {
      const Contact *contact = &impact->contact[i];
      Body *body = body_of(impact, contact, s);
      double moment[3], sign = s ? -1 : 1;
      if (!body)
        continue;
      vec3_cross(body->centre, contact->force, moment);
      vec3_add_scaled(-sign * h, contact->force, body->push);
      vec3_add_scaled(-h, contact->torque[s], body->twist);
      vec3_add_scaled(sign * h, moment, body->twist);
    }
}

// A body after a part of what forces do in the step.
static StStruckBody struck_body(const Body *body, double part) {
  StStruckBody struck = {0};
  vec3_copy(body->centre, struck.centre);
  vec3_copy(body->velocity, struck.velocity);
  vec3_copy(body->spin, struck.spin);
  if (body->led)
    return struck;
  struck.inverse_mass = 1 / body->mass;
  memcpy(struck.inverse_inertia, body->inverse, sizeof struck.inverse_inertia);
  double angular[3];
  for (int c = 0; c < 3; c++) {
    struck.velocity[c] = (body->momentum[c] + part * body->push[c]) / body->mass;
    angular[c] = body->angular[c] + part * body->twist[c];
  }
  mat3_apply(body->inverse, angular, struck.spin);
  return struck;
}

// Closing speed when both bodies have felt a part of the step's forces.
static double speed_after(const StImpact *impact, const Contact *contact, double part) {
  StStruckBody both[2] = {0};
  StStrike strike = {.side = {0, 1}};
  vec3_copy(contact->normal, strike.normal);
  vec3_copy(contact->point, strike.point);
  for (int s = 0; s < 2; s++) {
    const Body *body = body_of(impact, contact, s);
    if (body)
      both[s] = struck_body(body, part);
    else
      vec3_copy(contact->wall, both[s].velocity);
  }
  return st_strike_speed(both, &strike);
}

static double tolerance_of(const StImpact *impact) {
  return impact->description->solver.velocity_tolerance;
}

// Below this speed nothing rebounds.
static double slow_speed(const StImpact *impact, const Contact *contact) {
  double change = speed_after(impact, contact, 1) - speed_after(impact, contact, 0);
  return st_step_tunables.rebound_resting * fabs(change) + tolerance_of(impact);
}

// Bodies that touch directly or through others get the same number.
static void find_islands(StImpact *impact) {
  bool changed = true;
  for (int b = 0; b < impact->body_count; b++)
    impact->body[b].island = b;
  while (changed) {
    changed = false;
    for (int i = 0; i < impact->contact_count; i++) {
      Body *a = body_of(impact, &impact->contact[i], 0);
      Body *b = body_of(impact, &impact->contact[i], 1);
      if (!a || !b || a->led || b->led || a->island == b->island)
        continue;
      a->island = b->island = a->island < b->island ? a->island : b->island;
      changed = true;
    }
  }
}

// Marks the islands in which something strikes by negative numbers, and how far bodies had gone
// until then. False: nothing strikes.
static bool find_strikes(StImpact *impact) {
  bool found = false;
  find_islands(impact);
  for (int i = 0; i < impact->contact_count; i++) {
    const Contact *contact = &impact->contact[i];
    double speed = speed_after(impact, contact, 0);
    if (st_pair_law(impact->description, contact->pair).friction.restitution == 0 ||
        !(-speed > slow_speed(impact, contact)))
      continue;
    double part = fmin(fmax(contact->way / speed_after(impact, contact, 1), 0), 1);
    for (int s = 0; s < 2; s++) {
      Body *body = body_of(impact, contact, s);
      if (!body || body->led)
        continue;
      body->free = fmin(body->free, part);
      found = true;
      int island = body->island;
      for (int b = 0; b < impact->body_count && island >= 0; b++)
        if (impact->body[b].island == island)
          impact->body[b].island = -1 - island;
    }
  }
  return found;
}

static bool is_struck(const Body *body) {
  return body && !body->led && body->island < 0;
}

static bool strikes(const StImpact *impact, const Contact *contact) {
  return is_struck(body_of(impact, contact, 0)) || is_struck(body_of(impact, contact, 1));
}

// The strikes of marked islands, with a body of its own for each obstacle.
static int list_strikes(StImpact *impact) {
  int count = 0;
  for (int b = 0; b < impact->body_count; b++)
    impact->struck[b] = struck_body(&impact->body[b], impact->body[b].free);
  for (int i = 0; i < impact->contact_count; i++) {
    const Contact *contact = &impact->contact[i];
    const StFrictionDesc friction = st_pair_law(impact->description, contact->pair).friction;
    if (!strikes(impact, contact))
      continue;
    StStrike *strike = &impact->strike[count++];
    *strike = (StStrike){.restitution = friction.restitution,
                         .friction = friction.dynamic_coefficient,
                         .stored = contact->stored,
                         .slow = slow_speed(impact, contact)};
    vec3_copy(contact->normal, strike->normal);
    vec3_copy(contact->point, strike->point);
    for (int s = 0; s < 2; s++) {
      bool obstacle = contact->body[s] < 0;
      strike->side[s] = obstacle ? impact->body_count + i : impact->place[contact->body[s]];
      if (!obstacle)
        continue;
      StStruckBody *wall = &impact->struck[impact->body_count + i];
      *wall = (StStruckBody){0};
      vec3_copy(contact->wall, wall->velocity);
    }
  }
  return count;
}

static StStatus make_room(StImpact *impact, StError *error) {
  size_t bodies = (size_t)impact->body_count + (size_t)impact->contact_count;
  bool good = ST_GROW(impact->struck, impact->struck_capacity, bodies) &&
              ST_GROW(impact->strike, impact->strike_capacity, impact->contact_count) &&
              ST_GROW(impact->loss, impact->loss_capacity, impact->contact_count);
  return st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
}

// Work of what goes its own way, by the impulses that replace the step's forces.
static double work_of_walls(const StImpact *impact, double h) {
  double sum = 0;
  for (int i = 0, k = 0; i < impact->contact_count; i++) {
    const Contact *contact = &impact->contact[i];
    if (!strikes(impact, contact))
      continue;
    const StStrike *strike = &impact->strike[k++];
    for (int s = 0; s < 2; s++) {
      const StStruckBody *wall = &impact->struck[strike->side[s]];
      double arm[3], velocity[3], more[3];
      if (wall->inverse_mass > 0)
        continue;
      vec3_sub(strike->point, wall->centre, arm);
      vec3_cross(wall->spin, arm, velocity);
      vec3_add_scaled(1, wall->velocity, velocity);
      vec3_copy(strike->impulse, more);
      vec3_add_scaled(-h, contact->force, more);
      sum += (s ? 1 : -1) * vec3_dot(more, velocity);
    }
  }
  return sum;
}

// Velocity at which the first body comes towards the second, times an impulse on it.
static double taken_by(const StStruckBody *first, const StStruckBody *second, const double point[3],
                       const double impulse[3]) {
  StStruckBody both[2] = {*first, *second};
  StStrike strike = {.side = {0, 1}};
  vec3_copy(point, strike.point);
  vec3_copy(impulse, strike.normal);
  return -st_strike_speed(both, &strike);
}

// Impulses take what they do times the mean of the velocities before and after.
static void note_losses(StImpact *impact, double h) {
  for (int i = 0, k = 0; i < impact->contact_count; i++) {
    const Contact *contact = &impact->contact[i];
    if (!strikes(impact, contact))
      continue;
    const StStrike *strike = &impact->strike[k++];
    StStruckBody before[2];
    double more[3];
    vec3_copy(strike->impulse, more);
    vec3_add_scaled(-h, contact->force, more);
    for (int s = 0; s < 2; s++) {
      const Body *body = body_of(impact, contact, s);
      before[s] = body ? struck_body(body, 0) : impact->struck[strike->side[s]];
    }
    double lost = taken_by(&before[0], &before[1], strike->point, more) +
                  taken_by(&impact->struck[strike->side[0]], &impact->struck[strike->side[1]],
                           strike->point, more);
    impact->loss[impact->loss_count++] = (StPairLoss){contact->pair, 0.5 * lost};
  }
}

const StPairLoss *st_impact_losses(const StImpact *impact, int *count) {
  *count = impact ? impact->loss_count : 0;
  return impact ? impact->loss : NULL;
}

static void give_velocities(const StImpact *impact, const StPoint *at, double *velocity) {
  const StStageProblem *stage = impact->stage;
  for (int f = 0; f < stage->frame_count; f++) {
    StRigidFrame frame = st_rigid_frame_at(stage, f, at->position);
    int place = impact->place[stage->system->piece->body[frame.carrier[0]]];
    if (is_struck(&impact->body[place]))
      st_rigid_frame_move(&frame, impact->struck[place].velocity, impact->struck[place].spin,
                          velocity);
  }
  st_piece_follow_owned(stage->system->piece, velocity);
}

StStatus st_impact_apply(StImpact *impact, const StPoint *at, const StState *state, double h,
                         double *velocity, double *work, StError *error) {
  impact->loss_count = 0;
  ST_TRY(read_contacts(impact, at, error));
  if (impact->contact_count == 0)
    return ST_OK;
  ST_TRY(read_bodies(impact, at, state, h, velocity, error));
  leave_out_strikes(impact, h);
  if (!find_strikes(impact))
    return ST_OK;
  ST_TRY(make_room(impact, error));
  int count = list_strikes(impact);
  st_reflection_solve(impact->struck, impact->strike, count, tolerance_of(impact));
  *work += work_of_walls(impact, h);
  note_losses(impact, h);
  give_velocities(impact, at, velocity);
  return ST_OK;
}
