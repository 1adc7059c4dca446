// Newton's method with residual line search.
#include "solve/newton.h"

#include "base/memory.h"
#include "solve/descent.h"
#include "solve/runtime.h"
#include "solve/search.h"
#include "solve/tunables.h"

#include <math.h>

static const double GOLDEN = 1.61803398874989484820; // φ: exponent of the forcing term

const char *st_newton_reason_text(StNewtonReason reason) {
  switch (reason) {
  case ST_NEWTON_CONVERGED: return "converged";
  case ST_NEWTON_BAD_START: return "the first guess is not admissible";
  case ST_NEWTON_TOO_MANY: return "Newton's method ran out of iterations";
  case ST_NEWTON_NO_DESCENT: return "the line search found no smaller residual";
  case ST_NEWTON_TOO_SLOW: return "Newton's iteration makes hardly any progress";
  case ST_NEWTON_LINEAR_FAILED: return "the linear solver failed";
  case ST_NEWTON_BLOCKED: return "the limit of the domain leaves no step";
  }
  return "unknown";
}

// A first guess may be within any fixed tolerance, as in a tiny step of time: without a relative
// test nothing would ever move. The floor keeps the goal above round-off.
static double goal(const StNewtonOptions *options, double first) {
  double usual = fmax(first, options->start.usual_residual);
  double wanted = fmin(options->residual_tolerance, st_solve_tunables.newton_relative_goal * usual);
  return fmax(wanted, st_solve_tunables.newton_smallest_goal * options->residual_tolerance);
}

// Whether many iterations have hardly reduced the norm.
static bool creeps(const StNewtonResult *result) {
  const int span = 15;
  int last = result->norm_count - 1;
  return last >= span && last < ST_NEWTON_HISTORY - 1 &&
         result->norm[last] > 0.9 * result->norm[last - span];
}

static double forcing_term(const StSearch *s, double norm_before) {
  if (!s->options->inexact)
    return 0;
  if (norm_before <= 0)
    return ST_SEARCH_FORCING_LIMIT;
  return fmin(pow(s->norm / norm_before, GOLDEN), ST_SEARCH_FORCING_LIMIT);
}

// Solving far below what ends the iteration is useless. Where Newton's method, which squares its
// error, is about to reach that, a few more linear iterations spare another one of its own.
static double linear_tolerance(const StSearch *s, double forcing, double norm_before) {
  double enough = 0.1 * s->goal / fmax(s->residual, s->goal), last = s->norm / norm_before;
  if (norm_before > 0 && last * last <= st_solve_tunables.newton_within_reach * enough)
    forcing = fmin(forcing, enough);
  return fmax(fmax(forcing, fmin(enough, ST_SEARCH_FORCING_LIMIT)), 1e-12);
}

static bool falls_enough(StSearch *s, double length, double forcing, double *norm) {
  return st_search_try(s, length, norm) &&
         *norm <= (1 - st_solve_tunables.armijo * length * (1 - forcing)) * s->norm;
}

// Backtracks until the residual falls enough, unless round-off hides whether it does. Fills trial
// and t. False when no length helps, or when none is needed because the iterate is the solution
// (*at_solution).
static bool line_search(StSearch *s, StLinear *linear, double forcing, double *length, double *norm,
                        bool *at_solution) {
  *length = 1;
  *norm = INFINITY; // until a trial point is inside the domain
  *at_solution = false;
  for (int cut = 0; cut < ST_SEARCH_MAX_CUTS; cut++, *length *= ST_SEARCH_BACKTRACK) {
    if (falls_enough(s, *length, forcing, norm))
      return true;
    if (cut == 0 && (*at_solution = st_search_stagnated(s)))
      return false;
    if (cut == 0 && isfinite(*norm) && st_search_drowns(s, linear))
      return true;
    s->result->line_search_cuts++;
  }
  return false;
}

static StStatus iterate(StSearch *s, StLinear *linear, StError *error) {
  double norm_before = 0;
  int short_steps = 0; // in a row
  while (!st_search_converged(s)) {
    if (s->result->iterations >= s->options->max_iterations)
      return st_search_stop(s, ST_NEWTON_TOO_MANY);
    if (creeps(s->result))
      return st_search_stop(s, ST_NEWTON_TOO_SLOW);
    double forcing = forcing_term(s, norm_before);
    StStatus status =
        st_search_find_direction(s, linear, linear_tolerance(s, forcing, norm_before), error);
    if (status == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    double length, norm = 0;
    bool at_solution;
    norm_before = s->norm;
    if (!line_search(s, linear, forcing, &length, &norm, &at_solution))
      return st_search_stop(s, at_solution ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT);
    for (int i = 0; i < s->problem->size; i++)
      s->p[i] *= length;
    st_search_accept(s, length, norm);
    short_steps = length <= st_solve_tunables.newton_short ? short_steps + 1 : 0;
    if (s->options->impatient && short_steps == st_solve_tunables.newton_short_steps &&
        !st_search_converged(s))
      return st_search_stop(s, ST_NEWTON_TOO_SLOW);
  }
  return st_search_stop(s, ST_NEWTON_CONVERGED);
}

// A first residual that is no number counts as one outside the domain.
static StStatus start(StSearch *s) {
  const StProblem *problem = s->problem;
  s->limit = 1;
  s->progress = s->options->start.continued ? 0 : 1;
  if (!s->options->start.evaluated) {
    s->result->evaluations++;
    StStatus status = problem->residual(problem->context, s->y, s->progress, s->r);
    if (status == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_BAD_START);
    ST_TRY(status);
  }
  st_search_measure(s);
  s->goal = goal(s->options, s->residual);
  st_search_note_norm(s->result, s->norm);
  bool finite = isfinite(s->norm) && isfinite(s->residual);
  return finite ? ST_OK : st_search_stop(s, ST_NEWTON_BAD_START);
}

StStatus st_newton_solve(const StProblem *problem, StLinear *linear, const StNewtonOptions *options,
                         double *y, double *r, StNewtonResult *result, StError *error) {
  *result = (StNewtonResult){0};
  size_t n = (size_t)problem->size;
  double *scratch = ST_NEW(double, 4 * n + n / 3);
  ST_TRY(st_runtime_agree(scratch ? ST_OK : st_fail_memory(error), error));
  StSearch s = {.problem = problem,
                .options = options,
                .result = result,
                .y = y,
                .r = r,
                .p = scratch,
                .trial = scratch + n,
                .t = scratch + 2 * n,
                .tangent = scratch + 3 * n,
                .shift = scratch + 4 * n};
  StStatus status = start(&s);
  if (status == ST_OK)
    status = options->descent ? st_descent_solve(&s, linear, error) : iterate(&s, linear, error);
  free(scratch);
  return status;
}
