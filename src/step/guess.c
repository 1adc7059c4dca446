// First guesses, and the choice of the one with the smallest residual.
#include "step/guess.h"

#include "solve/rigid_modes.h"
#include "solve/search.h"
#include "solve/runtime.h"
#include "step/tunables.h"

#include <math.h>
#include <string.h>

// The best guess so far: `unknown` is the guess, `residual` its residual.
typedef struct Choice {
  StSolving *solving;
  bool moves;   // there is prescribed motion in this stage, …
  bool arrived; // … and the guess has it at its end
  double norm;  // see `square_of`; infinite: no guess has been evaluated
  double speed; // m/s, the largest of the same part of the residual
} Choice;

// The velocity that leads to these positions at the end of the stage.
static void take_velocity(StSolving *solving, const double *position, double *velocity) {
  const StStageProblem *stage = solving->stage;
  for (int i = 0; i < stage->problem.size; i++)
    velocity[i] = (position[i] - stage->start[i]) / stage->ah;
}

void st_guess_velocity(StSolving *solving, const StState *state, double share) {
  const StStageProblem *stage = solving->stage;
  for (int i = 0; i < state->size; i++) {
    double stay = (state->position[i] - stage->start[i]) / stage->ah;
    solving->guess[i] = share * state->velocity[i] + (1 - share) * stay;
  }
}

// Square of a residual's norm without the strain of rigid bodies, which one iteration corrects
// however large it is. `moving` gets the remaining residual.
static double square_of(StSolving *solving, const double *r) {
  const StProblem *problem = &solving->stage->problem;
  double *moving = solving->moving;
  memcpy(moving, r, (size_t)problem->size * sizeof(double));
  st_rigid_modes_project(problem, problem->position, moving);
  return st_search_dot(problem, moving, moving);
}

// Compares `guess` with the best one so far, and takes it if it is better.
static bool is_better(Choice *choice, double progress) {
  StSolving *solving = choice->solving;
  const StProblem *problem = &solving->stage->problem;
  solving->effort.evaluations++;
  double *r = solving->guess_residual;
  if (problem->residual(problem->context, solving->guess, progress, r) != ST_OK)
    return false;
  double norm = square_of(solving, r);
  if (!(norm < choice->norm))
    return false;
  choice->norm = norm;
  choice->speed = st_search_magnitude(problem, solving->moving);
  choice->arrived = progress == 1;
  solving->guess_residual = solving->residual;
  solving->residual = r;
  memcpy(solving->unknown, solving->guess, (size_t)problem->size * sizeof(double));
  return true;
}

static void extrapolate(StSolving *solving, const StState *state) {
  const StTrend *trend = &solving->trend;
  for (int i = 0; i < state->size; i++)
    solving->guess[i] = trend->newer[i] + trend->ahead * (trend->newer[i] - trend->older[i]);
}

// The residual tolerance of the solution is relative to the residual of the current velocity,
// whichever guess is chosen.
void st_guess_trend(StSolving *solving, const StState *state) {
  const StProblem *problem = &solving->stage->problem;
  Choice choice = {.solving = solving, .norm = INFINITY};
  solving->options.start = (StNewtonStart){0};
  st_guess_velocity(solving, state, 1);
  st_stage_unknown(solving->stage, solving->guess, solving->guess);
  memcpy(solving->unknown, solving->guess, (size_t)problem->size * sizeof(double));
  if (!solving->trend.newer || !is_better(&choice, 1))
    return;
  double usual = st_search_magnitude(problem, solving->residual);
  extrapolate(solving, state);
  st_stage_unknown(solving->stage, solving->guess, solving->guess);
  bool extrapolated = is_better(&choice, 1);
  solving->options.start =
      (StNewtonStart){.evaluated = true, .extrapolated = extrapolated, .usual_residual = usual};
}

// Considers staying in place. It becomes the guess if there is no other one, even where it is
// outside the domain.
static void consider_staying(Choice *choice, const StState *state) {
  StSolving *solving = choice->solving;
  StStageProblem *stage = solving->stage;
  take_velocity(solving, state->position, solving->guess);
  st_stage_unknown(stage, solving->guess, solving->guess);
  if (isinf(choice->norm))
    memcpy(solving->unknown, solving->guess, (size_t)stage->problem.size * sizeof(double));
  is_better(choice, choice->moves ? 0 : 1);
}

typedef enum Path {
  STRAIGHT,
  ROUND, // along arcs; rigid bodies keep their shape, others deform as before
  STIFF, // along arcs; all bodies keep their shape
} Path;

// Removes the strain of soft bodies from a path that begins at `stay`. Returns whether the strain's
// speed was above the tolerance.
static bool take_strain(StSolving *solving, const double *stay, double *way) {
  StStageProblem *stage = solving->stage;
  const StProblem *problem = &stage->problem;
  double *strain = solving->moving;
  memcpy(strain, way, (size_t)problem->size * sizeof(double));
  st_stage_take_strain(stage, stay, way);
  for (int i = 0; i < problem->size; i++)
    strain[i] -= way[i];
  return st_search_magnitude(problem, strain) > solving->options.residual_tolerance;
}

// Bends a path into arcs, because the velocities of the last step are those of chords, which would
// strain bodies that turn. False: a stiff path would be the same as the round one.
static bool bend(StSolving *solving, const StState *state, const double *stay, Path path,
                 double *way) {
  StStageProblem *stage = solving->stage;
  st_rigid_modes_project(&stage->problem, state->position, way);
  bool differs = path != STIFF || take_strain(solving, stay, way);
  if (differs)
    stage->problem.retract(stage, stay, way);
  return differs;
}

// Makes a path from the start of the step to the velocity in `guess`, which becomes an unknown.
// *part: the fraction of the path that is free; 0: the path was considered before.
static StStatus look_along(Choice *choice, const StState *state, Path path, double *part) {
  StSolving *solving = choice->solving;
  StStageProblem *stage = solving->stage;
  const StProblem *problem = &stage->problem;
  double *stay = solving->guess_residual, *way = solving->guess;
  take_velocity(solving, state->position, stay);
  st_stage_unknown(stage, stay, stay);
  st_stage_unknown(stage, way, way);
  for (int i = 0; i < problem->size; i++)
    way[i] -= stay[i];
  *part = 0;
  if (path != STRAIGHT && !bend(solving, state, stay, path, way))
    return ST_OK;
  ST_TRY(problem->limit(stage, stay, choice->moves ? 0 : 1, way, part));
  for (int i = 0; i < problem->size; i++)
    way[i] += stay[i];
  return ST_OK;
}

static StStatus consider_arcs(Choice *choice, const StState *state, Path path) {
  double part;
  ST_TRY(look_along(choice, state, path, &part));
  if (part == 1)
    is_better(choice, 1);
  return ST_OK;
}

static bool has_bodies(const StSolving *solving, bool rigid) {
  const StDescription *description = solving->stage->system->description;
  for (int b = 0; b < description->body_count; b++)
    if (description->body[b].rigid == rigid)
      return true;
  return false;
}

// Considers the extrapolated velocity, with which rigid bodies change their velocity as in the last
// step. Such paths of soft bodies are rarely free.
static StStatus consider_trend(Choice *choice, const StState *state) {
  StSolving *solving = choice->solving;
  if (!solving->trend.newer || !has_bodies(solving, true))
    return ST_OK;
  extrapolate(solving, state);
  return consider_arcs(choice, state, ROUND);
}

// Whether the guess is good enough to skip the others. Staying in place leaves about the momentum
// as residual, so the momentum is the measure; bodies at rest have none, so for them it is the
// tolerance.
static bool is_good(const Choice *choice, const StState *state) {
  const StStageProblem *stage = choice->solving->stage;
  double square = 0;
  if (isinf(choice->norm) || choice->speed <= choice->solving->options.residual_tolerance)
    return isfinite(choice->norm);
  for (int i = 0; i < stage->problem.size; i++)
    if (stage->scale[i] > 0)
      square += stage->system->piece->mass[i / 3] * state->velocity[i] * state->velocity[i];
  return choice->norm <= st_step_tunables.guess_good * st_runtime_sum(square);
}

// Considers the current velocity. If the guess is not good yet, it is considered again with all
// bodies keeping their shape: that is better for a soft body that vibrates faster than steps can
// follow, or turned far in the last step.
static StStatus consider_going_on(Choice *choice, const StState *state) {
  StSolving *solving = choice->solving;
  st_guess_velocity(solving, state, 1);
  ST_TRY(consider_arcs(choice, state, ROUND));
  if (choice->speed <= solving->options.residual_tolerance || !has_bodies(solving, false))
    return ST_OK;
  st_guess_velocity(solving, state, 1);
  return consider_arcs(choice, state, STIFF);
}

// Considers a warm start. At another time prescribed motion is elsewhere, and the path may no
// longer be free.
static StStatus consider_warm_start(Choice *choice, const StState *state, int k) {
  StSolving *solving = choice->solving;
  const StWarmStarts *warm = &solving->warm_starts;
  double part = 1;
  take_velocity(solving, warm->place[k].position, solving->guess);
  if (choice->moves && warm->place[k].time != solving->stage->time)
    ST_TRY(look_along(choice, state, STRAIGHT, &part));
  else
    st_stage_unknown(solving->stage, solving->guess, solving->guess);
  if (part == 1)
    is_better(choice, 1);
  return ST_OK;
}

// Index of the solution of the same stage in a rejected attempt; -1: there is none.
static int find_same_stage(const StWarmStarts *warm, const StStageProblem *stage) {
  for (int k = 0; k < warm->count; k++)
    if (warm->place[k].time == stage->time && warm->place[k].ah == stage->ah)
      return k;
  return -1;
}

static StStatus consider_all(Choice *choice, const StState *state) {
  const StWarmStarts *warm = &choice->solving->warm_starts;
  int same = find_same_stage(warm, choice->solving->stage);
  if (same >= 0)
    ST_TRY(consider_warm_start(choice, state, same));
  if (isfinite(choice->norm))
    return ST_OK;
  ST_TRY(consider_trend(choice, state));
  if (warm->count == 0 && is_good(choice, state))
    return ST_OK;
  consider_staying(choice, state);
  ST_TRY(consider_going_on(choice, state));
  for (int k = 0; k < warm->count; k++)
    ST_TRY(consider_warm_start(choice, state, k));
  return ST_OK;
}

StStatus st_guess_free(StSolving *solving, const StState *state) {
  Choice choice = {solving, st_stage_moves(solving->stage), false, INFINITY, INFINITY};
  ST_TRY(consider_all(&choice, state));
  solving->options.start = (StNewtonStart){.evaluated = isfinite(choice.norm),
                                           .continued = choice.moves && !choice.arrived};
  return ST_OK;
}

double *st_warm_starts_add(StWarmStarts *warm, double time, double ah) {
  double *room = warm->place[ST_WARM_STARTS_MOST - 1].position;
  memmove(warm->place + 1, warm->place, (ST_WARM_STARTS_MOST - 1) * sizeof warm->place[0]);
  warm->place[0].position = room;
  warm->place[0].time = time;
  warm->place[0].ah = ah;
  if (warm->count < ST_WARM_STARTS_MOST)
    warm->count++;
  return room;
}
