// A stage's residual, and the ways that lead to its root.
#include "step/stage.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "step/neighbours.h"
#include "step/rigidity.h"
#include "step/rounding.h"
#include "step/stage_matrix.h"
#include "step/ties.h"

#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

enum { COORDINATES_AT_ONCE = 8192 };

// A loop over coordinates that threads share; none depends on another.
typedef struct Sweep {
  StStageProblem *stage;
  const double *from;
  double *to;
  atomic_bool moved;
} Sweep;

static void share(Sweep *sweep, int first, int end, StCrewSweep work) {
  st_crew_sweep(sweep->stage->system->crew, first, end, COORDINATES_AT_ONCE, work, sweep);
}

static void place_some(void *context, int begin, int end) {
  Sweep *sweep = context;
  StStageProblem *stage = sweep->stage;
  bool moved = false;
  for (int i = begin; i < end; i++) {
    double before = stage->position[i];
    stage->position[i] = stage->start[i] + stage->ah * stage->velocity[i];
    if (stage->scale[i] == 0 && stage->progress < 1)
      stage->position[i] += (1 - stage->progress) * (stage->origin[i] - stage->position[i]);
    moved |= !(stage->position[i] == before);
  }
  if (moved)
    atomic_store(&sweep->moved, true);
}

// Positions of some coordinates for their velocities; true: they are others than before.
// Prescribed coordinates may still be on their way.
static bool place(StStageProblem *stage, int first, int end) {
  Sweep sweep = {.stage = stage};
  share(&sweep, first, end, place_some);
  return atomic_load(&sweep.moved);
}

static void take_velocities(void *context, int begin, int end) {
  Sweep *sweep = context;
  StStageProblem *stage = sweep->stage;
  for (int i = begin; i < end; i++)
    stage->velocity[i] = stage->held[i] + stage->scale[i] * sweep->from[i];
}

// Ghosts that had no place in what was exchanged before.
static void exchange_new_ghosts(StStageProblem *stage) {
  size_t owned = (size_t)st_stage_owned_size(stage),
         all = 3 * (size_t)stage->system->piece->vertex_count;
  double *array[] = {stage->start, stage->scale, stage->origin, stage->from};
  for (int i = 0; i < ST_LENGTH(array); i++)
    st_exchange_forward(stage->system->exchange, array[i]);
  memset(stage->direction + owned, 0, (all - owned) * sizeof(double)); // who left says nothing
}

// Positions and velocities of all local vertices for y; only velocities travel between ranks.
// from: NULL, or positions from which there is to be a way.
static void move_on(StStageProblem *stage, const double *from, const double *y) {
  const double *ends[] = {stage->position, from};
  const StPiece *piece = stage->system->piece;
  share(&(Sweep){.stage = stage, .from = y}, 0, st_stage_unknown_size(stage), take_velocities);
  bool moved = place(stage, 0, st_stage_unknown_size(stage));
  if (stage->system->neighbours)
    st_piece_follow_owned(piece, stage->position);
  if (st_neighbours_cover(stage->system, ends, from ? 2 : 1))
    exchange_new_ghosts(stage);
  st_exchange_forward(stage->system->exchange, stage->velocity);
  moved |= place(stage, st_stage_owned_size(stage), 3 * piece->ghost_end);
  st_piece_follow_awake(piece, stage->velocity);
  if (!moved)
    return;
  st_piece_follow_awake(piece, stage->position);
  st_contact_cache_moved(stage->system->contact_cache, stage->position);
}

static void move_to(StStageProblem *stage, const double *y) {
  move_on(stage, NULL, y);
}

static StInstant instant(const StStageProblem *stage, double time) {
  return (StInstant){stage->step_start, time, stage->progress + stage->lead};
}

StPoint st_stage_point(const StStageProblem *stage, double time) {
  return (StPoint){.time = time,
                   .position = stage->position,
                   .velocity = stage->velocity,
                   .contact_set =
                       st_contact_cache_on_way(stage->system->contact_cache, instant(stage, time),
                                               stage->position, stage->friction_ease)};
}

static void take_residual(void *context, int begin, int end) {
  Sweep *sweep = context;
  StStageProblem *stage = sweep->stage;
  const double *mass = stage->system->piece->mass;
  for (int i = begin; i < end; i++) {
    double momentum = mass[i / 3] * (stage->velocity[i] - stage->goal[i]);
    double impulse = stage->ah * stage->force[i] + stage->h * stage->history[i];
    sweep->to[i] = stage->scale[i] * (momentum - impulse);
  }
  for (int i = begin; i < end && stage->parking->any; i++)
    if (stage->parking->row[i / 3])
      sweep->to[i] = stage->parking->residual[i];
}

// The residual at the stage's present position and velocity.
static StStatus residual_here(StStageProblem *stage, double *r) {
  StPoint at = st_stage_now(stage);
  ST_TRY(st_system_total_force(stage->system, &at, stage->contact_weight, stage->force,
                               &stage->trouble));
  share(&(Sweep){.stage = stage, .to = r}, 0, st_stage_unknown_size(stage), take_residual);
  return ST_OK;
}

static void note_parked(StStageProblem *stage, bool released) {
  const StParking *parking = stage->parking;
  if (released) // contacts between them are missing
    st_contact_cache_moved(stage->system->contact_cache, stage->position);
  stage->problem.frozen = stage->system->piece->parked = parking->any ? parking->row : NULL;
  st_contact_cache_park(stage->system->contact_cache, parking->any ? parking->skin : NULL);
}

static void freeze(void *context, const bool *row, const double *r) {
  StStageProblem *stage = context;
  if (row || stage->parking->any)
    note_parked(stage, st_parking_set(stage->parking, row, r));
}

// What touches parked islands here is known only once they are released; then they may touch
// others.
static void release_touched(StStageProblem *stage) {
  while (stage->parking->any) {
    StPoint at = st_stage_now(stage);
    if (!st_parking_release_touched(stage->parking, stage->islands, &at.contact_set->now))
      return;
    note_parked(stage, true);
  }
}

static StStatus residual(void *context, const double *y, double progress, double *r) {
  StStageProblem *stage = context;
  stage->progress = progress;
  move_to(stage, y);
  release_touched(stage);
  return residual_here(stage, r);
}

// r once more, from positions and velocities that differ in their last place.
static StStatus round_off(void *context, const double *y, const double *r, double *noise) {
  StStageProblem *stage = context;
  const StPiece *piece = stage->system->piece;
  freeze(stage, NULL, NULL);
  stage->progress = 1;
  move_to(stage, y);
  for (int i = 0; i < piece->vertex_count; i++) {
    st_round_differently(stage->position + 3 * i, piece->vertex_id[i], 0);
    st_round_differently(stage->velocity + 3 * i, piece->vertex_id[i], 1);
  }
  st_contact_cache_moved(stage->system->contact_cache, stage->position);
  ST_TRY(residual_here(stage, stage->result));
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    stage->result[i] -= r[i];
  *noise = st_problem_magnitude(&stage->problem, stage->result);
  return ST_OK;
}

bool st_stage_moves(const StStageProblem *stage) {
  const StSystem *system = stage->system;
  int moving = system->contacts && !system->contacts->still;
  for (int i = 0; i < st_stage_unknown_size(stage) && !moving; i++)
    moving =
        stage->scale[i] == 0 && stage->held[i] * stage->ah + stage->start[i] != stage->origin[i];
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &moving, 1, MPI_INT, MPI_LOR, st_communicator());
  return moving;
}

// As far as elements keep their orientation on the way.
static double limit_of_forces(const StStageProblem *stage) {
  const StSystem *system = stage->system;
  double part = 1;
  for (int i = 0; i < system->force_count; i++) {
    const StForce *force = &system->force[i];
    if (force->type->limit)
      part = fmin(part, force->type->limit(force->data, stage->from, stage->position));
  }
  return part;
}

// p NULL: only what is prescribed moves.
static void set_out(StStageProblem *stage, const double *y, const double *p, StConfiguration *from,
                    StConfiguration *to) {
  const StPiece *piece = stage->system->piece;
  double progress = stage->progress;
  *from = (StConfiguration){instant(stage, stage->time), stage->from};
  *to = (StConfiguration){{stage->step_start, stage->time, 1}, stage->position};
  move_to(stage, y);
  memcpy(stage->from, stage->position, 3 * (size_t)piece->vertex_count * sizeof(double));
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    stage->direction[i] = y[i] + (p ? p[i] : 0);
  stage->progress = 1;
  move_on(stage, stage->from, stage->direction);
  stage->progress = progress;
}

static StStatus limit(void *context, const double *y, double progress, const double *p,
                      double *part) {
  StStageProblem *stage = context;
  StConfiguration from, to;
  stage->progress = progress;
  set_out(stage, y, p, &from, &to);
  *part = 1;
  if (stage->system->contact_cache) {
    StStatus status = st_contact_cache_limit(stage->system->contact_cache, &from, &to, part);
    ST_TRY(st_runtime_agree(status, NULL));
  }
  *part = fmin(*part, limit_of_forces(stage));
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, part, 1, MPI_DOUBLE, MPI_MIN, st_communicator());
  return ST_OK;
}

static void take_way(void *context, int begin, int end) {
  Sweep *sweep = context;
  StStageProblem *stage = sweep->stage;
  for (int i = begin; i < end; i++) {
    double velocity = stage->held[i] + stage->scale[i] * sweep->from[i];
    stage->from[i] = stage->start[i] + stage->ah * velocity;
    stage->direction[i] = stage->ah * stage->scale[i] * sweep->to[i];
  }
}

static void give_way(void *context, int begin, int end) {
  Sweep *sweep = context;
  const StStageProblem *stage = sweep->stage;
  for (int i = begin; i < end; i++)
    if (stage->scale[i] > 0)
      sweep->to[i] = stage->direction[i] / (stage->ah * stage->scale[i]);
}

static void change_way(StStageProblem *stage, const double *y, double *p,
                       void (*change)(StArc *, const double *, const double *, double *)) {
  Sweep sweep = {.stage = stage, .from = y, .to = p};
  share(&sweep, 0, st_stage_unknown_size(stage), take_way);
  change(stage->arc, stage->from, stage->scale, stage->direction);
  share(&sweep, 0, st_stage_unknown_size(stage), give_way);
}

static void retract(void *context, const double *y, double *p) {
  change_way(context, y, p, st_arc_bend);
}

void st_stage_take_strain(StStageProblem *stage, const double *y, double *p) {
  change_way(stage, y, p, st_arc_take_strain);
}

// Islands whose ways cross are joined, so that rounds end; few take more than some.
enum { MOST_ROUNDS = 40 };

// The matrix tells what is coupled, on one rank and where nothing else does; without contact
// nothing is in the way of anything.
static bool knows_islands(const StStageProblem *stage) {
  return stage->system->contact_cache && st_runtime_size() == 1 && !stage->matrix_free &&
         stage->problem.coupling_count == 0;
}

static int find_islands(void *context, bool merge, int *island) {
  StStageProblem *stage = context;
  size_t bytes = (size_t)st_stage_unknown_size(stage) / 3 * sizeof(int);
  if (!knows_islands(stage)) {
    memset(island, 0, bytes);
    return 1;
  }
  if (merge)
    st_islands_merge(stage->islands, &st_stage_now(stage).contact_set->now);
  else
    st_islands_find(stage->islands, st_system_unknown_matrix(stage->system));
  memcpy(island, stage->islands->of, bytes);
  return stage->islands->count;
}

static StStatus limit_islands(void *context, const double *y, const double *way, double *length,
                              double *p, bool *free) {
  StStageProblem *stage = context;
  StIslands *islands = stage->islands;
  bool whole = true;
  *free = false;
  stage->progress = 1;
  st_islands_send(islands, length);
  for (int round = 0; round < MOST_ROUNDS && whole && !*free; round++) {
    StConfiguration from, to;
    st_islands_apply(islands, way, p);
    retract(stage, y, p);
    set_out(stage, y, p, &from, &to);
    ST_TRY(st_contact_cache_hits(stage->system->contact_cache, &from, &to, &stage->hits, &whole));
    *free = whole && stage->hits.count == 0;
    if (!*free)
      st_islands_shorten(islands, &stage->hits);
  }
  *free = *free && limit_of_forces(stage) == 1;
  memcpy(length, islands->factor, (size_t)islands->count * sizeof(double));
  return ST_OK;
}

// Obstacles have to go on a little to see what that changes: little against the gaps they may
// close.
static const double NUDGE = 1e-5;

static StStatus drive_by_obstacles(StStageProblem *stage, const double *y, const double *r,
                                   double *rhs) {
  double part = 1;
  ST_TRY(limit(stage, y, stage->progress, NULL, &part));
  double nudge = NUDGE * part;
  stage->lead = nudge * (1 - stage->progress);
  StStatus status = residual(stage, y, stage->progress, stage->result);
  stage->lead = 0;
  for (int i = 0; i < st_stage_unknown_size(stage) && status == ST_OK; i++)
    rhs[i] -= (stage->result[i] - r[i]) / nudge;
  return status;
}

// Vertices that are led go a way that is large against gaps: what that changes has to be exact, or
// those they touch are sent through them.
static void drive_by_boundary(StStageProblem *stage, const double *y, double *rhs) {
  const StSystem *system = stage->system;
  move_to(stage, y);
  for (int i = 0; i < 3 * system->piece->vertex_count; i++) {
    double end = stage->start[i] + stage->ah * stage->velocity[i];
    stage->direction[i] = stage->scale[i] == 0 ? end - stage->position[i] : 0;
  }
  st_piece_follow(system->piece, stage->direction);
  memset(stage->result, 0, 3 * (size_t)system->piece->vertex_count * sizeof(double));
  StPoint at = st_stage_now(stage);
  for (int i = 0; i < system->force_count; i++)
    system->force[i].type->add_product(system->force[i].data, &at,
                                       -st_stage_weight(stage, &system->force[i]), 0,
                                       stage->direction, stage->result);
  st_carried_hand_on(&system->piece->carried, stage->result);
  st_exchange_reverse(system->exchange, stage->result);
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    rhs[i] += stage->scale[i] * stage->result[i];
}

static StStatus add_tangent(void *context, const double *y, double progress, const double *r,
                            double *rhs) {
  StStageProblem *stage = context;
  stage->progress = progress;
  if (stage->system->contacts && !stage->system->contacts->still)
    ST_TRY(drive_by_obstacles(stage, y, r, rhs));
  drive_by_boundary(stage, y, rhs);
  return ST_OK;
}

static StStatus linearise(void *context, const double *y, double progress, const double *shift) {
  StStageProblem *stage = context;
  size_t bytes = (size_t)st_stage_unknown_size(stage) / 3 * sizeof(double);
  if (!y) {
    st_stage_reshift(stage, shift);
    return ST_OK;
  }
  stage->progress = progress;
  if (shift)
    memcpy(stage->shift, shift, bytes);
  else
    memset(stage->shift, 0, bytes);
  move_to(stage, y);
  stage->filled = stage->coupled = false;
  return ST_OK;
}

// Stiffens contact that is new in an iterate.
static StStatus update(void *context, bool *changed, StError *error) {
  StStageProblem *stage = context;
  StPoint at = st_stage_point(stage, stage->time);
  *changed = false;
  if (!stage->contact_step || !at.contact_set)
    return ST_OK;
  return st_contact_step_meet(stage->contact_step, at.contact_set, stage->goal, stage->ah, changed,
                              error);
}

static void describe(StStageProblem *stage) {
  const StSystem *system = stage->system;
  const StFolding *folding = system->folding;
  stage->problem = (StProblem){
      .context = stage,
      .size = st_stage_unknown_size(stage),
      .residual = residual,
      .round_off = round_off,
      .linearise = linearise,
      .assemble = st_stage_assemble,
      .product = st_stage_product,
      .coupling_count = st_system_couplings(system),
      .coupling = stage->coupling,
      .coupling_weight = stage->coupling_weight,
      .matrix = st_system_unknown_matrix(system),
      .global = folding ? folding->global : st_exchange_global(system->exchange),
      .global_count = folding ? folding->global_count : st_exchange_global_count(system->exchange),
      .coordinates = system->piece->rest,
      .scale = stage->scale,
      .group_count = stage->frame_count,
      .group = stage->frame,
      .position = stage->position,
  };
  if (st_system_needs_descent(system)) {
    stage->problem.add_tangent = add_tangent;
    stage->problem.limit = limit;
    stage->problem.retract = retract;
    stage->problem.find_islands = find_islands;
    stage->problem.limit_islands = limit_islands;
    stage->problem.freeze = freeze;
    stage->problem.update = update;
  }
}

static StStatus create_arc(const StSystem *system, StArc **arc, StError *error) {
  bool *tied = ST_NEW(bool, system->description->body_count);
  if (!tied)
    return st_fail_memory(error);
  st_ties_mark(system->description, tied);
  StStatus status = st_arc_create(system->piece, system->description->body_count, tied, arc, error);
  free(tied);
  return status;
}

StStatus st_stage_create(StSystem *system, bool matrix_free, StStageProblem **result,
                         StError *error) {
  StStageProblem *stage = ST_NEW(StStageProblem, 1);
  if (!stage)
    return st_fail_memory(error);
  stage->system = system;
  stage->matrix_free = matrix_free;
  stage->contact_weight = 1;
  size_t owned = (size_t)st_stage_owned_size(stage),
         local = 3 * (size_t)system->piece->vertex_count;
  size_t couplings = (size_t)st_system_couplings(system);
  double **owned_array[] = {&stage->history, &stage->held, &stage->shift};
  double **local_array[] = {&stage->goal,     &stage->start,    &stage->origin, &stage->scale,
                            &stage->position, &stage->velocity, &stage->force,  &stage->direction,
                            &stage->result,   &stage->from};
  bool good = true;
  for (int i = 0; i < ST_LENGTH(owned_array); i++)
    good = (*owned_array[i] = ST_NEW(double, owned)) && good;
  for (int i = 0; i < ST_LENGTH(local_array); i++)
    good = (*local_array[i] = ST_NEW(double, local)) && good;
  good = (stage->coupling = ST_NEW(double, couplings *owned)) && good;
  good = (stage->coupling_weight = ST_NEW(double, couplings)) && good;
  StStatus status = good ? create_arc(system, &stage->arc, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = st_islands_create(system->piece, &stage->islands, error);
  if (status == ST_OK)
    status = st_parking_create(system->piece, system->contacts ? system->contacts->skins : NULL,
                               &stage->parking, error);
  if (status == ST_OK)
    status = st_rigidity_find_frames(system, &stage->frame, &stage->frame_count, error);
  if (status != ST_OK) {
    st_stage_destroy(stage);
    return status;
  }
  describe(stage);
  *result = stage;
  return ST_OK;
}

void st_stage_destroy(StStageProblem *stage) {
  if (!stage)
    return;
  double *array[] = {stage->goal,      stage->history,  stage->held,     stage->start,
                     stage->scale,     stage->position, stage->velocity, stage->force,
                     stage->direction, stage->result,   stage->coupling, stage->coupling_weight,
                     stage->origin,    stage->from,     stage->shift};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  st_arc_destroy(stage->arc);
  st_islands_destroy(stage->islands);
  st_parking_destroy(stage->parking);
  st_advance_hits_free(&stage->hits);
  free(stage->frame);
  free(stage);
}

void st_stage_forget_contacts(StStageProblem *stage) {
  stage->keeps_room = false;
}

void st_stage_prepare(StStageProblem *stage, const StBoundary *boundary, double step_start,
                      const double *origin, double time, double arrival, double ah, double h) {
  const StPiece *piece = stage->system->piece;
  stage->time = time;
  stage->step_start = step_start;
  stage->progress = 1;
  memcpy(stage->origin, origin, (size_t)st_stage_owned_size(stage) * sizeof(double));
  stage->ah = ah;
  stage->h = h;
  stage->trouble = (StTrouble){.vertex = -1, .element = -1};
  memset(stage->held, 0, (size_t)st_stage_owned_size(stage) * sizeof(double));
  st_boundary_mask(boundary, step_start, stage->scale);
  st_boundary_apply(boundary, step_start, arrival, stage->start, NULL);
  st_boundary_apply(boundary, step_start, time, NULL, stage->held);
  for (int i = 0; i < st_stage_unknown_size(stage); i++) {
    if (stage->scale[i] == 0)
      stage->start[i] -= ah * stage->held[i];
    else
      stage->scale[i] = 1 / sqrt(piece->mass[i / 3]);
  }
  st_exchange_forward(stage->system->exchange, stage->start);
  st_exchange_forward(stage->system->exchange, stage->scale);
  st_exchange_forward(stage->system->exchange, stage->origin);
  st_exchange_forward(stage->system->exchange, stage->goal);
}

void st_stage_unknown(const StStageProblem *stage, const double *velocity, double *y) {
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    y[i] = stage->scale[i] > 0 ? velocity[i] / stage->scale[i] : 0;
}

void st_stage_result(const StStageProblem *stage, const double *y, double *position,
                     double *velocity) {
  for (int i = 0; i < st_stage_unknown_size(stage); i++) {
    velocity[i] = stage->held[i] + stage->scale[i] * y[i];
    position[i] = stage->start[i] + stage->ah * velocity[i];
  }
  st_piece_follow_owned(stage->system->piece, position);
  st_piece_follow_owned(stage->system->piece, velocity);
}
