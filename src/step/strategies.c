// The table of strategies to solve a stage.
// Tested by tests/robustness/test_pushed.c.
#include "step/strategies.h"

#include "base/memory.h"
#include "step/guess.h"
#include "step/pseudo_time.h"
#include "step/tunables.h"

#include <math.h>

static StStatus run_newton(StSolving *solving, StNewtonOptions options, StError *error) {
  if (options.max_iterations > solving->allowance)
    options.max_iterations = solving->allowance;
  StStatus status = st_newton_solve(&solving->stage->problem, solving->linear, &options,
                                    solving->unknown, solving->residual, &solving->newton, error);
  solving->options.start = (StNewtonStart){0}; // `unknown` is not the evaluated guess any more
  solving->effort.newton += solving->newton.iterations;
  solving->effort.linear += solving->newton.linear_iterations;
  solving->effort.evaluations += solving->newton.evaluations;
  solving->effort.uphill += solving->newton.uphill;
  solving->allowance -= solving->newton.iterations;
  return status;
}

static const StContacts *contacts_of(const StSolving *solving) {
  return solving->stage->system->contacts;
}

static bool always(const StSolving *solving) {
  (void)solving;
  return true;
}

static bool has_shells(const StSolving *solving) {
  return solving->stage->system->triangle_count > 0;
}

static bool friction_falls(const StSolving *solving) {
  return st_contacts_next_ease(contacts_of(solving), ST_EASE_PEAK, 0) > 0;
}

static bool friction_jumps(const StSolving *solving) {
  return st_contacts_next_ease(contacts_of(solving), ST_EASE_JUMP, 0) > 0;
}

static StStatus descend(StSolving *solving, StNewtonOptions options, double share, StError *error) {
  options.descent = true;
  options.max_iterations = (int)ceil(share * options.max_iterations);
  return run_newton(solving, options, error);
}

StStatus st_strategies_descend(StSolving *solving, const StNewtonOptions *options, StError *error) {
  return descend(solving, *options, st_step_tunables.contact_iterations, error);
}

// Cloth buckles at every fold. The residual then has local minima that are not solutions, at which
// Newton's method with a search on its norm ends.
static StStatus by_descent(StSolving *solving, StError *error) {
  return descend(solving, solving->options, st_step_tunables.descent_iterations, error);
}

static StStatus by_newton(StSolving *solving, StError *error) {
  return run_newton(solving, solving->options, error);
}

// Newton's method, which gives up early with shells, because descent is the next strategy for them.
static StStatus quickly(StSolving *solving, StError *error) {
  StNewtonOptions options = solving->options;
  options.impatient = has_shells(solving);
  return run_newton(solving, options, error);
}

// Solves with friction whose sticking speeds are `ease` times as large, and so are the tolerances.
static StStatus with_eased_friction(StSolving *solving, double ease, StError *error) {
  StContactState *state = solving->stage->system->contact_state;
  StNewtonOptions options = solving->options;
  options.start = (StNewtonStart){0}; // the guess was evaluated with other friction
  options.residual_tolerance *= ease;
  options.change_tolerance *= ease;
  st_contact_state_ease(state, ease);
  StStatus status = run_newton(solving, options, error);
  st_contact_state_ease(state, 0);
  return status;
}

static StStatus from_eased(StSolving *solving, StEasing easing, StError *error) {
  const StContacts *contacts = contacts_of(solving);
  for (double ease = 0; (ease = st_contacts_next_ease(contacts, easing, ease)) > 0;)
    ST_TRY(with_eased_friction(solving, ease, error));
  return by_newton(solving, error);
}

// The first solution puts each contact on the right side of the peak, sticking or sliding.
static StStatus past_peak(StSolving *solving, StError *error) {
  return from_eased(solving, ST_EASE_PEAK, error);
}

static StStatus by_easing(StSolving *solving, StError *error) {
  return from_eased(solving, ST_EASE_JUMP, error);
}

typedef struct Strategy {
  StRung rung;
  bool (*fits)(const StSolving *solving);
  StStatus (*solve)(StSolving *solving, StError *error);
  double share; // fraction of the current velocity in the first guess
} Strategy;

// The last strategy has the real friction, so that a failure is reported with it.
static const Strategy STRATEGIES[] = {
    {ST_RUNG_NEWTON, always, quickly, 1},          {ST_RUNG_DESCENT, has_shells, by_descent, 1},
    {ST_RUNG_PATIENT, has_shells, by_newton, 1},   {ST_RUNG_STEADY, friction_falls, past_peak, 1},
    {ST_RUNG_EASED, friction_jumps, by_easing, 0}, {ST_RUNG_SLOWER, always, by_newton, 0},
};

static void guess(StSolving *solving, const StState *state, double share) {
  if (share == 1) {
    st_guess_trend(solving, state);
    return;
  }
  solving->options.start = (StNewtonStart){0};
  st_guess_velocity(solving, state, share);
  st_stage_unknown(solving->stage, solving->guess, solving->unknown);
}

// Where the domain has a limit (solve/problem.h), a line search on the residual's norm would end at
// it. No other strategy than descent solved one of hundreds of failed steps; a smaller step does.
static StStatus solve_limited(StSolving *solving, const StState *state, StError *error) {
  ST_TRY(st_guess_free(solving, state));
  StStatus status = st_strategies_descend(solving, &solving->options, error);
  if (status != ST_NOT_SOLVED || solving->least_period == 0)
    return status;
  ST_TRY(st_guess_free(solving, state));
  return st_pseudo_time_solve(solving, error);
}

StStatus st_strategies_solve(StSolving *solving, const StState *state, StError *error) {
  StStatus status = ST_NOT_SOLVED;
  if (solving->stage->problem.limit)
    return solve_limited(solving, state, error);
  for (int i = 0; i < ST_LENGTH(STRATEGIES) && status == ST_NOT_SOLVED; i++) {
    const Strategy *strategy = &STRATEGIES[i];
    if (!strategy->fits(solving) || (i > 0 && solving->allowance <= 0))
      continue;
    guess(solving, state, strategy->share);
    status = strategy->solve(solving, error);
    if (status == ST_OK && strategy->rung > solving->rung)
      solving->rung = strategy->rung;
  }
  return status;
}
