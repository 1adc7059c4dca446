// The stages of one step.
#include "step/attempt.h"

#include "base/memory.h"

#include <string.h>

// A step ends just before the instant it ends on: a window of acceleration that closes then, or a
// keyframe that turns a motion, belongs to the next step. As a fraction of the step.
static const double JUST_BEFORE = 1e-9;

// Sticking speeds of eased friction: the first, over the true ones, and from one to the next.
static const double WIDEST = 1e4, NARROWING = 0.3;

double st_attempt_instant(double h, double end) {
  return end - JUST_BEFORE * h;
}

StStatus st_attempt_create(int size, StAttempt **result, StError *error) {
  StAttempt *attempt = ST_NEW(StAttempt, 1);
  if (!attempt)
    return st_fail_memory(error);
  double **array[] = {&attempt->position, &attempt->velocity, &attempt->stage_force,
                      &attempt->unknown,  &attempt->residual, &attempt->guess};
  for (int i = 0; i < ST_LENGTH(array); i++)
    if (!(*array[i] = ST_NEW(double, size))) {
      st_attempt_destroy(attempt);
      return st_fail_memory(error);
    }
  *result = attempt;
  return ST_OK;
}

void st_attempt_destroy(StAttempt *attempt) {
  if (!attempt)
    return;
  free(attempt->position);
  free(attempt->velocity);
  free(attempt->stage_force);
  free(attempt->unknown);
  free(attempt->residual);
  free(attempt->guess);
  free(attempt);
}

// A two-step method has no step before the first one: it borrows another method for it.
static const StIntegrator *method_for(const StAttempt *attempt, const StState *state) {
  const StIntegrator *integrator = attempt->integrator;
  bool first = integrator->two_step && (state->h_before == 0 || state->forgetful);
  return first ? st_integrator_find(integrator->start) : integrator;
}

bool st_attempt_needs_force(const StAttempt *attempt) {
  for (int i = 0; i < attempt->integrator->stage_count; i++)
    if (attempt->integrator->stage[i].force_now != 0)
      return true;
  return false;
}

// q*, v* and G of a stage from what is known.
static void predict(StAttempt *attempt, const StState *state, const StStage *row, double h) {
  StStageProblem *stage = attempt->stage;
  for (int i = 0; i < state->size; i++) {
    stage->start[i] =
        row->now * state->position[i] + row->before * state->position_before[i] +
        row->stage * attempt->position[i] +
        h * (row->drift_now * state->velocity[i] + row->drift_stage * attempt->velocity[i]);
    stage->goal[i] = row->now * state->velocity[i] + row->before * state->velocity_before[i] +
                     row->stage * attempt->velocity[i];
    stage->history[i] =
        row->force_now * state->force[i] + row->force_stage * attempt->stage_force[i];
  }
}

// A velocity between the current one (share 1) and the one that leaves every vertex where the step
// found it (share 0), which no element can object to.
static void guess_velocity(StAttempt *attempt, const StState *state, double share) {
  const StStageProblem *stage = attempt->stage;
  for (int i = 0; i < state->size; i++) {
    double stay = (state->position[i] - stage->start[i]) / stage->ah;
    attempt->guess[i] = share * state->velocity[i] + (1 - share) * stay;
  }
}

static StStatus run_newton(StAttempt *attempt, const StNewtonOptions *options, StError *error) {
  StStatus status = st_newton_solve(&attempt->stage->problem, attempt->linear, options,
                                    attempt->unknown, attempt->residual, &attempt->newton, error);
  attempt->newton_iterations += attempt->newton.iterations;
  attempt->linear_iterations += attempt->newton.linear_iterations;
  return status;
}

static StStatus solve_plainly(StAttempt *attempt, StError *error) {
  return run_newton(attempt, &attempt->options, error);
}

// Cloth buckles at every fold, and Newton's residual then has its smallest value where no solution
// is.
static StStatus solve_by_descent(StAttempt *attempt, StError *error) {
  StNewtonOptions options = attempt->options;
  if (attempt->stage->system->triangle_count == 0)
    return ST_NOT_SOLVED;
  options.descent = true;
  return run_newton(attempt, &options, error);
}

static StStatus solve_quickly(StAttempt *attempt, StError *error) {
  StNewtonOptions options = attempt->options;
  options.impatient = attempt->stage->system->triangle_count > 0;
  return run_newton(attempt, &options, error);
}

// Where descent fails, too: as plainly as without shells, with sturdier linear solvers.
static StStatus solve_sturdily(StAttempt *attempt, StError *error) {
  bool new_way = attempt->stage->system->triangle_count > 0;
  return new_way ? solve_plainly(attempt, error) : ST_NOT_SOLVED;
}

// With friction whose sticking speeds are `width` times as large, as exactly as that deserves.
static StStatus solve_eased(StAttempt *attempt, double width, StError *error) {
  StContacts *contacts = attempt->stage->system->contacts;
  StNewtonOptions options = attempt->options;
  options.velocity_tolerance *= width;
  options.change_tolerance *= width;
  st_contacts_ease_friction(contacts, width);
  StStatus status = run_newton(attempt, &options, error);
  st_contacts_ease_friction(contacts, 0);
  return status;
}

// Where friction falls with speed: first with friction that does not, which leaves each contact on
// the right side of the hump, sticking or sliding; then as it is.
static StStatus solve_past_hump(StAttempt *attempt, StError *error) {
  const StContacts *contacts = attempt->stage->system->contacts;
  if (!contacts || !st_contacts_friction_falls(contacts))
    return ST_NOT_SOLVED;
  ST_TRY(solve_eased(attempt, 1, error));
  return solve_plainly(attempt, error);
}

// Far from the solution friction is a wall at every contact, and the line search creeps along them
// all. Wide sticking speeds make slopes of the walls; narrowed step by step, each solution is the
// next one's guess.
static StStatus solve_by_easing(StAttempt *attempt, StError *error) {
  const StContacts *contacts = attempt->stage->system->contacts;
  if (!contacts || !st_contacts_have_friction(contacts))
    return ST_NOT_SOLVED;
  for (double width = WIDEST; width > 1; width *= NARROWING)
    ST_TRY(solve_eased(attempt, width, error));
  ST_TRY(solve_eased(attempt, 1, error));
  return solve_plainly(attempt, error);
}

// Newton from the current velocity, and if that fails with easier friction first, or from more
// careful guesses. Plainly at last, so that a failure is told of friction as it is.
static StStatus solve_stage(StAttempt *attempt, const StState *state, StError *error) {
  static const struct {
    StStatus (*solve)(StAttempt *attempt, StError *error);
    double share;
  } plan[] = {{solve_quickly, 1},   {solve_by_descent, 1}, {solve_sturdily, 1},
              {solve_past_hump, 1}, {solve_by_easing, 0},  {solve_plainly, 0.25},
              {solve_past_hump, 0}, {solve_by_easing, 1},  {solve_plainly, 0}};
  StStatus status = ST_NOT_SOLVED;
  for (int i = 0; i < ST_LENGTH(plan) && status == ST_NOT_SOLVED; i++) {
    guess_velocity(attempt, state, plan[i].share);
    st_stage_unknown(attempt->stage, attempt->guess, attempt->unknown);
    status = plan[i].solve(attempt, error);
  }
  return status;
}

// The stage problem's buffers hold the point of the last residual, which need not be the solution.
static StStatus evaluate_stage_force(StAttempt *attempt, StError *error) {
  StStageProblem *stage = attempt->stage;
  StStatus status =
      stage->problem.residual(stage->problem.context, attempt->unknown, attempt->residual);
  if (status != ST_OK)
    return st_fail(error, status, "the stage's solution is not admissible");
  size_t bytes = (size_t)stage->problem.size * sizeof(double);
  memcpy(attempt->stage_force, stage->force, bytes);
  return ST_OK;
}

StStatus st_attempt_run(StAttempt *attempt, const StState *state, double h, double end,
                        StError *error) {
  const StIntegrator *method = method_for(attempt, state);
  double ratio = state->h_before > 0 ? h / state->h_before : 1;
  attempt->newton_iterations = attempt->linear_iterations = 0;
  st_linear_begin_step(attempt->linear);
  for (int k = 0; k < method->stage_count; k++) {
    StStage row = st_integrator_stage(method, k, ratio);
    bool last = k == method->stage_count - 1;
    double time = last ? st_attempt_instant(h, end) : state->time + row.instant * h;
    predict(attempt, state, &row, h);
    st_stage_prepare(attempt->stage, attempt->boundary, state->time, time, row.shift * h, h);
    ST_TRY(solve_stage(attempt, state, error));
    st_stage_result(attempt->stage, attempt->unknown, attempt->position, attempt->velocity);
    if (last)
      time = end;
    st_boundary_apply(attempt->boundary, state->time, time, attempt->position, NULL);
    if (!last)
      ST_TRY(evaluate_stage_force(attempt, error));
  }
  return ST_OK;
}
