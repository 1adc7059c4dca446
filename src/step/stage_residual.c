// A stage's point, its residual there, and the round-off of that.
// Tested by tests/step/test_stage.c.
#include "step/stage_parts.h"

#include "base/memory.h"
#include "step/neighbours.h"

#include <stdatomic.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// A loop over coordinates that threads share; none depends on another.
typedef struct Sweep {
  StStageProblem *stage;
  const double *from;
  double *to;
  atomic_bool moved;
} Sweep;

static void share(Sweep *sweep, int first, int end, StCrewSweep work) {
  st_crew_sweep(sweep->stage->system->crew, first, end, ST_STAGE_COORDINATES, work, sweep);
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

// Positions of some coordinates for their velocities; true: they have changed. Prescribed
// coordinates move from the origin to their goal with progress.
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

// Ghosts that were not exchanged before have no values yet. Products of those that are no longer
// exchanged must be zero.
static void exchange_new_ghosts(StStageProblem *stage) {
  size_t owned = (size_t)st_stage_owned_size(stage),
         all = 3 * (size_t)stage->system->piece->vertex_count;
  double *array[] = {stage->start, stage->scale, stage->origin, stage->from};
  for (int i = 0; i < ST_LENGTH(array); i++)
    st_exchange_forward(stage->system->exchange, array[i]);
  memset(stage->direction + owned, 0, (all - owned) * sizeof(double));
}

// Only velocities travel between ranks.
void st_stage_move(StStageProblem *stage, const double *from, const double *y) {
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

StPoint st_stage_point(const StStageProblem *stage, double time) {
  return (StPoint){.time = time,
                   .position = stage->position,
                   .velocity = stage->velocity,
                   .contact_set =
                       st_contact_cache_at_instant(stage->system->contact_cache,
                                                   st_stage_instant(stage, time), stage->position)};
}

static void take_residual(void *context, int begin, int end) {
  Sweep *sweep = context;
  StStageProblem *stage = sweep->stage;
  const double *mass = stage->system->piece->mass;
  double inertia = st_stage_inertia(stage);
  for (int i = begin; i < end; i++) {
    double momentum = inertia * mass[i / 3] * (stage->velocity[i] - stage->goal[i]);
    double impulse = stage->ah * stage->force[i] + stage->h * stage->history[i];
    sweep->to[i] = stage->scale[i] * (momentum - impulse);
  }
  for (int i = begin; i < end && stage->parking->any; i++)
    if (stage->parking->row[i / 3])
      sweep->to[i] = stage->parking->residual[i];
}

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

void st_stage_freeze(void *context, const bool *row, const double *r) {
  StStageProblem *stage = context;
  if (row || stage->parking->any)
    note_parked(stage, st_parking_set(stage->parking, row, r));
}

// Parked islands that others touch. Their other contacts are found once they are released, and may
// release more.
static void release_touched(StStageProblem *stage) {
  while (stage->parking->any) {
    StPoint at = st_stage_now(stage);
    if (!st_parking_release_touched(stage->parking, stage->islands, &at.contact_set->now))
      return;
    note_parked(stage, true);
  }
}

StStatus st_stage_residual(void *context, const double *y, double progress, double *r) {
  StStageProblem *stage = context;
  stage->progress = progress;
  st_stage_move(stage, NULL, y);
  release_touched(stage);
  return residual_here(stage, r);
}

// A number between -1 and 1 that belongs to a coordinate, whichever rank holds it.
static double random_sign(uint64_t coordinate) {
  uint64_t bits = (coordinate + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93u;
  return (double)(int64_t)(bits ^ (bits >> 32)) * 0x1p-63;
}

// Moves a vertex' coordinates by up to a unit in the last place of the largest, since forces mix
// them. `part` distinguishes positions from velocities.
static void round_differently(double x[3], int vertex, int part) {
  double step = DBL_EPSILON * fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
  for (int c = 0; c < 3; c++)
    x[c] += step * random_sign(6 * (uint64_t)vertex + 3 * (uint64_t)part + (uint64_t)c);
}

// r once more, from positions and velocities that differ in their last place.
StStatus st_stage_round_off(void *context, const double *y, const double *r, double *noise) {
  StStageProblem *stage = context;
  const StPiece *piece = stage->system->piece;
  st_stage_freeze(stage, NULL, NULL);
  stage->progress = 1;
  st_stage_move(stage, NULL, y);
  for (int i = 0; i < piece->vertex_count; i++) {
    round_differently(stage->position + 3 * i, piece->vertex_id[i], 0);
    round_differently(stage->velocity + 3 * i, piece->vertex_id[i], 1);
  }
  st_contact_cache_moved(stage->system->contact_cache, stage->position);
  ST_TRY(residual_here(stage, stage->result));
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    stage->result[i] -= r[i];
  *noise = st_problem_magnitude(&stage->problem, stage->result);
  return ST_OK;
}

// Stiffens contact that is new in an iterate.
StStatus st_stage_update(void *context, bool *changed, StError *error) {
  StStageProblem *stage = context;
  StPoint at = st_stage_point(stage, stage->time);
  *changed = false;
  if (!stage->contact_step || !at.contact_set)
    return ST_OK;
  const double *speed = stage->reach > 0 ? stage->system->still : stage->goal;
  return st_contact_step_meet(stage->contact_step, at.contact_set, speed, stage->ah, changed,
                              error);
}
