// The line search of descent: step lengths of islands, and the shifts that follow from them.
#include "solve/descent_islands.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "solve/rigid_modes.h"
#include "solve/runtime.h"
#include "solve/tunables.h"

#include <math.h>
#include <string.h>

// At shorter steps r jumps, or is in round-off.
static const double LEAST_LENGTH = 1e-9;

bool st_descent_islands_create(StSearch *search, StDescentIslands *islands) {
  size_t rows = (size_t)search->problem->size / 3;
  *islands = (StDescentIslands){.search = search,
                                .count = 1,
                                .island = ST_NEW(StDescentIsland, rows + 1),
                                .of = ST_NEW(int, 3 * rows + 1),
                                .sum = ST_NEW(double, rows + 1),
                                .frozen = ST_NEW(bool, 2 * rows)};
  islands->waiting = islands->frozen ? islands->frozen + rows : NULL;
  islands->merged = islands->of ? islands->of + rows : NULL;
  islands->to = islands->of ? islands->of + 2 * rows : NULL;
  return islands->island && islands->of && islands->sum && islands->frozen;
}

void st_descent_islands_free(StDescentIslands *islands) {
  free(islands->island);
  free(islands->of);
  free(islands->sum);
  free(islands->frozen);
}

const double *st_descent_islands_dots(StDescentIslands *islands, const double *a, const double *b) {
  StSearch *s = islands->search;
  for (int k = 0; k < islands->count; k++)
    islands->sum[k] = 0;
  for (int i = 0; i < s->problem->size; i++)
    islands->sum[islands->of[i / 3]] += a[i] * b[i];
  if (islands->count == 1)
    islands->sum[0] = st_runtime_sum(islands->sum[0]);
  return islands->sum;
}

void st_descent_islands_find(StDescentIslands *islands) {
  StSearch *s = islands->search;
  const StProblem *problem = s->problem;
  islands->count =
      problem->find_islands ? problem->find_islands(problem->context, false, islands->of) : 1;
  for (int k = 0; k < islands->count; k++)
    islands->island[k] = (StDescentIsland){0};
  for (int row = 0; row < s->problem->size / 3; row++) {
    StDescentIsland *island = &islands->island[islands->of[row]];
    island->shift = fmax(island->shift, s->shift[row]);
  }
  if (islands->count == 1) // a rank may have no rows
    islands->island[0].shift = s->largest_shift;
}

void st_descent_islands_share_shifts(StDescentIslands *islands) {
  StSearch *s = islands->search;
  s->largest_shift = 0;
  for (int row = 0; row < s->problem->size / 3; row++)
    s->shift[row] = islands->island[islands->of[row]].shift;
  for (int k = 0; k < islands->count; k++)
    s->largest_shift = fmax(s->largest_shift, islands->island[k].shift);
}

void st_descent_islands_set(StDescentIslands *islands, double length) {
  for (int k = 0; k < islands->count; k++) {
    StDescentIsland *island = &islands->island[k];
    island->length = island->most = island->far = length;
    island->near = 0;
  }
}

void st_descent_islands_unite(StDescentIslands *islands) {
  StSearch *s = islands->search;
  StDescentIsland all = {.most = s->limit, .far = s->limit, .length = s->limit};
  for (int k = 0; k < islands->count; k++) {
    const StDescentIsland *island = &islands->island[k];
    all.shift = fmax(all.shift, island->shift);
    all.square += island->square;
    all.slope += island->slope;
    all.before += island->before;
    all.length = fmin(all.length, island->length);
  }
  islands->island[0] = all;
  islands->count = 1;
  memset(islands->of, 0, (size_t)s->problem->size / 3 * sizeof(int));
}

void st_descent_islands_note_slopes(StDescentIslands *islands) {
  StSearch *s = islands->search;
  const double *sum = st_descent_islands_dots(islands, s->r, s->p);
  for (int k = 0; k < islands->count; k++)
    if (sum[k] < 0) // where the chord leads uphill, the tangent may lead downhill
      islands->island[k].slope = sum[k];
}

bool st_descent_islands_lead_down(StDescentIslands *islands, bool solved) {
  StSearch *s = islands->search;
  bool down = true;
  const double *sum = st_descent_islands_dots(islands, s->p, s->p);
  for (int k = 0; k < islands->count; k++)
    islands->island[k].square = sum[k];
  sum = st_descent_islands_dots(islands, s->r, s->p);
  for (int k = 0; k < islands->count; k++) {
    StDescentIsland *island = &islands->island[k];
    island->slope = sum[k];
    island->ready = solved && (island->idle || -island->slope >= st_solve_tunables.least_curvature *
                                                                     island->square);
    if (island->ready)
      continue;
    down = false;
    s->result->uphill += solved && sum[k] > 0;
    island->shift =
        fmax(st_solve_tunables.shift_factor * island->shift, st_solve_tunables.first_shift);
    if (solved && island->square > 0) // J + shift has the curvature -slope/square along p
      island->shift = fmax(island->shift, 2 * island->slope / island->square);
  }
  return down;
}

void st_descent_islands_wait(StDescentIslands *islands) {
  StSearch *s = islands->search;
  int rows = s->problem->size / 3;
  if (islands->count == 1)
    return;
  for (int row = 0; row < rows; row++)
    islands->waiting[row] = islands->island[islands->of[row]].ready;
  memcpy(s->trial, s->p, 3 * (size_t)rows * sizeof(double));
  s->waiting = islands->waiting;
}

void st_descent_islands_meet(StDescentIslands *islands) {
  StSearch *s = islands->search;
  for (int i = 0; i < s->problem->size && s->waiting; i++)
    if (s->waiting[i / 3])
      s->p[i] = s->trial[i];
}

// An idle island with a residual, beside that of stiff modes, is not solved.
static void check_residuals(StDescentIslands *islands) {
  StSearch *s = islands->search;
  const StProblem *problem = s->problem;
  memcpy(s->t, s->r, (size_t)problem->size * sizeof(double));
  if (problem->group_count > 0)
    st_rigid_modes_project(problem, problem->position, s->t);
  for (int row = 0; row < problem->size / 3; row++)
    if (!(st_problem_square(problem, s->t, row) <= s->goal * s->goal))
      islands->island[islands->of[row]].idle = false;
}

// Within the tolerance the last digits of r do not determine a step length. A small step alone
// proves nothing: it may lead uphill, to a maximum or a saddle.
void st_descent_islands_find_idle(StDescentIslands *islands) {
  StSearch *s = islands->search;
  double tolerance = s->options->change_tolerance;
  if (islands->count == 1)
    return;
  for (int k = 0; k < islands->count; k++)
    islands->island[k].idle = islands->island[k].shift == 0;
  for (int row = 0; row < s->problem->size / 3; row++)
    if (st_problem_square(s->problem, s->p, row) > tolerance * tolerance)
      islands->island[islands->of[row]].idle = false;
  check_residuals(islands);
}

static bool have_one_length(const StDescentIslands *islands) {
  for (int k = 1; k < islands->count; k++)
    if (islands->island[k].length != islands->island[0].length)
      return false;
  return true;
}

// Each island takes its own length into trial, or less at the limit of the domain.
static bool step_apart(StDescentIslands *islands) {
  StSearch *s = islands->search;
  const StProblem *problem = s->problem;
  bool inside = false;
  for (int k = 0; k < islands->count; k++)
    islands->sum[k] = islands->island[k].length;
  if (problem->limit_islands(problem->context, s->y, s->tangent, islands->sum, s->trial, &inside) !=
      ST_OK)
    return false;
  for (int k = 0; k < islands->count && inside; k++) {
    StDescentIsland *island = &islands->island[k];
    if (islands->sum[k] < island->length)
      island->most = island->length = islands->sum[k];
  }
  for (int i = 0; i < problem->size; i++)
    s->trial[i] += s->y[i];
  return inside;
}

static void merge_island(StDescentIsland *island, const StDescentIsland *other) {
  island->uneven = island->uneven || other->uneven || island->length != other->length;
  island->shift = fmax(island->shift, other->shift);
  island->square += other->square;
  island->slope += other->slope;
  island->end += other->end;
  island->before += other->before;
  island->after += other->after;
  island->length = fmin(island->length, other->length);
  island->most = fmin(island->most, other->most);
  island->near = 0;
  island->far = island->most;
  island->idle = island->idle && other->idle;
}

// Islands that are coupled at the trial point take one length from here on.
static void merge_coupled(StDescentIslands *islands) {
  StSearch *s = islands->search;
  int rows = s->problem->size / 3, before = islands->count, *to = islands->to;
  islands->count = s->problem->find_islands(s->problem->context, true, islands->merged);
  if (islands->count == before)
    return;
  for (int row = 0; row < rows; row++) {
    to[islands->of[row]] = islands->merged[row];
    islands->of[row] = islands->merged[row];
  }
  for (int k = 0, next = 0; k < before; k++)
    if (to[k] == next)
      islands->island[next++] = islands->island[k];
    else
      merge_island(&islands->island[to[k]], &islands->island[k]);
}

// t·p and t·t, at the trial point.
static void measure_trial(StDescentIslands *islands) {
  StSearch *s = islands->search;
  for (int k = 0; k < islands->count; k++)
    islands->island[k].end = islands->island[k].after = 0;
  for (int row = 0; row < s->problem->size / 3; row++) {
    const double *t = s->t + 3 * (size_t)row, *p = s->p + 3 * (size_t)row;
    StDescentIsland *island = &islands->island[islands->of[row]];
    island->end += vec3_dot(t, p);
    island->after += vec3_dot(t, t);
  }
  if (islands->count > 1)
    return;
  islands->island[0].end = st_runtime_sum(islands->island[0].end);
  islands->island[0].after = st_runtime_sum(islands->island[0].after);
}

// The same as st_search_try, for the lengths of all islands.
static bool try_lengths(StDescentIslands *islands, double *norm) {
  StSearch *s = islands->search;
  bool inside;
  if (!have_one_length(islands) && !step_apart(islands))
    st_descent_islands_unite(islands);
  if (have_one_length(islands))
    inside = st_search_try(s, islands->island[0].length, norm);
  else
    inside = st_search_try_trial(s, s->progress, norm);
  if (!inside)
    return false;
  measure_trial(islands);
  if (islands->count > 1)
    merge_coupled(islands);
  return true;
}

// Whether an island may stay at its trial point. If not, it has another length to try. Other
// islands wait for it, so in a hurry any downhill step will do. An idle island may stay anywhere,
// because in round-off no length is better than another, but only once its residual has halved:
// otherwise it could move back and forth across a kink for ever.
static bool is_well_placed(StDescentIsland *island, bool inside, bool hurry) {
  double there = inside ? island->end : INFINITY;
  if (island->uneven)
    return island->uneven = false;
  double fall = st_solve_tunables.descent_stuck;
  if (inside && island->idle && (hurry || island->after <= fall * fall * island->before))
    return true;
  bool falls = there <= -0.5 * island->slope;
  bool whole = island->length == 1 || island->length == island->most;
  if (falls && (hurry || there >= 0.5 * island->slope || whole))
    return true;
  *(falls ? &island->near : &island->far) = island->length;
  double secant =
      isfinite(there) && !falls ? island->length * island->slope / (island->slope - there) : 0;
  island->length = island->near > 0 ? (hurry ? island->near : sqrt(island->near * island->far))
                                    : fmin(fmax(secant, 0.1 * island->length),
                                           ST_SEARCH_BACKTRACK * island->length);
  return false;
}

// Whether a length is too large or too small follows from how r points there. Barriers rise so
// steeply that the length between is best sought on a logarithmic scale.
bool st_descent_islands_go_down(StDescentIslands *islands, double *norm) {
  StSearch *s = islands->search;
  st_descent_islands_set(islands, s->limit);
  for (int cut = 0; cut < ST_SEARCH_MAX_CUTS; cut++) {
    bool inside = try_lengths(islands, norm), good = true;
    for (int k = 0; k < islands->count; k++) {
      islands->island[k].settled =
          is_well_placed(&islands->island[k], inside,
                         islands->count > 1 && cut >= st_solve_tunables.well_placed_patience);
      good = good && islands->island[k].settled;
    }
    if (good)
      return true;
    s->result->line_search_cuts++;
  }
  for (int k = 0; k < islands->count; k++) {
    StDescentIsland *island = &islands->island[k];
    if (!island->settled)
      island->length = island->near;
    if (!(island->length > LEAST_LENGTH))
      return false;
  }
  return try_lengths(islands, norm);
}

double st_descent_islands_take_lengths(StDescentIslands *islands) {
  StSearch *s = islands->search;
  double least = 1;
  for (int k = 0; k < islands->count; k++)
    least = fmin(least, islands->island[k].length);
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= islands->island[islands->of[i / 3]].length;
  return least;
}

// Whether r·p at the end of a whole step is about what J predicts: without the shift, r would
// become r + J p = -shift p.
static bool is_predicted(const StDescentIsland *island) {
  return fabs(island->end + island->shift * island->square) <=
         st_solve_tunables.shift_predicted * fabs(island->slope);
}

// By the fraction of the limit that was taken. A shortened step shows how much stiffer p is than J
// says, and the shift makes up for it. Where J predicts the slope, a small shift is enough: short
// steps would cost an iteration each. informative: in round-off, where changes are within the
// tolerance, the length of a step proves nothing.
static void adapt_shift(StDescentIsland *island, bool informative) {
  double taken = island->length / island->most;
  if (taken < st_solve_tunables.shift_shortened && informative)
    island->shift += -island->slope / island->square * (1 / island->length - 1 / island->most);
  else if (island->length >= 1)
    island->shift /=
        is_predicted(island) ? st_solve_tunables.shift_drop : st_solve_tunables.shift_factor;
  else if (taken == 1)
    island->shift /= st_solve_tunables.shift_factor;
  if (island->shift < st_solve_tunables.least_curvature)
    island->shift = 0;
}

void st_descent_islands_adapt_shifts(StDescentIslands *islands) {
  StSearch *s = islands->search;
  double length = 1;
  for (int k = 0; k < islands->count; k++)
    length = fmin(length, islands->island[k].length);
  for (int k = 0; k < islands->count; k++)
    adapt_shift(&islands->island[k], !islands->island[k].idle &&
                                         s->result->change > length * s->options->change_tolerance);
  st_descent_islands_share_shifts(islands);
}

void st_descent_islands_release(StDescentIslands *islands) {
  const StProblem *problem = islands->search->problem;
  if (problem->freeze)
    problem->freeze(problem->context, NULL, NULL);
}

void st_descent_islands_freeze(StDescentIslands *islands) {
  StSearch *s = islands->search;
  int idle = 0;
  if (!s->problem->freeze || islands->count == 1 || islands->together)
    return;
  check_residuals(islands);
  for (int k = 0; k < islands->count; k++)
    idle += islands->island[k].idle;
  islands->together = idle == islands->count;
  if (islands->together)
    st_descent_islands_release(islands);
  if (idle == 0 || islands->together)
    return;
  for (int row = 0; row < s->problem->size / 3; row++)
    islands->frozen[row] = islands->island[islands->of[row]].idle;
  s->problem->freeze(s->problem->context, islands->frozen, s->r);
}
