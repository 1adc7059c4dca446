// The table of strategies.
// Tested by tests/robustness/test_pushed.c.
#include "step/strategies.h"

#include "base/memory.h"
#include "step/guess.h"
#include "step/tunables.h"

#include <math.h>

static StStatus run_newton(StSolving *solving, StNewtonOptions options, StError *error) {
  if (options.max_iterations > solving->allowance)
    options.max_iterations = solving->allowance;
  StStatus status = st_newton_solve(&solving->stage->problem, solving->linear, &options,
                                    solving->unknown, solving->residual, &solving->newton, error);
  solving->options.start = (StNewtonStart){0}; // `unknown` is no longer that guess
  solving->effort.newton += solving->newton.iterations;
  solving->effort.linear += solving->newton.linear_iterations;
  solving->effort.evaluations += solving->newton.evaluations;
  solving->allowance -= solving->newton.iterations;
  return status;
}

// Where steps are limited, a search on the residual's norm ends at the limit: every solve is then a
// descent.
static bool is_limited(const StSolving *solving) {
  return solving->stage->problem.limit != NULL;
}

static bool has_shells(const StSolving *solving) {
  return solving->stage->system->triangle_count > 0;
}

static bool buckles(const StSolving *solving) {
  return has_shells(solving) && !is_limited(solving);
}

static bool always(const StSolving *solving) {
  (void)solving;
  return true;
}

// Whether another first guess is left to try.
static bool has_other_guess(const StSolving *solving) {
  return !is_limited(solving);
}

// Iterations of a descent, over the scene's.
static double descent_share(const StSolving *solving) {
  return is_limited(solving) ? st_step_tunables.contact_iterations
                             : st_step_tunables.descent_iterations;
}

// Cloth buckles at every fold, and Newton's residual then has its smallest value where no solution
// is.
static StStatus by_descent(StSolving *solving, StError *error) {
  StNewtonOptions options = solving->options;
  options.descent = true;
  options.max_iterations = (int)ceil(descent_share(solving) * options.max_iterations);
  return run_newton(solving, options, error);
}

static StStatus by_newton(StSolving *solving, StError *error) {
  if (is_limited(solving))
    return by_descent(solving, error);
  return run_newton(solving, solving->options, error);
}

// Impatient with shells, for which descent is the next strategy.
static StStatus quickly(StSolving *solving, StError *error) {
  StNewtonOptions options = solving->options;
  options.impatient = has_shells(solving);
  if (is_limited(solving))
    return by_descent(solving, error);
  return run_newton(solving, options, error);
}

typedef struct Strategy {
  StRung rung;
  bool (*fits)(const StSolving *solving);
  StStatus (*solve)(StSolving *solving, StError *error);
  double share; // of the current velocity in the first guess
} Strategy;

static const Strategy STRATEGIES[] = {
    {ST_RUNG_NEWTON, always, quickly, 1},
    {ST_RUNG_DESCENT, buckles, by_descent, 1},
    {ST_RUNG_PATIENT, buckles, by_newton, 1},
    {ST_RUNG_SLOWER, has_other_guess, by_newton, 0},
};

static StStatus guess(StSolving *solving, const StState *state, double share) {
  if (is_limited(solving) && share > 0)
    return st_guess_free(solving, state);
  if (share == 1) {
    st_guess_trend(solving, state);
    return ST_OK;
  }
  solving->options.start = (StNewtonStart){0};
  st_guess_velocity(solving, state, share);
  st_stage_unknown(solving->stage, solving->guess, solving->unknown);
  return ST_OK;
}

StStatus st_strategies_solve(StSolving *solving, const StState *state, StError *error) {
  StStatus status = ST_NOT_SOLVED;
  for (int i = 0; i < ST_LENGTH(STRATEGIES) && status == ST_NOT_SOLVED; i++) {
    const Strategy *strategy = &STRATEGIES[i];
    if (!strategy->fits(solving) || (i > 0 && solving->allowance <= 0))
      continue;
    ST_TRY(guess(solving, state, strategy->share));
    status = strategy->solve(solving, error);
    if (status == ST_OK && strategy->rung > solving->rung)
      solving->rung = strategy->rung;
  }
  return status;
}
