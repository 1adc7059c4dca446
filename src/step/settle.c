// Moves pressed bodies out, all together: what is lifted lifts what stands on it.
#include "step/settle.h"

#include "base/memory.h"
#include "contact/pressing.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "step/neighbours.h"
#include "step/spring_net.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

enum { MAX_ROUNDS = 200 };

// A body is settled when the excess contact force is below this fraction of its weight.
static const double SETTLED = 0.01;
// Forces from two sides cancel up to this fraction of them.
static const double BALANCED = 1e-9;
// Of the thickness: larger gaps hardly touch; …
static const double FREE = 0.99;
// … deeper ones overlap, and contact pushes them out over time.
static const double ROUND_OFF = 1e-6;
// A body is squeezed by gaps below this fraction of the thickness, if they press with more than so
// many times the weight of all bodies that move.
static const double LOOSE = 0.9, SQUEEZED = 10;

typedef struct Settling {
  const StSystem *system;
  int body_count;
  bool *fixed;       // [bodies] must not move
  bool *thrown;      // [bodies] must move, because contact would throw them
  bool *moves;       // [bodies] thrown and not fixed
  bool *stands;      // [bodies] on something that does not move, or on others that do
  double *weight;    // [bodies][3] N
  double *force;     // [bodies][3] N, contact force
  double *direction; // [bodies][3] of that
  double *shift;     // [bodies][3] m, of one round
  double *room;      // [bodies][10]
  StSpringList springs;
  StPressing *state; // [bodies]
  double *way;       // [bodies][3] m, total displacement
  double *start;     // [bodies][3] m, the same before the current move
  double *position;  // [vertex_count][3]
  double *from;      // [vertex_count][3] the same before the current move
} Settling;

static bool make_room(Settling *s) {
  size_t bodies = (size_t)s->body_count;
  s->fixed = ST_NEW(bool, bodies);
  s->thrown = ST_NEW(bool, bodies);
  s->moves = ST_NEW(bool, bodies);
  s->stands = ST_NEW(bool, bodies);
  s->weight = ST_NEW(double, 28 * bodies);
  s->state = ST_NEW(StPressing, bodies);
  s->position = ST_NEW(double, 3 * (size_t)s->system->piece->vertex_count);
  s->from = ST_NEW(double, 3 * (size_t)s->system->piece->vertex_count);
  if (!s->fixed || !s->thrown || !s->moves || !s->stands || !s->weight || !s->state ||
      !s->position || !s->from)
    return false;
  s->force = s->weight + 3 * bodies;
  s->direction = s->force + 3 * bodies;
  s->way = s->direction + 3 * bodies;
  s->start = s->way + 3 * bodies;
  s->shift = s->start + 3 * bodies;
  s->room = s->shift + 3 * bodies;
  return true;
}

static void free_room(Settling *s) {
  st_touches_moved(s->system->touches, s->position);
  free(s->fixed);
  free(s->thrown);
  free(s->moves);
  free(s->stands);
  free(s->springs.spring);
  free(s->weight);
  free(s->state);
  free(s->position);
  free(s->from);
}

static void over_ranks(double *values, int count, MPI_Op operation) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, operation, st_communicator());
}

static int body_of(const StDescription *description, int vertex) {
  int body = 0;
  for (; vertex >= description->body[body].mesh->vertex_count; body++)
    vertex -= description->body[body].mesh->vertex_count;
  return body;
}

void st_settle_mark_held(const StDescription *description, bool *held) {
  for (int b = 0; b < description->boundary_count; b++)
    for (int i = 0; i < description->boundary[b].vertex_count; i++)
      held[body_of(description, description->boundary[b].vertex[i])] = true;
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
  over_ranks(s->weight, 3 * s->body_count, MPI_SUM);
}

static void place(Settling *s, const StState *state) {
  const StPiece *piece = s->system->piece;
  memcpy(s->position, state->position, (size_t)state->size * sizeof(double));
  for (int v = 0; v < piece->owned_count; v++)
    vec3_add_scaled(1, s->way + 3 * piece->body[v], s->position + 3 * v);
  if (st_neighbours_cover(s->system, (const double *[]){s->position, s->from}, 2))
    st_exchange_forward(s->system->exchange, s->from);
  st_exchange_forward(s->system->exchange, s->position);
  st_touches_moved(s->system->touches, s->position);
}

// Contact forces on each body at its current position.
static StStatus find_forces(Settling *s, const StState *state, StError *error) {
  int bodies = s->body_count;
  place(s, state);
  const StTouchSet *set = st_touches_at(s->system->touches, state->time, s->position, 0);
  ST_TRY(st_runtime_agree(set->status == ST_OK ? ST_OK : st_fail_memory(error), error));
  memset(s->force, 0, 3 * (size_t)bodies * sizeof(double));
  st_pressing_forces(set, s->force);
  over_ranks(s->force, 3 * bodies, MPI_SUM);
  for (int b = 0; b < bodies; b++) {
    double length = vec3_length(s->force + 3 * b);
    for (int c = 0; c < 3; c++)
      s->direction[3 * b + c] = length > 0 ? s->force[3 * b + c] / length : 0;
    s->state[b] = (StPressing){.least = INFINITY};
  }
  bool good = st_pressing_springs(set, &s->springs);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  st_pressing_states(set, s->weight, s->state);
  for (int b = 0; b < bodies; b++) {
    over_ranks(&s->state[b].least, 1, MPI_MIN);
    over_ranks(&s->state[b].energy, 1, MPI_SUM);
    over_ranks(&s->state[b].force, 1, MPI_SUM);
    over_ranks(&s->state[b].carrying, 1, MPI_SUM);
    over_ranks(&s->state[b].thickness, 1, MPI_MAX);
  }
  return ST_OK;
}

// Contact force on a body beyond its weight, N; 0: none.
static double excess(const Settling *s, int body) {
  double pressing = vec3_length(s->force + 3 * body);
  double load = -vec3_dot(s->weight + 3 * body, s->direction + 3 * body);
  return fmax(pressing - fmax(load, 0), 0);
}

static void fix_overlapping(Settling *s) {
  for (int b = 0; b < s->body_count; b++)
    s->fixed[b] |= s->state[b].least < -ROUND_OFF;
}

static bool is_settled(const Settling *s, int body) {
  const StPressing *state = &s->state[body];
  double weight = vec3_length(s->weight + 3 * body);
  return excess(s, body) <= fmax(SETTLED * weight, BALANCED * state->force) || state->least > FREE;
}

// Bodies that contact would throw higher than its own thickness. One that is pressed from two sides
// is thrown only when one side is free: what presses against a thrown body is thrown with it.
static void find_thrown(Settling *s) {
  bool *follows = s->stands; // not in use yet
  for (int b = 0; b < s->body_count; b++) {
    const StPressing *state = &s->state[b];
    double load = vec3_length(s->force + 3 * b) - excess(s, b);
    s->thrown[b] |= !is_settled(s, b) && state->energy > load * state->thickness;
    follows[b] = state->energy > vec3_length(s->weight + 3 * b) * state->thickness;
  }
  st_spring_net_spread(s->springs.spring, s->springs.count, follows, s->body_count, s->thrown);
}

// No body moves by more than the thickness at once: its touches tell nothing of what is beyond.
static void shorten_shifts(Settling *s) {
  for (int b = 0; b < s->body_count; b++) {
    double length = vec3_length(s->shift + 3 * b), most = s->state[b].thickness;
    for (int c = 0; c < 3 && length > most; c++)
      s->shift[3 * b + c] *= most / length;
  }
}

// What is out of balance on the bodies that move: contact, and of their weight what stands on
// something. Of those that hang in the air, only what presses them apart.
static void find_unbalanced(const Settling *s, const bool *stands, double *force) {
  for (int b = 0; b < s->body_count; b++) {
    double weight = vec3_length(s->weight + 3 * b);
    double part = weight > 0 && stands[b] ? fmin(s->state[b].carrying / weight, 1) : 0;
    for (int c = 0; c < 3; c++)
      force[3 * b + c] = s->force[3 * b + c] + part * s->weight[3 * b + c];
  }
}

// A Newton step for all bodies that would be thrown. Contact's force is convex along the way out,
// so that it hardly overshoots. False: none was needed.
static bool move_out(Settling *s) {
  bool unsettled = false;
  double *force = s->start; // not in use yet
  find_thrown(s);
  for (int b = 0; b < s->body_count; b++) {
    s->moves[b] = s->thrown[b] && !s->fixed[b];
    unsettled = unsettled || (s->moves[b] && !is_settled(s, b));
  }
  if (!unsettled)
    return false;
  st_spring_net_find_held(s->springs.spring, s->springs.count, s->moves, s->body_count, s->stands);
  find_unbalanced(s, s->stands, force);
  st_spring_net_solve(s->springs.spring, s->springs.count, s->moves, s->body_count, force, s->shift,
                      s->room);
  shorten_shifts(s);
  memcpy(s->start, s->way, 3 * (size_t)s->body_count * sizeof(double));
  for (int i = 0; i < 3 * s->body_count; i++)
    s->way[i] += s->shift[i];
  return true;
}

static bool by_primitives(const Settling *s) {
  return s->system->description->contact_settings.method == ST_CONTACT_PRIMITIVES;
}

// Bodies must not pass through each other: all stop at the first gap that closes.
static StStatus shorten_move(Settling *s, const StState *state, StError *error) {
  const StInstant now = {state->time, state->time, 1};
  StConfiguration from = {now, s->from}, to = {now, s->position};
  double part = 1;
  memcpy(s->from, s->position, 3 * (size_t)s->system->piece->vertex_count * sizeof(double));
  place(s, state);
  StStatus status = st_contacts_limit(s->system->touches->set, &from, &to, &part);
  ST_TRY(st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error));
  over_ranks(&part, 1, MPI_MIN);
  for (int i = 0; i < 3 * s->body_count && part < 1; i++)
    s->way[i] = s->start[i] + part * (s->way[i] - s->start[i]);
  return ST_OK;
}

// With primitives no body moves by more than the contact's thickness relative to another: not worth
// reporting.
static void report(const Settling *s, const StLog *log) {
  for (int b = 0; b < s->body_count && !by_primitives(s); b++) {
    double way = vec3_length(s->way + 3 * b);
    if (way > 0)
      st_log(log, ST_WARNING,
             "body \"%s\" starts pressed against what it touches: it was moved out by %.3g m, so "
             "that contact does not throw it",
             s->system->description->body[b].name, way);
  }
}

// Bodies that others press from two sides with far more than all weights together, because there
// is less room around them than the contact's thickness. They cannot be moved out.
static void report_squeezed(const Settling *s, const StLog *log) {
  double weight = 0;
  for (int b = 0; b < s->body_count; b++)
    weight += s->fixed[b] ? 0 : vec3_length(s->weight + 3 * b);
  for (int b = 0; b < s->body_count && by_primitives(s); b++) {
    const StPressing *state = &s->state[b];
    bool balanced = vec3_length(s->force + 3 * b) < 0.5 * state->force;
    if (s->fixed[b] || !balanced || state->least > LOOSE || !(state->force > SQUEEZED * weight))
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

static StStatus settle(Settling *s, StState *state, const StLog *log, StError *error) {
  st_settle_mark_held(s->system->description, s->fixed);
  weigh(s, state->time);
  memcpy(s->from, state->position, (size_t)state->size * sizeof(double));
  place(s, state);
  st_contact_state_begin(s->system->contacts, s->system->contact_state, state->time, s->position);
  ST_TRY(find_forces(s, state, error));
  fix_overlapping(s);
  for (int round = 0; round < MAX_ROUNDS && move_out(s); round++) {
    if (by_primitives(s))
      ST_TRY(shorten_move(s, state, error));
    ST_TRY(find_forces(s, state, error));
  }
  report(s, log);
  report_squeezed(s, log);
  place(s, state);
  memcpy(state->position, s->position, (size_t)state->size * sizeof(double));
  return ST_OK;
}

StStatus st_settle(const StSystem *system, StState *state, const StLog *log, StError *error) {
  if (!system->contacts)
    return ST_OK;
  Settling s = {.system = system, .body_count = system->description->body_count};
  StStatus status = make_room(&s) ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    status = settle(&s, state, log, error);
  free_room(&s);
  return status;
}
