// The table of strategies to solve a stage.
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
  solving->options.start = (StNewtonStart){0}; // `unknown` is not the evaluated guess any more
  solving->effort.newton += solving->newton.iterations;
  solving->effort.linear += solving->newton.linear_iterations;
  solving->effort.evaluations += solving->newton.evaluations;
  solving->effort.uphill += solving->newton.uphill;
  solving->allowance -= solving->newton.iterations;
  return status;
}

// Whether contact limits steps. A line search on the residual's norm would end at that limit, so
// every solve is then a descent.
static bool is_limited(const StSolving *solving) {
  return solving->stage->problem.limit != NULL;
}

static bool has_shells(const StSolving *solving) {
  return solving->stage->system->triangle_count > 0;
}

static bool buckles(const StSolving *solving) {
  return has_shells(solving) && !is_limited(solving);
}

// Whether easing friction may help. Where contact limits steps it solved none of hundreds of failed
// steps: a smaller step is better there.
static bool has_friction(const StSolving *solving) {
  const StContacts *contacts = solving->stage->system->contacts;
  return contacts && !is_limited(solving) && st_contacts_have_friction(contacts);
}

static bool friction_falls(const StSolving *solving) {
  const StContacts *contacts = solving->stage->system->contacts;
  return contacts && !is_limited(solving) && st_contacts_friction_falls(contacts);
}

static bool always(const StSolving *solving) {
  (void)solving;
  return true;
}

// Whether another first guess is left to try.
static bool has_other_guess(const StSolving *solving) {
  return !is_limited(solving);
}

// Iterations that a descent may take, as a multiple of the scene's.
static double descent_share(const StSolving *solving) {
  return is_limited(solving) ? st_step_tunables.contact_iterations
                             : st_step_tunables.descent_iterations;
}

// Cloth buckles at every fold. The residual then has local minima that are not solutions, at which
// Newton's method with a search on its norm ends.
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

// Newton's method, which gives up early with shells, because descent is the next strategy for them.
static StStatus quickly(StSolving *solving, StError *error) {
  StNewtonOptions options = solving->options;
  options.impatient = has_shells(solving);
  if (is_limited(solving))
    return by_descent(solving, error);
  return run_newton(solving, options, error);
}

// Solves with friction whose sticking speeds are `width` times as large, and so are the tolerances.
static StStatus with_eased_friction(StSolving *solving, double width, StError *error) {
  StNewtonOptions options = solving->options;
  options.start = (StNewtonStart){0}; // the guess was evaluated with other friction
  options.residual_tolerance *= width;
  options.change_tolerance *= width;
  st_stage_ease_friction(solving->stage, width);
  StStatus status = run_newton(solving, options, error);
  st_stage_ease_friction(solving->stage, 0);
  return status;
}

// For friction that falls with speed. It is first solved with friction that does not fall, which
// puts each contact on the right side of the peak, sticking or sliding; then with the real
// friction.
static StStatus past_peak(StSolving *solving, StError *error) {
  ST_TRY(with_eased_friction(solving, 1, error));
  return by_newton(solving, error);
}

// Far from the solution friction jumps at every contact, and the line search takes tiny steps.
// Large sticking speeds make it smooth. They are reduced step by step, and each solution is the
// next guess.
static StStatus by_easing(StSolving *solving, StError *error) {
  for (double width = st_step_tunables.ease_widest; width > 1;
       width *= st_step_tunables.ease_narrowing)
    ST_TRY(with_eased_friction(solving, width, error));
  return past_peak(solving, error);
}

typedef struct Strategy {
  StRung rung;
  bool (*fits)(const StSolving *solving);
  StStatus (*solve)(StSolving *solving, StError *error);
  double share; // fraction of the current velocity in the first guess
} Strategy;

// The last strategy has the real friction, so that a failure is reported with it.
static const Strategy STRATEGIES[] = {
    {ST_RUNG_NEWTON, always, quickly, 1},        {ST_RUNG_DESCENT, buckles, by_descent, 1},
    {ST_RUNG_PATIENT, buckles, by_newton, 1},    {ST_RUNG_STEADY, friction_falls, past_peak, 1},
    {ST_RUNG_EASED, has_friction, by_easing, 0}, {ST_RUNG_SLOWER, has_other_guess, by_newton, 0},
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
