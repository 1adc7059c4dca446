// Descent by shifted Jacobians.
#include "solve/descent.h"

#include "solve/descent_islands.h"
#include "solve/rigid_modes.h"
#include "solve/runtime.h"
#include "solve/tunables.h"

#include <math.h>
#include <string.h>

// p becomes the chord of a curve whose tangent is a fraction of the direction in `trial`.
static StStatus bend(StSearch *s, double fraction) {
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] = s->tangent[i] = fraction * s->trial[i];
  s->problem->retract(s->problem->context, s->y, s->p);
  return s->problem->limit(s->problem->context, s->y, s->progress, s->p, &s->limit);
}

// Chords for each island alone, if all lead downhill together. Islands that are not limited take
// the whole step.
static StStatus follow_chords(StDescentIslands *islands) {
  StSearch *s = islands->search;
  bool inside;
  st_descent_islands_set(islands, 1);
  for (int k = 0; k < islands->count; k++)
    islands->sum[k] = 1;
  ST_TRY(
      s->problem->limit_islands(s->problem->context, s->y, s->trial, islands->sum, s->p, &inside));
  s->curved = inside && st_search_dot(s->problem, s->r, s->p) < 0;
  if (!s->curved)
    return ST_OK;
  for (int k = 0; k < islands->count; k++) {
    StDescentIsland *island = &islands->island[k];
    double length = islands->sum[k];
    island->slope *= length;
    island->square *= length * length;
  }
  for (int i = 0; i < s->problem->size; i++)
    s->tangent[i] = islands->sum[islands->of[i / 3]] * s->trial[i];
  return ST_OK;
}

// One chord for all. A shorter curve has another chord, so the limit is found twice. Near the
// solution the chord may lead uphill: then the direction itself is as good.
static StStatus follow_chord(StDescentIslands *islands) {
  StSearch *s = islands->search;
  st_descent_islands_unite(islands);
  ST_TRY(bend(s, 1));
  if (s->progress < 1)
    return ST_OK;
  if (s->limit > 0 && s->limit < 1)
    ST_TRY(bend(s, st_solve_tunables.descent_almost * s->limit));
  s->curved = st_search_dot(s->problem, s->r, s->p) < 0;
  if (s->curved)
    return ST_OK;
  memcpy(s->p, s->trial, (size_t)s->problem->size * sizeof(double));
  return s->problem->limit(s->problem->context, s->y, s->progress, s->p, &s->limit);
}

// How far along p the domain reaches; where steps are curved, p becomes a chord.
static StStatus find_limit(StDescentIslands *islands) {
  StSearch *s = islands->search;
  const StProblem *problem = s->problem;
  s->limit = 1;
  s->curved = false;
  const double *square = st_descent_islands_dots(islands, s->r, s->r);
  for (int k = 0; k < islands->count; k++)
    islands->island[k].before = square[k];
  if (!problem->limit)
    return ST_OK;
  if (!problem->retract)
    return problem->limit(problem->context, s->y, s->progress, s->p, &s->limit);
  memcpy(s->trial, s->p, (size_t)problem->size * sizeof(double));
  if (s->progress == 1 && islands->count > 1)
    ST_TRY(follow_chords(islands));
  if (!s->curved)
    ST_TRY(follow_chord(islands));
  if (s->curved)
    st_descent_islands_note_slopes(islands);
  return ST_OK;
}

// A direction p = -J⁻¹ r along which the shifted J is positive, so that r points down it.
static StStatus find_descent(StDescentIslands *islands, StLinear *linear, double tolerance,
                             StError *error) {
  StSearch *s = islands->search;
  s->waiting = NULL;
  for (int raise = 0; raise < st_solve_tunables.descent_raises; raise++) {
    s->raised = raise > 0;
    StStatus status = st_search_find_direction(s, linear, tolerance, error);
    if (status != ST_OK && status != ST_NOT_SOLVED)
      return status;
    if (status == ST_NOT_SOLVED && ++s->failures > st_solve_tunables.descent_failures)
      return status;
    if (!s->waiting)
      st_descent_islands_find(islands);
    st_descent_islands_meet(islands);
    if (status == ST_OK)
      st_descent_islands_find_idle(islands);
    if (st_descent_islands_lead_down(islands, status == ST_OK))
      return ST_OK;
    st_descent_islands_share_shifts(islands);
    st_descent_islands_wait(islands);
  }
  return ST_NOT_SOLVED;
}

// During continuation p has to follow the parameter, uphill or downhill.
static StStatus find_step(StDescentIslands *islands, StLinear *linear, StError *error) {
  StSearch *s = islands->search;
  double tolerance = s->options->inexact ? ST_SEARCH_FORCING_LIMIT : 0;
  return s->progress == 1 ? find_descent(islands, linear, tolerance, error)
                          : st_search_find_direction(s, linear, tolerance, error);
}

// Whether the rigid modes of stiff groups, and all other rows, are within the goal. The stiff modes
// are in round-off long before. On several ranks, some of which may have no groups, this is not
// used.
static bool is_balanced(StSearch *s) {
  if (st_runtime_size() > 1 || s->problem->group_count == 0)
    return false;
  memcpy(s->t, s->r, (size_t)s->problem->size * sizeof(double));
  st_rigid_modes_project(s->problem, s->problem->position, s->t);
  return st_search_magnitude(s->problem, s->t) <= s->goal;
}

// Newton's correction is small, and so is the residual; or the residual no longer falls, and is
// within the tolerance or round-off; or rigid modes are balanced. The line search of descent does
// not notice: in round-off every step seems to lead down.
static bool is_solved(StSearch *s, double norm_before) {
  if (s->progress < 1 || s->largest_shift > 0)
    return false;
  double wanted = st_search_magnitude(s->problem, s->p), tolerance = s->options->residual_tolerance;
  bool stuck = s->norm > st_solve_tunables.descent_stuck * norm_before;
  bool small = s->residual <= s->goal || (stuck && s->residual <= tolerance);
  bool exact = !st_search_is_rough(s);
  if (exact && wanted <= tolerance && is_balanced(s))
    return true;
  return wanted <= s->options->change_tolerance &&
         (small || (exact && stuck && st_search_is_round_off(s, wanted)));
}

// The same by the last Jacobian's factors, where they leave no doubt: the present J is not needed
// to see that nothing is left to do. Where rigid modes are balanced, the whole correction has to be
// within the tolerance.
static bool is_clearly_solved(StSearch *s, StLinear *linear, double norm_before) {
  if (!s->problem->limit || s->progress < 1 || s->largest_shift > 0 || st_search_is_rough(s) ||
      s->result->iterations == 0)
    return false;
  bool stuck = s->norm > st_solve_tunables.descent_stuck * norm_before, balanced = is_balanced(s);
  if (!(stuck || balanced) || !st_linear_estimate(linear, s->r, s->p))
    return false;
  double wanted = ST_SEARCH_CAUTION * st_search_magnitude(s->problem, s->p);
  if (balanced && wanted <= s->options->residual_tolerance)
    return true;
  return stuck && wanted <= s->options->change_tolerance && st_search_is_round_off(s, wanted);
}

// During continuation there is no residual to compare with: as far as the limit, and inside the
// domain.
static bool continue_along(StSearch *s) {
  double norm = 0, length = s->limit;
  for (int cut = 0; cut < ST_SEARCH_MAX_CUTS; cut++, length *= ST_SEARCH_BACKTRACK) {
    if (!st_search_try(s, length, &norm))
      continue;
    for (int i = 0; i < s->problem->size; i++)
      s->p[i] *= length;
    st_search_accept(s, length, norm);
    return true;
  }
  return false;
}

static bool take_step(StDescentIslands *islands) {
  StSearch *s = islands->search;
  double norm = 0;
  if (s->progress < 1)
    return continue_along(s);
  if (!st_descent_islands_go_down(islands, &norm))
    return false;
  st_search_accept(s, st_descent_islands_take_lengths(islands), norm);
  st_descent_islands_adapt_shifts(islands);
  return true;
}

// Whether the iterations are used up. Descent whose norm falls fast may go on: it is nearly done,
// and a failure would cost all iterations so far.
static bool is_at_an_end(const StSearch *s) {
  int iterations = s->result->iterations, extra = iterations - s->options->max_iterations;
  if (extra < 0 || iterations < ST_SEARCH_RECENT)
    return extra >= 0;
  return extra >= st_solve_tunables.descent_extra ||
         s->norm > st_solve_tunables.descent_arriving * s->recent[iterations % ST_SEARCH_RECENT];
}

static StStatus update_problem(StSearch *s, StError *error) {
  const StProblem *problem = s->problem;
  bool changed = false;
  if (problem->update && s->progress == 1)
    ST_TRY(problem->update(problem->context, &changed, error));
  if (!changed)
    return ST_OK;
  s->result->evaluations++;
  ST_TRY(problem->residual(problem->context, s->y, s->progress, s->r));
  st_search_measure(s);
  s->error = INFINITY;
  return isfinite(s->norm) ? ST_OK : ST_NOT_SOLVED;
}

static StStatus descend(StDescentIslands *islands, StLinear *linear, StError *error) {
  StSearch *s = islands->search;
  double norm_before = INFINITY;
  while (!st_search_converged(s)) {
    if (is_at_an_end(s))
      return st_search_stop(s, ST_NEWTON_TOO_MANY);
    if (is_clearly_solved(s, linear, norm_before))
      return st_search_stop(s, ST_NEWTON_CONVERGED);
    StStatus status = find_step(islands, linear, error);
    if (status == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    if (s->problem->limit && is_solved(s, norm_before))
      return st_search_stop(s, ST_NEWTON_CONVERGED);
    norm_before = s->norm;
    ST_TRY(find_limit(islands));
    if (!(s->limit > 0))
      return st_search_stop(s, ST_NEWTON_BLOCKED);
    if (!take_step(islands)) {
      bool done = s->progress == 1 && st_search_stagnated(s);
      return st_search_stop(s, done ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT);
    }
    status = update_problem(s, error);
    if (status == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_NO_DESCENT);
    ST_TRY(status);
    st_descent_islands_freeze(islands);
  }
  return st_search_stop(s, ST_NEWTON_CONVERGED);
}

StStatus st_descent_solve(StSearch *search, StLinear *linear, StError *error) {
  StDescentIslands islands;
  StStatus status = st_descent_islands_create(search, &islands) ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    status = descend(&islands, linear, error);
  st_descent_islands_release(&islands);
  st_descent_islands_free(&islands);
  return status;
}
