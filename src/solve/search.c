// Trial points, directions and the ends of a search.
// Tested by tests/solve/test_newton.c.
#include "solve/search.h"

#include "solve/runtime.h"
#include "solve/tunables.h"

#include <math.h>
#include <string.h>

// See `st_search_is_round_off`. Sums of many terms gather hundreds of roundings.
static const double ROUND_OFF = 1000; // roundings

double st_search_dot(const StProblem *problem, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < problem->size; i++)
    sum += a[i] * b[i];
  return st_runtime_sum(sum);
}

double st_search_magnitude(const StProblem *problem, const double *x) {
  return st_runtime_max(st_problem_magnitude(problem, x));
}

void st_search_measure(StSearch *s) {
  s->norm = sqrt(st_search_dot(s->problem, s->r, s->r));
  s->residual = st_search_magnitude(s->problem, s->r);
}

void st_search_note_norm(StNewtonResult *result, double norm) {
  if (result->norm_count < ST_NEWTON_HISTORY)
    result->norm[result->norm_count++] = norm;
}

bool st_search_converged(const StSearch *s) {
  bool moved = s->result->iterations > 0;
  bool exact = moved ? s->error <= s->options->change_tolerance : !s->options->start.extrapolated;
  return s->progress == 1 && s->residual <= s->goal && exact;
}

// 0: unknown.
static double noise_of_residual(const StSearch *s) {
  const StProblem *problem = s->problem;
  double own;
  if (!problem->round_off || problem->round_off(problem->context, s->y, s->r, &own) != ST_OK)
    return 0;
  return st_runtime_max(own);
}

// Stiff terms magnify the last digit of y to more than any tolerance, and no iteration can bring
// the residual below that. y must be known within the tolerance all the same (`wanted`: Newton's
// correction for this residual).
bool st_search_is_round_off(StSearch *s, double wanted) {
  double noise = noise_of_residual(s);
  bool known = noise * wanted <= s->options->residual_tolerance * s->residual;
  return s->residual <= ROUND_OFF * noise && known;
}

// Whether directions have the couplings.
static bool is_coupled(const StSearch *s) {
  return s->result->iterations >= st_solve_tunables.inexact_iterations;
}

bool st_search_is_rough(const StSearch *s) {
  return s->options->rough && !is_coupled(s);
}

// The rest of a solution may hide under the stiff terms' round-off until a whole step has removed
// it. The norm says nothing about that step; the corrections at both ends of it do.
bool st_search_drowns(StSearch *s, StLinear *linear) {
  double wanted = st_search_magnitude(s->problem, s->p);
  if (st_search_is_rough(s) || wanted > s->options->change_tolerance ||
      !st_linear_estimate(linear, s->t, s->tangent))
    return false;
  double next = st_search_magnitude(s->problem, s->tangent);
  double most = fmax(s->residual, st_search_magnitude(s->problem, s->t));
  return ST_SEARCH_CAUTION * next <= wanted && most <= ROUND_OFF * noise_of_residual(s);
}

// Its residual is within the tolerance if not as small as hoped for, or as small as rounding
// allows. A small correction is not enough: where J is huge the correction is small for any
// residual.
bool st_search_stagnated(StSearch *s) {
  double wanted = st_search_magnitude(s->problem, s->p);
  double tolerance = s->options->residual_tolerance;
  if (s->residual <= tolerance && wanted <= s->options->change_tolerance)
    return true;
  bool proves = !st_search_is_rough(s) && s->largest_shift == 0;
  return proves && wanted <= tolerance && st_search_is_round_off(s, wanted);
}

StStatus st_search_stop(StSearch *s, StNewtonReason reason) {
  s->result->reason = reason;
  s->result->residual = s->residual;
  return reason == ST_NEWTON_CONVERGED ? ST_OK : ST_NOT_SOLVED;
}

// Puts the point that far along p, or along the curve whose chord it is, into trial, if the whole
// step there stays inside the domain.
static bool follow_curve(StSearch *s, double length) {
  const StProblem *problem = s->problem;
  const double *along = s->curved ? s->tangent : s->p;
  double fraction = 0;
  for (int i = 0; i < problem->size; i++)
    s->trial[i] = length * along[i];
  if (s->curved)
    problem->retract(problem->context, s->y, s->trial);
  if (problem->limit(problem->context, s->y, s->progress, s->trial, &fraction) != ST_OK ||
      fraction < 1)
    return false;
  for (int i = 0; i < problem->size; i++)
    s->trial[i] += s->y[i];
  return true;
}

bool st_search_try_trial(StSearch *s, double progress, double *norm) {
  s->result->evaluations++;
  if (s->problem->residual(s->problem->context, s->trial, progress, s->t) != ST_OK)
    return false;
  *norm = sqrt(st_search_dot(s->problem, s->t, s->t));
  return isfinite(*norm);
}

// The chord of a shorter curve is another one.
bool st_search_try(StSearch *s, double length, double *norm) {
  bool beyond = length > 1 && s->problem->limit; // the limit has not been computed for that far
  bool shorter = s->curved && length < s->limit;
  bool placed = (beyond || shorter) && follow_curve(s, length);
  if (beyond && !placed)
    return false;
  for (int i = 0; i < s->problem->size && !placed; i++)
    s->trial[i] = s->y[i] + length * s->p[i];
  return st_search_try_trial(s, s->progress + length * (1 - s->progress), norm);
}

// Close to the solution a whole step of Newton's method reduces the error like the residual. The
// error is the next change: it need not be made to see that it is small.
static double estimate_error(const StSearch *s, double length, double norm) {
  double contraction =
      length == 1 && s->largest_shift == 0 ? ST_SEARCH_CAUTION * norm / s->norm : 1;
  return fmin(contraction, 1) * s->result->change;
}

void st_search_accept(StSearch *s, double length, double norm) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  s->result->change = st_search_magnitude(s->problem, s->p);
  s->error = estimate_error(s, length, norm);
  s->progress += length * (1 - s->progress);
  s->recent[s->result->iterations % ST_SEARCH_RECENT] = s->norm;
  memcpy(s->y, s->trial, bytes);
  memcpy(s->r, s->t, bytes);
  s->norm = norm;
  s->residual = st_search_magnitude(s->problem, s->r);
  s->result->iterations++;
  st_search_note_norm(s->result, norm);
}

StStatus st_search_find_direction(StSearch *s, StLinear *linear, double tolerance, StError *error) {
  const StProblem *problem = s->problem;
  const double *shift = s->largest_shift > 0 || s->raised ? s->shift : NULL;
  const bool *zero = s->waiting ? s->waiting : problem->frozen;
  ST_TRY(problem->linearise(problem->context, s->raised ? NULL : s->y, s->progress, shift));
  for (int i = 0; i < problem->size; i++)
    s->t[i] = zero && zero[i / 3] ? 0 : -s->r[i];
  if (s->progress < 1)
    ST_TRY(problem->add_tangent(problem->context, s->y, s->progress, s->r, s->t));
  int iterations = 0;
  StError *detail = &s->result->detail;
  bool limited = problem->limit != NULL;
  StLinearGoal wanted = {.tolerance = tolerance,
                         .stay = s->options->impatient || (s->options->descent && !limited),
                         .coupled = is_coupled(s),
                         .zero = zero};
  StStatus status = st_linear_solve(linear, s->t, wanted, s->p, &iterations, detail);
  s->result->linear_iterations += iterations;
  if (status != ST_OK && status != ST_NOT_SOLVED)
    st_fail(error, status, "%s", detail->text);
  return status;
}
