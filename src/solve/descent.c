// Descent by shifted Jacobians.
#include "solve/descent.h"

#include "solve/frame.h"
#include "solve/descent_parts.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>

enum { MAX_FAILURES = 6 }; // then it is not the shift that the linear solver lacks
enum { MAX_RAISES = 20 };
enum { EXTRA_ITERATIONS = 15 };
static const double ARRIVING = 0.2; // of the norm some iterations ago, see `is_at_an_end`
static const double STUCK = 0.5;    // of the residual before, when descent is in round-off
static const double ALMOST = 0.98;  // of a free way, see `measure_way`
static const double DOMINANT = 0.5; // part of the residual

// While what is prescribed is on its way there is no residual to compare with: as far as the way is
// free and inside the domain.
static bool follow(StSearch *s, double *length, double *norm) {
  *length = s->free;
  for (int cut = 0; cut < ST_SEARCH_MAX_CUTS; cut++, *length *= ST_SEARCH_BACKTRACK)
    if (st_search_try(s, *length, norm))
      return true;
  return false;
}

// Makes p lead along arcs, a share of the way. The straight p is in `trial`.
static StStatus go_round(StSearch *s, double share) {
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] = s->way[i] = share * s->trial[i];
  s->problem->turn(s->problem->context, s->y, s->p);
  return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
}

// What nothing is in the way of goes all the way. Each part of p leads down for itself. All wait
// for a part that goes on, so only one that matters may.
static StStatus part_ways(StDescentParts *parts, bool *parted) {
  StSearch *s = parts->search;
  st_descent_parts_set(parts, 1);
  for (int k = 0; k < parts->count; k++)
    parts->sum[k] = 1;
  ST_TRY(s->problem->part_ways(s->problem->context, s->y, s->trial, parts->sum, s->p, parted));
  if (!*parted)
    return ST_OK;
  s->round = *parted = st_search_dot(s->problem, s->r, s->p) < 0;
  if (!*parted)
    return ST_OK;
  for (int k = 0; k < parts->count; k++) {
    parts->part[k].goes_on =
        parts->sum[k] == 1 && parts->part[k].before > DOMINANT * s->norm * s->norm;
    parts->part[k].slope *= parts->sum[k];
    parts->part[k].square *= parts->sum[k] * parts->sum[k];
  }
  for (int i = 0; i < s->problem->size; i++)
    s->way[i] = parts->sum[parts->of[i / 3]] * s->trial[i];
  return ST_OK;
}

// How far p may lead; where something turns, p becomes the chord of its arc. Of a shorter arc it is
// another one. Near the solution arcs are as good as straight.
static StStatus measure_way(StDescentParts *parts) {
  StSearch *s = parts->search;
  bool parted = false;
  s->free = 1;
  s->round = false;
  for (int k = 0; k < parts->count; k++)
    parts->part[k].goes_on = false;
  const double *square = st_descent_parts_dots(parts, s->r, s->r);
  for (int k = 0; k < parts->count; k++)
    parts->part[k].before = square[k];
  if (!s->problem->limit)
    return ST_OK;
  if (!s->problem->turn)
    return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
  memcpy(s->trial, s->p, (size_t)s->problem->size * sizeof(double));
  if (s->progress == 1 && parts->count > 1)
    ST_TRY(part_ways(parts, &parted));
  if (parted) {
    st_descent_parts_note_slopes(parts);
    return ST_OK;
  }
  st_descent_parts_join(parts);
  ST_TRY(go_round(s, 1));
  if (s->progress < 1)
    return ST_OK;
  parts->part[0].goes_on = s->free == 1;
  if (s->free > 0 && s->free < 1)
    ST_TRY(go_round(s, ALMOST * s->free));
  s->round = st_search_dot(s->problem, s->r, s->p) < 0;
  if (s->round) {
    st_descent_parts_note_slopes(parts);
    return ST_OK;
  }
  memcpy(s->p, s->trial, (size_t)s->problem->size * sizeof(double));
  return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
}

// A direction p = -J⁻¹ r along which the shifted J is positive, so that r points down it.
static StStatus find_descent(StDescentParts *parts, StLinear *linear, StError *error) {
  StSearch *s = parts->search;
  s->waiting = NULL;
  for (int raise = 0; raise < MAX_RAISES; raise++) {
    s->raised = raise > 0;
    StStatus status = st_search_find_direction(
        s, linear, s->options->inexact ? ST_SEARCH_FORCING_LIMIT : 0, error);
    if (status != ST_OK && status != ST_NOT_SOLVED)
      return status;
    if (status == ST_NOT_SOLVED && ++s->failures > MAX_FAILURES)
      return status;
    if (!s->waiting)
      st_descent_parts_find(parts);
    st_descent_parts_meet(parts);
    if (status == ST_OK)
      st_descent_parts_find_idle(parts);
    if (st_descent_parts_lead_down(parts, status == ST_OK))
      return ST_OK;
    st_descent_parts_share_shifts(parts);
    st_descent_parts_wait(parts);
  }
  return ST_NOT_SOLVED;
}

// While what is prescribed is on its way, p has to go along with it, up or down.
static StStatus find_step(StDescentParts *parts, StLinear *linear, StError *error) {
  StSearch *s = parts->search;
  if (s->progress == 1)
    return find_descent(parts, linear, error);
  return st_search_find_direction(s, linear, s->options->inexact ? ST_SEARCH_FORCING_LIMIT : 0,
                                  error);
}

// Whether rigid bodies are in balance as far as they move: within the tolerance, like all else.
// What strains them is a million times stiffer than other forces, and in round-off long before. On
// several ranks, of which some may have no rigid body, nobody asks.
static bool is_balanced(StSearch *s) {
  if (st_runtime_size() > 1 || s->problem->frame_count == 0)
    return false;
  memcpy(s->t, s->r, (size_t)s->problem->size * sizeof(double));
  st_frames_take_strain(s->problem, s->problem->position, s->t);
  return st_search_residual_speed(s->problem, s->t) <= s->goal;
}

// What Newton's method would still change is small, and so is the residual; or it no longer gets
// smaller, and is within the tolerance or nothing but round-off; or bodies are in balance. Descent
// itself does not notice: in round-off every step seems to lead down.
static bool is_solved(StSearch *s, double norm_before) {
  if (s->progress < 1 || s->shifted > 0)
    return false;
  double wanted = st_search_change_speed(s->problem, s->p);
  bool stuck = s->norm > STUCK * norm_before;
  bool small = s->speed <= s->goal || (stuck && s->speed <= s->options->velocity_tolerance);
  bool exact = !st_search_is_rough(s);
  if (exact && wanted <= s->options->velocity_tolerance && is_balanced(s))
    return true;
  return wanted <= s->options->change_tolerance &&
         (small || (exact && stuck && st_search_is_round_off(s, wanted)));
}

// The same by the last Jacobian's factors, where it leaves no doubt: the present one is not needed
// just to see that nothing is left to do. Of bodies that are in balance the strain, too, has to be
// known within the tolerance.
static bool is_clearly_solved(StSearch *s, StLinear *linear, double norm_before) {
  if (!s->problem->limit || s->progress < 1 || s->shifted > 0 || st_search_is_rough(s) ||
      s->result->iterations == 0)
    return false;
  bool stuck = s->norm > STUCK * norm_before, balanced = is_balanced(s);
  if (!(stuck || balanced) || !st_linear_estimate(linear, s->r, s->p))
    return false;
  double wanted = ST_SEARCH_CAUTION * st_search_change_speed(s->problem, s->p);
  if (balanced && wanted <= s->options->velocity_tolerance)
    return true;
  return stuck && wanted <= s->options->change_tolerance && st_search_is_round_off(s, wanted);
}

static bool take_step(StDescentParts *parts) {
  StSearch *s = parts->search;
  double norm = 0, length;
  if (s->progress == 1) {
    if (!st_descent_parts_go_down(parts, &norm))
      return false;
    st_search_accept(s, st_descent_parts_take_lengths(parts), norm);
    st_descent_parts_adapt_shifts(parts);
    return true;
  }
  if (!follow(s, &length, &norm))
    return false;
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= length;
  st_search_accept(s, length, norm);
  return true;
}

// Whether the iterations are used up. Descent that has come close enough to fall fast is let go on:
// it is nearly done, and the answer to a failure is to begin again with a smaller step.
static bool is_at_an_end(const StSearch *s) {
  int iterations = s->result->iterations, extra = iterations - s->options->max_iterations;
  if (extra < 0 || iterations < ST_SEARCH_RECENT)
    return extra >= 0;
  return extra >= EXTRA_ITERATIONS || s->norm > ARRIVING * s->recent[iterations % ST_SEARCH_RECENT];
}

static StStatus follow_change(StSearch *s, StError *error) {
  const StProblem *problem = s->problem;
  bool changed = false;
  if (problem->adapt && s->progress == 1)
    ST_TRY(problem->adapt(problem->context, &changed, error));
  if (!changed)
    return ST_OK;
  s->result->evaluations++;
  ST_TRY(problem->residual(problem->context, s->y, s->r));
  s->norm = st_search_norm(problem, s->r);
  s->speed = st_search_residual_speed(problem, s->r);
  s->left = INFINITY;
  return isfinite(s->norm) ? ST_OK : ST_NOT_SOLVED;
}

static StStatus descend(StDescentParts *parts, StLinear *linear, StError *error) {
  StSearch *s = parts->search;
  double norm_before = INFINITY;
  while (!st_search_converged(s)) {
    if (is_at_an_end(s))
      return st_search_stop(s, ST_NEWTON_TOO_MANY);
    if (is_clearly_solved(s, linear, norm_before))
      return st_search_stop(s, ST_NEWTON_CONVERGED);
    StStatus status = find_step(parts, linear, error);
    if (status == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    if (s->problem->limit && is_solved(s, norm_before))
      return st_search_stop(s, ST_NEWTON_CONVERGED);
    norm_before = s->norm;
    ST_TRY(measure_way(parts));
    if (!(s->free > 0))
      return st_search_stop(s, ST_NEWTON_BLOCKED);
    if (!take_step(parts)) {
      st_search_restore_progress(s);
      bool done = s->progress == 1 && st_search_stagnated(s);
      return st_search_stop(s, done ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT);
    }
    StStatus changed = follow_change(s, error);
    if (changed == ST_NOT_SOLVED)
      return st_search_stop(s, ST_NEWTON_NO_DESCENT);
    ST_TRY(changed);
    st_descent_parts_park(parts);
  }
  return st_search_stop(s, ST_NEWTON_CONVERGED);
}

StStatus st_descent_solve(StSearch *search, StLinear *linear, StError *error) {
  StDescentParts parts;
  StStatus status = st_descent_parts_create(search, &parts) ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    status = descend(&parts, linear, error);
  st_descent_parts_release(&parts);
  st_descent_parts_free(&parts);
  return status;
}
