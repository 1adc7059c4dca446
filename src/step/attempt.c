// Runs the stages of one step.
// Tested by tests/order/test_order.c.
#include "step/attempt.h"

#include "base/memory.h"
#include "step/guess.h"

#include <string.h>

// Fraction of the step by which it ends before its end time: a time window or a keyframe that
// starts at the end time belongs to the next step.
static const double JUST_BEFORE = 1e-9;

double st_attempt_instant(double h, double end) {
  return end - JUST_BEFORE * h;
}

StStatus st_attempt_create(StStageProblem *stage, StAttempt **result, StError *error) {
  StAttempt *attempt = ST_OWNER(StAttempt);
  ST_TRY_MEMORY(attempt, error);
  size_t size = 3 * (size_t)stage->system->piece->owned_count;
  StSolving *solving = &attempt->solving;
  solving->stage = stage;
  double **array[] = {&attempt->position,    &attempt->velocity,     &attempt->solved,
                      &attempt->stage_force, &attempt->solved_first, &solving->unknown,
                      &solving->residual,    &solving->guess,        &solving->guess_residual,
                      &solving->moving};
  for (int i = 0; i < ST_LENGTH(array); i++)
    *array[i] = ST_OWN(attempt, double, size);
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    solving->warm_starts.place[k].position = ST_OWN(attempt, double, size);
  ST_TRY(st_owner_give(attempt, result, error));
  ST_TRY(st_work_create(stage->system, &attempt->work, error));
  ST_TRY(st_turning_create(stage, &attempt->turning, error));
  ST_TRY(st_impact_create(stage, &attempt->impact, error));
  return st_angular_create(stage, &attempt->angular, error);
}

void st_attempt_destroy(StAttempt *attempt) {
  if (!attempt)
    return;
  st_work_destroy(attempt->work);
  st_turning_destroy(attempt->turning);
  st_impact_destroy(attempt->impact);
  st_angular_destroy(attempt->angular);
  st_owner_free(attempt);
}

// The stage problem's buffers hold the point of the last residual, which may not be the solution.
static StStatus evaluate_stage(StAttempt *attempt, StError *error) {
  StSolving *solving = &attempt->solving;
  StProblem *problem = &solving->stage->problem;
  StStatus status = problem->residual(problem->context, solving->unknown, 1, solving->residual);
  return status == ST_OK ? ST_OK : st_fail(error, status, "the stage's solution is not admissible");
}

// Adds the work of the force at the start of a step, if the method uses that force.
static StStatus add_work_at_start(StAttempt *attempt, const StState *state, double share, double h,
                                  StError *error) {
  StStageProblem *stage = attempt->solving.stage;
  StPoint at;
  if (share == 0)
    return ST_OK;
  if (st_stage_evaluate_state(stage, state, &at) != ST_OK) {
    attempt->solving.newton = (StNewtonResult){.reason = ST_NEWTON_BAD_START};
    return ST_NOT_SOLVED;
  }
  return st_work_add(attempt->work, &at, stage->force, share, h, error);
}

static StStatus add_work_of_stage(StAttempt *attempt, double share, double h, StError *error) {
  const StStageProblem *stage = attempt->solving.stage;
  StPoint at = st_stage_point(stage, stage->time);
  return st_work_add(attempt->work, &at, stage->force, share, h, error);
}

// The trend of velocities for the first guess: from the last step to this one, or from this step to
// its first stage.
static StTrend find_trend(const StAttempt *attempt, const StState *state, const StPlan *plan,
                          int k) {
  const StStage *stage = plan->method->stage;
  if (k > 0)
    return (StTrend){attempt->velocity, state->velocity, stage[k].instant / stage[0].instant - 1};
  if (state->h_before > 0)
    return (StTrend){state->velocity, state->velocity_before,
                     stage[0].instant * plan->h / state->h_before};
  return (StTrend){0};
}

// Stores the solution, or the last iterate of Newton's method, and adds it to the warm starts.
static void take_result(StAttempt *attempt, const StState *state, double arrival) {
  StStageProblem *stage = attempt->solving.stage;
  st_stage_result(stage, attempt->solving.unknown, attempt->position, attempt->velocity);
  st_boundary_apply(attempt->boundary, state->time, arrival, attempt->position, NULL);
  st_piece_follow_owned(stage->system->piece, attempt->position);
  memcpy(st_warm_starts_add(&attempt->solving.warm_starts, stage->time, stage->ah),
         attempt->position, (size_t)state->size * sizeof(double));
}

// Changes the velocities of bodies that met in the step, so that they rebound.
static StStatus rebound(StAttempt *attempt, const StState *state, double h, StError *error) {
  const StStageProblem *stage = attempt->solving.stage;
  StPoint at = st_stage_point(stage, stage->time);
  attempt->rebound_work = 0;
  return st_impact_apply(attempt->impact, &at, state, h, attempt->velocity, &attempt->rebound_work,
                         error);
}

static StStage stage_of(const StState *state, const StPlan *plan, int k) {
  double ratio = state->h_before > 0 ? plan->h / state->h_before : 1;
  return st_integrator_stage(plan->method, k, ratio);
}

static bool is_last(const StPlan *plan, int k) {
  return k == plan->method->stage_count - 1;
}

// When a stage leaves its prescribed positions.
static double arrival_of(const StState *state, const StPlan *plan, int k) {
  return is_last(plan, k) ? plan->end : state->time + stage_of(state, plan, k).instant * plan->h;
}

void st_attempt_begin_stage(StAttempt *attempt, const StState *state, const StPlan *plan, int k) {
  StStageProblem *stage = attempt->solving.stage;
  StStage row = stage_of(state, plan, k);
  double arrival = arrival_of(state, plan, k);
  double time = is_last(plan, k) ? st_attempt_instant(plan->h, plan->end) : arrival;
  StStageKnown known = {state, attempt->position, attempt->velocity, attempt->stage_force};
  StStageTimes times = {state->time, time, arrival, row.shift * plan->h, plan->h};
  st_stage_predict(stage, plan->method, &row, &known, plan->h);
  if (plan->method->turns)
    st_stage_predict_rotation(stage, attempt->turning, attempt->boundary,
                              &(StTurningStep){state, &row, plan->h});
  st_stage_prepare(stage, attempt->boundary, state->position, &times);
}

StStatus st_attempt_end_stage(StAttempt *attempt, const StState *state, const StPlan *plan, int k,
                              StError *error) {
  StStageProblem *stage = attempt->solving.stage;
  StStage row = stage_of(state, plan, k);
  StTurningStep turning = {state, &row, plan->h};
  bool last = is_last(plan, k);
  size_t bytes = (size_t)state->size * sizeof(double);
  take_result(attempt, state, arrival_of(state, plan, k));
  memcpy(attempt->solved, attempt->velocity, bytes);
  if (k == 0)
    memcpy(attempt->solved_first, attempt->velocity, bytes);
  if (plan->method->turns)
    st_turning_finish(attempt->turning, stage, &turning, attempt->solving.residual,
                      attempt->position, attempt->velocity);
  bool groups = plan->method->turns && st_angular_has_groups(attempt->angular);
  if (!last || attempt->impact || attempt->work->rubs || st_work_possible(attempt->work) ||
      groups) {
    ST_TRY(evaluate_stage(attempt, error));
    memcpy(attempt->stage_force, stage->force, bytes);
  }
  if (last && attempt->impact && !plan->method->statics)
    ST_TRY(rebound(attempt, state, plan->h, error));
  if (!plan->method->turns)
    return ST_OK;
  StPoint at = st_stage_point(stage, stage->time);
  StAngularStep step = {state,           &row, plan->h, attempt->position, groups ? &at : NULL,
                        attempt->turning};
  return st_angular_restore(attempt->angular, &step, attempt->velocity, error);
}

// Solves one stage: its result is in position and velocity, with its force. ST_NOT_SOLVED: there is
// none.
static StStatus run_stage(StAttempt *attempt, const StState *state, const StPlan *plan, int k,
                          StError *error) {
  st_attempt_begin_stage(attempt, state, plan, k);
  attempt->solving.trend = find_trend(attempt, state, plan, k);
  ST_TRY(st_strategies_solve(&attempt->solving, state, error));
  return st_attempt_end_stage(attempt, state, plan, k, error);
}

static StStatus run_stages(StAttempt *attempt, const StState *state, const StPlan *plan,
                           StError *error) {
  const StIntegrator *method = plan->method;
  StImpulse impulse = st_integrator_impulse(method);
  bool working = st_work_begin(attempt->work, st_integrator_may_gain(method));
  attempt->solving.rung = ST_RUNG_NEWTON;
  attempt->done = (StWorkDone){0};
  if (working)
    ST_TRY(add_work_at_start(attempt, state, impulse.start, plan->h, error));
  st_linear_begin_step(attempt->solving.linear);
  for (int k = 0; k < method->stage_count; k++) {
    ST_TRY(run_stage(attempt, state, plan, k, error));
    if (working)
      ST_TRY(add_work_of_stage(attempt, impulse.stage[k], plan->h, error));
  }
  if (working)
    attempt->done = st_work_total(attempt->work, attempt->solving.stage->scale, state,
                                  attempt->position, attempt->velocity, plan->h);
  attempt->done.work += attempt->rebound_work;
  return ST_OK;
}

StStatus st_attempt_run(StAttempt *attempt, const StState *state, const StPlan *plan,
                        StError *error) {
  StStatus status = run_stages(attempt, state, plan, error);
  ST_TRY(st_contact_cache_check(attempt->solving.stage->system->contact_cache, error));
  return status;
}
