// Trial points, directions and the ends of a search.
#include "solve/search.h"

#include "solve/communicator.h"
#include "solve/runtime.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

// See `is_round_off`. Sums over a surface gather hundreds of roundings.
static const double ROUND_OFF = 1000; // roundings
static const double BALANCE = 1e-3;   // of the forces that balance
enum { INEXACT_ITERATIONS = 8 };      // then couplings that were to be left out have to be in

static double over_ranks(double value, MPI_Op operation) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, st_communicator());
  return value;
}

double st_search_dot(const StProblem *problem, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < problem->size; i++)
    sum += a[i] * b[i];
  return over_ranks(sum, MPI_SUM);
}

double st_search_norm(const StProblem *problem, const double *r) {
  return sqrt(st_search_dot(problem, r, r));
}

// A speed that is no number is larger than any: MPI's maximum would lose it.
static double largest(double speed) {
  return over_ranks(isnan(speed) ? INFINITY : speed, MPI_MAX);
}

double st_search_residual_speed(const StProblem *problem, const double *r) {
  return largest(problem->residual_speed(problem->context, r));
}

double st_search_change_speed(const StProblem *problem, const double *dy) {
  return largest(problem->change_speed(problem->context, dy));
}

void st_search_note_norm(StNewtonResult *result, double norm) {
  if (result->norm_count < ST_NEWTON_HISTORY)
    result->norm[result->norm_count++] = norm;
}

bool st_search_converged(const StSearch *s) {
  bool moved = s->result->iterations > 0;
  bool settled = moved ? s->left <= s->options->change_tolerance : !s->options->start.extrapolated;
  return s->progress == 1 && s->speed <= s->goal && settled;
}

// Whether the residual is nothing but round-off, and that does no harm. Stiff forces over a long
// step magnify the last digit of a position to more than any tolerance, and no iteration can bring
// the residual below that. The velocity must be known within the tolerance all the same (`wanted`:
// Newton's correction for this residual, m/s), and so must the forces, to some digits: where the
// residual is as large as they are, nothing is in balance.
bool st_search_is_round_off(StSearch *s, double wanted) {
  const StProblem *problem = s->problem;
  StRoundOff own;
  if (!problem->round_off || problem->round_off(problem->context, s->y, s->r, &own) != ST_OK)
    return false;
  double noise = largest(own.noise), terms = largest(own.terms);
  bool known = noise * wanted <= s->options->velocity_tolerance * s->speed;
  return s->speed <= ROUND_OFF * noise && s->speed <= BALANCE * terms && known;
}

// Whether the couplings are in the directions, whoever left them out at first.
static bool is_coupled(const StSearch *s) {
  return s->result->iterations >= INEXACT_ITERATIONS;
}

bool st_search_is_rough(const StSearch *s) {
  return s->options->rough && !is_coupled(s);
}

// Whether an iterate that cannot be improved is good enough: its residual is within the tolerance
// if not as small as hoped for, or as small as numbers allow. That the correction asked for is
// small is not enough: where J is huge it is so however large the residual.
bool st_search_stagnated(StSearch *s) {
  double wanted = st_search_change_speed(s->problem, s->p);
  double tolerance = s->options->velocity_tolerance;
  if (s->speed <= tolerance && wanted <= s->options->change_tolerance)
    return true;
  bool telling = !st_search_is_rough(s) && s->shifted == 0;
  return telling && wanted <= tolerance && st_search_is_round_off(s, wanted);
}

StStatus st_search_stop(StSearch *s, StNewtonReason reason) {
  s->result->reason = reason;
  s->result->speed = s->speed;
  return reason == ST_NEWTON_CONVERGED ? ST_OK : ST_NOT_SOLVED;
}

// Puts the point that far along p, or along the arc whose chord it is, into trial, if the way there
// is free.
static bool go_freely(StSearch *s, double length) {
  const double *way = s->round ? s->way : s->p;
  double part = 0;
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] = length * way[i];
  if (s->round)
    s->problem->turn(s->problem->context, s->y, s->trial);
  if (s->problem->limit(s->problem->context, s->y, s->trial, &part) != ST_OK || part < 1)
    return false;
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] += s->y[i];
  return true;
}

bool st_search_try_trial(StSearch *s, double *norm) {
  s->result->evaluations++;
  if (s->problem->residual(s->problem->context, s->trial, s->t) != ST_OK)
    return false;
  *norm = st_search_norm(s->problem, s->t);
  return isfinite(*norm);
}

// Fills trial and t with the point that far along p and its residual. False when it lies outside
// the domain, which also ends where numbers do.
bool st_search_try(StSearch *s, double length, double *norm) {
  bool beyond = length > 1 && s->problem->limit; // nobody has looked there yet
  // On the chord a rigid body that turns is strained, and the residual says nothing else.
  bool shorter = s->round && length < s->free;
  bool freely = (beyond || shorter) && go_freely(s, length);
  if (beyond && !freely)
    return false;
  for (int i = 0; i < s->problem->size && !freely; i++)
    s->trial[i] = s->y[i] + length * s->p[i];
  if (s->progress < 1)
    s->problem->set_progress(s->problem->context, s->progress + length * (1 - s->progress));
  return st_search_try_trial(s, norm);
}

// Close to the solution a whole step of Newton's method brings the error down like the residual.
// The next change is the error of this one: there is no need to make it to see that it is small.
static double estimate_left(const StSearch *s, double length, double norm) {
  double contraction = length == 1 && s->shifted == 0 ? ST_SEARCH_CAUTION * norm / s->norm : 1;
  return fmin(contraction, 1) * s->result->change;
}

void st_search_accept(StSearch *s, double length, double norm) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  s->result->change = st_search_change_speed(s->problem, s->p);
  s->left = estimate_left(s, length, norm);
  s->progress += length * (1 - s->progress);
  s->recent[s->result->iterations % ST_SEARCH_RECENT] = s->norm;
  memcpy(s->y, s->trial, bytes);
  memcpy(s->r, s->t, bytes);
  s->norm = norm;
  s->speed = st_search_residual_speed(s->problem, s->r);
  s->result->iterations++;
  st_search_note_norm(s->result, norm);
}

void st_search_restore_progress(const StSearch *s) {
  if (s->problem->set_progress)
    s->problem->set_progress(s->problem->context, s->progress);
}

static StStatus linearise(StSearch *s) {
  const StProblem *problem = s->problem;
  if (!s->raised || !problem->reshift)
    return problem->linearise(problem->context, s->y, s->shifted > 0 ? s->shift : NULL);
  problem->reshift(problem->context, s->shift);
  return ST_OK;
}

StStatus st_search_find_direction(StSearch *s, StLinear *linear, double tolerance, StError *error) {
  st_search_restore_progress(s);
  ST_TRY(linearise(s));
  const bool *zero = s->waiting ? s->waiting : s->problem->parked;
  for (int i = 0; i < s->problem->size; i++)
    s->t[i] = zero && zero[i / 3] ? 0 : -s->r[i];
  if (s->progress < 1)
    ST_TRY(s->problem->drive(s->problem->context, s->y, s->r, s->t));
  int iterations = 0;
  StError *detail = &s->result->detail;
  bool walled = s->problem->limit != NULL;
  StLinearGoal wanted = {.tolerance = tolerance,
                         .stay = s->options->impatient || (s->options->descent && !walled),
                         .coupled = is_coupled(s),
                         .zero = zero};
  StStatus status = st_linear_solve(linear, s->t, wanted, s->p, &iterations, detail);
  s->result->linear_iterations += iterations;
  if (status != ST_OK && status != ST_NOT_SOLVED)
    st_fail(error, status, "%s", detail->text);
  return status;
}
