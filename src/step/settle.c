// Start equilibrium: moves bodies out of contacts that would throw them. All bodies move together:
// a body that is lifted lifts the bodies that stand on it.
// Tested by tests/verify/test_energy_balance.c.
#include "step/settle.h"

#include "base/memory.h"
#include "contact/start/body_forces.h"
#include "math/vec3.h"
#include "model/body.h"
#include "solve/runtime.h"
#include "step/neighbours.h"
#include "step/spring_net.h"
#include "contact/tunables.h"
#include "step/tunables.h"

#include <math.h>
#include <string.h>

// Forces from two sides cancel to within this fraction of them.
static const double BALANCED = 1e-9;
// Fraction of the thickness: below minus this, a gap is an overlap, which contact pushes out over
// time.
static const double ROUND_OFF = 1e-6;

typedef struct Settling {
  const StSystem *system;
  int body_count;
  bool *fixed;       // [bodies] must not move
  bool *thrown;      // [bodies] must move, because contact would throw them
  bool *moves;       // [bodies] thrown and not fixed
  bool *stands;      // [bodies] on a fixed body or obstacle, directly or by other bodies
  double *weight;    // [bodies][3] N
  double *force;     // [bodies][6] N and N m, contact force and torque
  double *direction; // [bodies][3] of the force
  double *rest;      // [bodies][6] N and N m, unbalanced load, the part that springs resist
  double *shift;     // [bodies][6] m and rad, displacement and turn of one round
  double *part;      // [bodies] fraction of the shift that is taken
  double *centre;    // [bodies][3] m, centre of mass at the start, …
  double *radius;    // [bodies] m, … and radius of the mass about it; 0: does not turn, …
  double *turning;   // [bodies] m, … the radius once all bodies have been shifted
  double *at;        // [bodies][3] m, present centre of mass
  double *room;      // [bodies][ST_SPRING_NET_ROOM]
  StSpringList springs;
  StBodyForces *state; // [bodies]
  double *moved;       // [bodies][6] m and rad, total displacement and turn
  double *start;       // [bodies][6] the same at the start of the round
  StHold hold;         // holds bodies as friction would, while they turn
  double *position;    // [vertex_count][3]
  double *from;        // [vertex_count][3] the same at the start of the round
  double least;        // smallest sum of imbalances so far, …
  int waited;          // … and rounds since
} Settling;

static bool make_room(Settling *s) {
  size_t bodies = (size_t)s->body_count, local = 3 * (size_t)s->system->piece->vertex_count;
  bool **mark[] = {&s->fixed, &s->thrown, &s->moves, &s->stands};
  double **number[] = {&s->radius, &s->turning, &s->part};
  double **vector[] = {&s->weight, &s->direction, &s->centre, &s->at};
  double **motion[] = {&s->force, &s->rest, &s->moved, &s->start, &s->shift};
  for (int i = 0; i < ST_LENGTH(mark); i++)
    *mark[i] = ST_OWN(s, bool, bodies);
  for (int i = 0; i < ST_LENGTH(number); i++)
    *number[i] = ST_OWN(s, double, bodies);
  for (int i = 0; i < ST_LENGTH(vector); i++)
    *vector[i] = ST_OWN(s, double, 3 * bodies);
  for (int i = 0; i < ST_LENGTH(motion); i++)
    *motion[i] = ST_OWN(s, double, 6 * bodies);
  s->room = ST_OWN(s, double, ST_SPRING_NET_ROOM *bodies);
  s->state = ST_OWN(s, StBodyForces, bodies);
  s->position = ST_OWN(s, double, local);
  s->from = ST_OWN(s, double, local);
  return st_hold_create(s->body_count, &s->hold) && st_owner_is_whole(s);
}

static void destroy(Settling *s) {
  st_contact_cache_moved(s->system->contact_cache, s->position);
  free(s->springs.spring);
  st_hold_free(&s->hold);
  st_owner_free(s);
}

static void weigh(Settling *s, double time) {
  const StSystem *system = s->system;
  double *force = s->position; // not in use yet
  for (int f = 0; f < system->force_count; f++) {
    if (strcmp(system->force[f].type->name, "gravity") != 0)
      continue;
    StPoint at = {.time = time,
                  .position = s->position,
                  .velocity = s->position}; // gravity uses none of these
    st_system_single_force(system, f, &at, force);
    for (int v = 0; v < system->piece->owned_count; v++)
      vec3_add_scaled(1, force + 3 * v, s->weight + 3 * system->piece->body[v]);
  }
  st_runtime_sum_all(s->weight, 3 * s->body_count);
}

// Marks the bodies that may turn. Sheets change their shape instead of turning, and bodies with
// joints turn only as the joints allow.
static void mark_turning(const Settling *s, bool *turns) {
  const StDescription *description = s->system->description;
  for (int b = 0; b < s->body_count; b++)
    turns[b] = !s->fixed[b] && st_body_is_solid(&description->body[b]);
  for (int j = 0; j < description->joint_count; j++)
    for (int e = 0; e < 2; e++)
      for (int i = 0; i < description->joint[j].end[e].vertex_count; i++)
        turns[st_description_body_of(description, description->joint[j].end[e].vertex[i])] = false;
}

static void find_centres(Settling *s, const StState *state) {
  const StPiece *piece = s->system->piece;
  double *mass = s->room, *square = mass + s->body_count; // not in use yet
  bool *turns = s->stands;
  for (int v = 0; v < piece->owned_count; v++) {
    const double *x = state->position + 3 * v;
    int b = piece->body[v];
    mass[b] += piece->mass[v];
    square[b] += piece->mass[v] * vec3_dot(x, x);
    vec3_add_scaled(piece->mass[v], x, s->centre + 3 * b);
  }
  st_runtime_sum_all(mass, 2 * s->body_count);
  st_runtime_sum_all(s->centre, 3 * s->body_count);
  mark_turning(s, turns);
  for (int b = 0; b < s->body_count && mass[b] > 0; b++) {
    double *centre = s->centre + 3 * b;
    for (int c = 0; c < 3; c++)
      centre[c] /= mass[b];
    double spread = square[b] / mass[b] - vec3_dot(centre, centre);
    s->turning[b] = turns[b] ? sqrt(fmax(spread, 0)) : 0;
  }
}

// Moves a point of a body by the body's displacement and turn.
static void carry(const Settling *s, int body, double x[3]) {
  const double *moved = s->moved + 6 * body, *centre = s->centre + 3 * body;
  double angle = vec3_length(moved + 3), rotation[9], axis[3], arm[3];
  if (angle > 0) {
    for (int c = 0; c < 3; c++)
      axis[c] = moved[3 + c] / angle;
    mat3_rotation(axis, angle, rotation);
    vec3_sub(x, centre, arm);
    mat3_apply(rotation, arm, x);
    vec3_add_scaled(1, centre, x);
  }
  vec3_add_scaled(1, moved, x);
}

static void place(Settling *s, const StState *state) {
  const StPiece *piece = s->system->piece;
  memcpy(s->position, state->position, (size_t)state->size * sizeof(double));
  for (int v = 0; v < piece->owned_count; v++)
    carry(s, piece->body[v], s->position + 3 * v);
  for (int b = 0; b < s->body_count; b++)
    for (int c = 0; c < 3; c++)
      s->at[3 * b + c] = s->centre[3 * b + c] + s->moved[6 * b + c];
  if (st_neighbours_cover(s->system, (const double *[]){s->position, s->from}, 2))
    st_exchange_forward(s->system->exchange, s->from);
  st_exchange_forward(s->system->exchange, s->position);
  st_contact_cache_moved(s->system->contact_cache, s->position);
}

static StSpringNet net_of(const Settling *s) {
  return (StSpringNet){.spring = s->springs.spring,
                       .count = s->springs.count,
                       .body_count = s->body_count,
                       .moves = s->moves,
                       .radius = s->radius,
                       .room = s->room};
}

// Contact forces on each body at its current position.
static StStatus find_forces(Settling *s, const StState *state, StError *error) {
  int bodies = s->body_count;
  const StPlacing placing = {s->position, s->at};
  place(s, state);
  const StContactSet *set = st_contact_cache_at(s->system->contact_cache, state->time, s->position);
  ST_TRY(st_runtime_agree(set->status == ST_OK ? ST_OK : st_fail_memory(error), error));
  memset(s->force, 0, 6 * (size_t)bodies * sizeof(double));
  st_pressing_forces(set, placing, s->force);
  st_runtime_sum_all(s->force, 6 * bodies);
  for (int b = 0; b < bodies; b++) {
    double length = vec3_length(s->force + 6 * b);
    for (int c = 0; c < 3; c++)
      s->direction[3 * b + c] = length > 0 ? s->force[6 * b + c] / length : 0;
    s->state[b] = (StBodyForces){.least = INFINITY};
  }
  bool good = st_pressing_springs(set, placing, &s->springs);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  const StSpringNet net = net_of(s);
  st_hold_add(&s->hold, &net, s->moved, s->force);
  st_pressing_states(set, s->weight, s->state);
  for (int b = 0; b < bodies; b++) {
    st_runtime_min_all(&s->state[b].least, 1);
    st_runtime_sum_all(&s->state[b].energy, 1);
    st_runtime_sum_all(&s->state[b].force, 1);
    st_runtime_sum_all(&s->state[b].carrying, 1);
    st_runtime_max_all(&s->state[b].thickness, 1);
  }
  return ST_OK;
}

// Contact force on a body beyond what carries its weight, N.
static double excess(const Settling *s, int body) {
  double pressing = vec3_length(s->force + 6 * body);
  double load = -vec3_dot(s->weight + 3 * body, s->direction + 3 * body);
  return fmax(pressing - fmax(load, 0), 0);
}

static void fix_overlapping(Settling *s) {
  for (int b = 0; b < s->body_count; b++)
    s->fixed[b] |= s->state[b].least < -ROUND_OFF;
}

static bool by_primitives(const Settling *s) {
  return st_contacts_keep_apart(s->system->contacts);
}

static bool is_settled(const Settling *s, int body) {
  const StBodyForces *state = &s->state[body];
  double weight = vec3_length(s->weight + 3 * body);
  double share = by_primitives(s) && !s->hold.on ? st_step_tunables.settle_roughly
                                                 : st_step_tunables.settle_settled;
  return excess(s, body) <= fmax(share * weight, BALANCED * state->force) ||
         state->least > st_step_tunables.settle_free;
}

// Marks the bodies that contact would throw higher than its own thickness, and those that touch one
// of them: they move with it, and stand on it afterwards as before. With smooth surfaces only
// bodies that press against it follow.
static void find_thrown(Settling *s, const StSpringNet *net) {
  bool *follows = s->stands; // not in use yet
  for (int b = 0; b < s->body_count; b++) {
    const StBodyForces *state = &s->state[b];
    double load = vec3_length(s->force + 6 * b) - excess(s, b);
    s->thrown[b] |= !is_settled(s, b) && state->energy > load * state->thickness;
    follows[b] =
        by_primitives(s) || state->energy > vec3_length(s->weight + 3 * b) * state->thickness;
  }
  st_spring_net_spread(net, follows, s->thrown);
}

// Length by which a displacement and a turn move the mass of a body.
static double length_of(const Settling *s, int body, const double shift[6]) {
  return vec3_length(shift) + s->radius[body] * vec3_length(shift + 3);
}

// Shortens shifts so that no gap changes by more than the thickness at once, because the contacts
// of a body know nothing beyond it. Bodies connected by springs are shortened alike, so that a body
// that stands on another moves with it, however far.
static void shorten_shifts(Settling *s, const StSpringNet *net) {
  double *part = s->part;
  for (int b = 0; b < s->body_count; b++)
    part[b] = 1;
  for (size_t k = 0; k < s->springs.count; k++) {
    const StSpring *spring = &s->springs.spring[k];
    double stretch = st_spring_net_stretch(net, spring, s->shift), most = INFINITY;
    for (int side = 0; side < 2; side++)
      if (spring->body[side] >= 0)
        most = fmin(most, s->state[spring->body[side]].thickness);
    for (int side = 0; side < 2 && stretch > most; side++)
      if (spring->body[side] >= 0)
        part[spring->body[side]] = fmin(part[spring->body[side]], most / stretch);
  }
  st_runtime_min_all(part, s->body_count);
  st_spring_net_take_least(net, part);
  for (int i = 0; i < 6 * s->body_count; i++)
    s->shift[i] *= part[i / 6];
}

// The unbalanced load of each body: its contact forces, and its weight if it stands on a fixed body
// or obstacle. The weight counts up to what the body's contacts carry, and for a body that turns up
// to settle_more times that, because contact is far stiffer where it carries more. For a body that
// stands on nothing only contact forces count.
static void find_unbalanced(Settling *s, const StSpringNet *net) {
  for (int b = 0; b < s->body_count; b++) {
    double weight = vec3_length(s->weight + 3 * b),
           most = s->radius[b] > 0 ? st_step_tunables.settle_more : 1;
    double part = weight > 0 && s->stands[b] ? fmin(most * s->state[b].carrying / weight, 1) : 0;
    for (int c = 0; c < 6; c++)
      s->rest[6 * b + c] = s->force[6 * b + c] + (c < 3 ? part * s->weight[3 * b + c] : 0);
  }
  st_spring_net_keep_resisted(net, s->rest);
}

// Unbalanced load of a body over the tolerated one; 1 and less is settled. For a body that does not
// turn, the excess force counts.
static double imbalance(const Settling *s, int body) {
  const double *rest = s->rest + 6 * body;
  double weight = vec3_length(s->weight + 3 * body), radius = s->radius[body];
  double most = fmax(st_step_tunables.settle_settled * weight, BALANCED * s->state[body].force);
  if (!s->moves[body])
    return 0;
  if (!(radius > 0))
    return is_settled(s, body) ? 0 : excess(s, body) / most;
  return hypot(vec3_length(rest), vec3_length(rest + 3) / radius) / most;
}

// Whether there are bodies to move, and moving still improves the balance.
static bool goes_on(Settling *s) {
  double sum = 0;
  for (int b = 0; b < s->body_count; b++) {
    double out = imbalance(s, b);
    sum += out > 1 ? out : 0;
  }
  s->waited = sum < st_step_tunables.settle_progress * s->least ? 0 : s->waited + 1;
  s->least = s->waited == 0 ? sum : s->least;
  return sum > 0 && s->waited < st_step_tunables.settle_patience;
}

// Bodies that turn by more than the thickness relative to another in contact are about to tip over,
// which must happen in simulated time. They go back to the start of the round and are fixed there.
static void stop_tipping(Settling *s, const StSpringNet *net) {
  bool *tips = s->stands; // no longer in use
  memset(tips, 0, (size_t)s->body_count * sizeof(bool));
  for (size_t k = 0; k < s->springs.count; k++) {
    const StSpring *spring = &s->springs.spring[k];
    double apart = st_hold_turned_apart(&s->hold, net, spring, s->moved);
    for (int side = 0; side < 2; side++)
      if (spring->body[side] >= 0 && apart > s->state[spring->body[side]].thickness)
        tips[spring->body[side]] = true;
  }
  st_runtime_any_all(tips, s->body_count);
  for (int b = 0; b < s->body_count; b++)
    if (tips[b] && !s->fixed[b]) {
      s->fixed[b] = true;
      memcpy(s->moved + 6 * b, s->start + 6 * b, 6 * sizeof(double));
    }
}

// Moves all bodies that would be thrown by a Newton step. The contact force is convex along the way
// out, so the step hardly overshoots. False: no step was needed.
static bool move_out(Settling *s) {
  const StSpringNet net = net_of(s);
  bool any = false;
  find_thrown(s, &net);
  for (int b = 0; b < s->body_count; b++) {
    s->moves[b] = s->thrown[b] && !s->fixed[b];
    any = any || s->moves[b];
  }
  if (!any)
    return false;
  st_spring_net_find_held(&net, s->stands);
  st_spring_net_begin(&net);
  find_unbalanced(s, &net);
  if (!goes_on(s))
    return false;
  st_spring_net_solve(&net, s->rest, s->shift);
  shorten_shifts(s, &net);
  memcpy(s->start, s->moved, 6 * (size_t)s->body_count * sizeof(double));
  for (int i = 0; i < 6 * s->body_count; i++)
    s->moved[i] += s->shift[i];
  if (s->hold.on)
    stop_tipping(s, &net);
  return true;
}

// Limits the move by ccd: all bodies stop at the first gap that closes.
static StStatus shorten_move(Settling *s, const StState *state, StError *error) {
  const StInstant now = {state->time, state->time, 1};
  StConfiguration from = {now, s->from}, to = {now, s->position};
  double part = 1;
  memcpy(s->from, s->position, 3 * (size_t)s->system->piece->vertex_count * sizeof(double));
  place(s, state);
  StStatus status = st_contacts_limit(s->system->contact_cache->set, &from, &to, &part);
  ST_TRY(st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error));
  st_runtime_min_all(&part, 1);
  for (int i = 0; i < 6 * s->body_count && part < 1; i++)
    s->moved[i] = s->start[i] + part * (s->moved[i] - s->start[i]);
  return ST_OK;
}

// Reports the bodies that were moved. With primitives no body moves relative to another by more
// than the contact's thickness, which is not worth a report.
static void report(const Settling *s, const StLog *log) {
  for (int b = 0; b < s->body_count && !by_primitives(s); b++) {
    double moved = length_of(s, b, s->moved + 6 * b);
    if (moved > 0)
      st_log(log, ST_WARNING,
             "body \"%s\" starts pressed against what it touches: it was moved out by %.3g m, so "
             "that contact does not throw it",
             s->system->description->body[b].name, moved);
  }
}

// Reports squeezed bodies: others press on them from two sides with far more than all weights
// together, because there is less room around them than the contact's thickness. They cannot be
// moved out.
static void report_squeezed(const Settling *s, const StLog *log) {
  double weight = 0;
  for (int b = 0; b < s->body_count; b++)
    weight += s->fixed[b] ? 0 : vec3_length(s->weight + 3 * b);
  for (int b = 0; b < s->body_count && by_primitives(s); b++) {
    const StBodyForces *state = &s->state[b];
    bool balanced = vec3_length(s->force + 6 * b) < 0.5 * state->force;
    if (s->fixed[b] || !balanced || state->least > st_contact_tunables.stiffness_loose ||
        !(state->force > st_step_tunables.settle_squeezed * weight))
      continue;
    st_log(
        log, ST_WARNING,
        "body \"%s\" starts squeezed: what surrounds it is closer (%.3g m) than the thickness of "
        "contact (%.3g m), which presses on it with %.3g N in all, and friction may hold it; if "
        "that is not meant, leave wider gaps or set a smaller \"thickness\"",
        s->system->description->body[b].name, state->least * state->thickness, state->thickness,
        state->force);
  }
}

static StStatus move_all(Settling *s, const StState *state, StError *error) {
  s->least = INFINITY;
  s->waited = 0;
  for (int round = 0; round < st_step_tunables.settle_rounds && move_out(s); round++) {
    if (by_primitives(s))
      ST_TRY(shorten_move(s, state, error));
    ST_TRY(find_forces(s, state, error));
  }
  return ST_OK;
}

// Bodies are first shifted, which makes room wherever gaps are too small. They are turned
// afterwards, by so little that friction is assumed to hold them meanwhile.
static StStatus turn_all(Settling *s, const StState *state, StError *error) {
  if (!by_primitives(s))
    return ST_OK;
  memcpy(s->radius, s->turning, (size_t)s->body_count * sizeof(double));
  st_hold_begin(&s->hold, s->moved);
  return move_all(s, state, error);
}

static StStatus settle(Settling *s, StState *state, const StLog *log, StError *error) {
  st_description_mark_held(s->system->description, s->fixed);
  weigh(s, state->time);
  find_centres(s, state);
  memcpy(s->from, state->position, (size_t)state->size * sizeof(double));
  place(s, state);
  st_contact_state_begin(s->system->contacts, s->system->contact_state, state->time, s->position);
  ST_TRY(find_forces(s, state, error));
  fix_overlapping(s);
  ST_TRY(move_all(s, state, error));
  ST_TRY(turn_all(s, state, error));
  report(s, log);
  report_squeezed(s, log);
  place(s, state);
  memcpy(state->position, s->position, (size_t)state->size * sizeof(double));
  return ST_OK;
}

StStatus st_settle(const StSystem *system, StState *state, const StLog *log, StError *error) {
  if (!system->contacts)
    return ST_OK;
  Settling *s = ST_OWNER(Settling);
  ST_TRY(st_runtime_agree(s ? ST_OK : st_fail_memory(error), error));
  s->system = system;
  s->body_count = system->description->body_count;
  StStatus status = st_runtime_agree(make_room(s) ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = settle(s, state, log, error);
  destroy(s);
  return status;
}
