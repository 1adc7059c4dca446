// Lengths and shifts of parts.
#include "solve/descent_parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "solve/communicator.h"
#include "solve/frame.h"
#include "solve/runtime.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

static const double LEAST_CURVATURE = 0.05; // along a direction of descent; masses alone give 1
static const double FIRST_SHIFT = 1, SHIFT_FACTOR = 4, SMALLEST_SHIFT = 0.05;
static const double SHORTENED = 0.5;            // of the free path: see `adapt_shift`
static const double WELL_TOLD = 0.3, DROP = 64; // see `adapt_shift`
static const double WORST = 1e4;                // growth of the residual that a step may bring
static const double FAR_DOWN = 0.3;             // of the slope where a step began
enum { MAX_DOUBLINGS = 6 };
static const double HALVED = 0.25; // of r·r, see `is_well_placed`
enum { PATIENCE = 3 };             // rounds, see `is_well_placed`
// Shorter steps lead nowhere: r jumps, or has come down to round-off.
static const double LEAST_LENGTH = 1e-9;

bool st_descent_parts_create(StSearch *search, StDescentParts *parts) {
  size_t rows = (size_t)search->problem->size / 3;
  *parts = (StDescentParts){.search = search,
                            .count = 1,
                            .part = ST_NEW(StDescentPart, rows + 1),
                            .of = ST_NEW(int, 2 * rows + 1),
                            .sum = ST_NEW(double, rows + 1),
                            .parked = ST_NEW(bool, 2 * rows)};
  parts->waiting = parts->parked ? parts->parked + rows : NULL;
  parts->to = parts->of ? parts->of + rows : NULL;
  return parts->part && parts->of && parts->sum && parts->parked;
}

void st_descent_parts_free(StDescentParts *parts) {
  free(parts->part);
  free(parts->of);
  free(parts->sum);
  free(parts->parked);
}

const double *st_descent_parts_dots(StDescentParts *parts, const double *a, const double *b) {
  StSearch *s = parts->search;
  for (int k = 0; k < parts->count; k++)
    parts->sum[k] = 0;
  for (int i = 0; i < s->problem->size; i++)
    parts->sum[parts->of[i / 3]] += a[i] * b[i];
  if (parts->count == 1 && st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, parts->sum, 1, MPI_DOUBLE, MPI_SUM, st_communicator());
  return parts->sum;
}

void st_descent_parts_find(StDescentParts *parts) {
  StSearch *s = parts->search;
  parts->count =
      s->problem->find_parts ? s->problem->find_parts(s->problem->context, parts->of) : 1;
  for (int k = 0; k < parts->count; k++)
    parts->part[k] = (StDescentPart){0};
  for (int row = 0; row < s->problem->size / 3; row++) {
    StDescentPart *part = &parts->part[parts->of[row]];
    part->shift = fmax(part->shift, s->shift[row]);
  }
  if (parts->count == 1) // a rank may have no rows
    parts->part[0].shift = s->shifted;
}

void st_descent_parts_share_shifts(StDescentParts *parts) {
  StSearch *s = parts->search;
  s->shifted = 0;
  for (int row = 0; row < s->problem->size / 3; row++)
    s->shift[row] = parts->part[parts->of[row]].shift;
  for (int k = 0; k < parts->count; k++)
    s->shifted = fmax(s->shifted, parts->part[k].shift);
}

void st_descent_parts_set(StDescentParts *parts, double length) {
  for (int k = 0; k < parts->count; k++) {
    StDescentPart *part = &parts->part[k];
    part->length = part->most = part->far = length;
    part->near = 0;
  }
}

void st_descent_parts_join(StDescentParts *parts) {
  StSearch *s = parts->search;
  StDescentPart all = {.most = s->free, .far = s->free, .length = s->free};
  for (int k = 0; k < parts->count; k++) {
    const StDescentPart *part = &parts->part[k];
    all.shift = fmax(all.shift, part->shift);
    all.square += part->square;
    all.slope += part->slope;
    all.before += part->before;
    all.length = fmin(all.length, part->length);
  }
  parts->part[0] = all;
  parts->count = 1;
  memset(parts->of, 0, (size_t)s->problem->size / 3 * sizeof(int));
}

void st_descent_parts_note_slopes(StDescentParts *parts) {
  StSearch *s = parts->search;
  const double *sum = st_descent_parts_dots(parts, s->r, s->p);
  for (int k = 0; k < parts->count; k++)
    if (sum[k] < 0) // of a chord that leads up the straight way may lead down
      parts->part[k].slope = sum[k];
}

bool st_descent_parts_lead_down(StDescentParts *parts, bool solved) {
  StSearch *s = parts->search;
  bool down = true;
  const double *sum = st_descent_parts_dots(parts, s->p, s->p);
  for (int k = 0; k < parts->count; k++)
    parts->part[k].square = sum[k];
  sum = st_descent_parts_dots(parts, s->r, s->p);
  for (int k = 0; k < parts->count; k++) {
    StDescentPart *part = &parts->part[k];
    part->slope = sum[k];
    part->ready = solved && (part->idle || -part->slope >= LEAST_CURVATURE * part->square);
    if (part->ready)
      continue;
    down = false;
    part->shift = fmax(SHIFT_FACTOR * part->shift, FIRST_SHIFT);
    if (solved && part->square > 0) // J + shift has the curvature -slope/square along p
      part->shift = fmax(part->shift, 2 * part->slope / part->square);
  }
  return down;
}

void st_descent_parts_wait(StDescentParts *parts) {
  StSearch *s = parts->search;
  int rows = s->problem->size / 3;
  if (parts->count == 1)
    return;
  for (int row = 0; row < rows; row++)
    parts->waiting[row] = parts->part[parts->of[row]].ready;
  memcpy(s->trial, s->p, 3 * (size_t)rows * sizeof(double));
  s->waiting = parts->waiting;
}

void st_descent_parts_meet(StDescentParts *parts) {
  StSearch *s = parts->search;
  for (int i = 0; i < s->problem->size && s->waiting; i++)
    if (s->waiting[i / 3])
      s->p[i] = s->trial[i];
}

// What a part asks for is within the tolerance: the last digits of r say nothing of its length.
void st_descent_parts_find_idle(StDescentParts *parts) {
  StSearch *s = parts->search;
  double tolerance = s->options->change_tolerance;
  if (parts->count == 1)
    return;
  for (int k = 0; k < parts->count; k++)
    parts->part[k].idle = parts->part[k].shift == 0;
  for (int row = 0; row < s->problem->size / 3; row++) {
    double square = 0;
    for (int i = 3 * row; i < 3 * row + 3; i++)
      square += s->problem->scale[i] * s->p[i] * s->problem->scale[i] * s->p[i];
    if (square > tolerance * tolerance)
      parts->part[parts->of[row]].idle = false;
  }
}

static bool go_equally_far(const StDescentParts *parts) {
  for (int k = 1; k < parts->count; k++)
    if (parts->part[k].length != parts->part[0].length)
      return false;
  return true;
}

static void stop_doubling(StDescentPart *part) {
  part->length /= 2;
  part->goes_on = false;
}

// Whether all that go farther than their whole way may do so; those that may not no longer do.
static bool may_go_on(StDescentParts *parts, bool free) {
  bool may = true;
  for (int k = 0; k < parts->count; k++)
    if (parts->part[k].length > 1 && !(free && parts->sum[k] == parts->part[k].length)) {
      stop_doubling(&parts->part[k]);
      may = false;
    }
  return may;
}

// Puts into trial where each part goes its own length, or less where something is in its way.
static bool go_apart(StDescentParts *parts) {
  StSearch *s = parts->search;
  bool free;
  do {
    free = false;
    for (int k = 0; k < parts->count; k++)
      parts->sum[k] = parts->part[k].length;
    if (s->problem->part_ways(s->problem->context, s->y, s->way, parts->sum, s->trial, &free) !=
        ST_OK)
      return false;
  } while (!may_go_on(parts, free));
  for (int k = 0; k < parts->count && free; k++) {
    StDescentPart *part = &parts->part[k];
    if (parts->sum[k] < part->length)
      part->most = part->length = parts->sum[k], part->goes_on = false;
  }
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] += s->y[i];
  return free;
}

static void join_part(StDescentPart *part, const StDescentPart *other) {
  part->uneven = part->uneven || other->uneven || part->length != other->length;
  part->shift = fmax(part->shift, other->shift);
  part->square += other->square;
  part->slope += other->slope;
  part->end += other->end;
  part->before += other->before;
  part->after += other->after;
  part->reached += other->reached;
  part->length = fmin(part->length, other->length);
  part->most = fmin(part->most, other->most);
  part->near = 0;
  part->far = part->most;
  part->goes_on = part->goes_on && other->goes_on;
  part->idle = part->idle && other->idle;
}

// What came to touch on the way goes equally far.
static void join_coupled_parts(StDescentParts *parts) {
  StSearch *s = parts->search;
  int before = parts->count, count = s->problem->join_parts(s->problem->context, parts->to);
  if (count == before)
    return;
  for (int k = 0, next = 0; k < before; k++)
    if (parts->to[k] == next)
      parts->part[next++] = parts->part[k];
    else
      join_part(&parts->part[parts->to[k]], &parts->part[k]);
  for (int row = 0; row < s->problem->size / 3; row++)
    parts->of[row] = parts->to[parts->of[row]];
  parts->count = count;
}

// t·p and t·t, at the trial point.
static void measure_trial(StDescentParts *parts) {
  StSearch *s = parts->search;
  for (int k = 0; k < parts->count; k++)
    parts->part[k].end = parts->part[k].after = 0;
  for (int row = 0; row < s->problem->size / 3; row++) {
    const double *t = s->t + 3 * (size_t)row, *p = s->p + 3 * (size_t)row;
    StDescentPart *part = &parts->part[parts->of[row]];
    part->end += vec3_dot(t, p);
    part->after += vec3_dot(t, t);
  }
  if (parts->count > 1 || st_runtime_size() == 1)
    return;
  double sums[] = {parts->part[0].end, parts->part[0].after};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, st_communicator());
  parts->part[0].end = sums[0];
  parts->part[0].after = sums[1];
}

// The same as st_search_try, for lengths of parts.
static bool try_parts(StDescentParts *parts, double *norm) {
  StSearch *s = parts->search;
  bool inside;
  if (!go_equally_far(parts) && !go_apart(parts))
    st_descent_parts_join(parts);
  if (go_equally_far(parts))
    inside = st_search_try(s, parts->part[0].length, norm);
  else
    inside = st_search_try_trial(s, norm);
  if (!inside)
    return false;
  measure_trial(parts);
  if (parts->count > 1)
    join_coupled_parts(parts);
  return true;
}

// A barrier that is far too narrow opens by a factor of two per step of Newton's method: where r
// points nearly as far down at the end of a step as at its beginning, the step is doubled instead.
static bool is_far_enough(StDescentPart *part, bool inside) {
  bool more = part->goes_on && part->end <= FAR_DOWN * part->slope;
  if (part->length > 1 && !(inside && part->end <= 0 && part->after < part->reached)) {
    stop_doubling(part);
    return false;
  }
  if (!more || part->length >= 1 << MAX_DOUBLINGS)
    return true;
  part->reached = part->after;
  part->length *= 2;
  return false;
}

// Whether a part may stay at its trial point. If not, it has another length to try. Others wait for
// it, so in a hurry it is enough that it went down. One that is idle may stay anywhere, because in
// round-off no length is better than another; but not at once if its residual has not halved, or it
// could go back and forth across a kink for good.
static bool is_well_placed(StDescentPart *part, bool inside, bool hurry) {
  double there = inside ? part->end : INFINITY;
  if (part->uneven)
    return part->uneven = false;
  if (inside && part->idle && (hurry || part->after <= HALVED * part->before))
    return true;
  if (part->length > 1)
    return is_far_enough(part, inside);
  bool falls = there <= -0.5 * part->slope && part->after <= WORST * WORST * part->before;
  if (falls && part->length == 1)
    return is_far_enough(part, inside);
  if (falls && (hurry || there >= 0.5 * part->slope || part->length == part->most))
    return true;
  *(falls ? &part->near : &part->far) = part->length;
  double secant =
      isfinite(there) && !falls ? part->length * part->slope / (part->slope - there) : 0;
  part->length = part->near > 0
                     ? (hurry ? part->near : sqrt(part->near * part->far))
                     : fmin(fmax(secant, 0.1 * part->length), ST_SEARCH_BACKTRACK * part->length);
  return false;
}

// As far along p as r still points down it, or nearly. Whether a point is too far or too near
// follows from how r points there; walls rise so steeply that the place between is best sought on a
// scale of factors.
bool st_descent_parts_go_down(StDescentParts *parts, double *norm) {
  StSearch *s = parts->search;
  st_descent_parts_set(parts, s->free);
  for (int cut = 0; cut < ST_SEARCH_MAX_CUTS; cut++) {
    bool inside = try_parts(parts, norm), good = true;
    for (int k = 0; k < parts->count; k++) {
      parts->part[k].settled =
          is_well_placed(&parts->part[k], inside, parts->count > 1 && cut >= PATIENCE);
      good = good && parts->part[k].settled;
    }
    if (good)
      return true;
    s->result->line_search_cuts++;
  }
  for (int k = 0; k < parts->count; k++) {
    StDescentPart *part = &parts->part[k];
    if (!part->settled && part->length <= 1)
      part->length = part->near;
    if (!(part->length > LEAST_LENGTH))
      return false;
  }
  return try_parts(parts, norm);
}

double st_descent_parts_take_lengths(StDescentParts *parts) {
  StSearch *s = parts->search;
  double least = parts->part[0].length, most = least;
  for (int k = 1; k < parts->count; k++) {
    least = fmin(least, parts->part[k].length);
    most = fmax(most, parts->part[k].length);
  }
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= parts->part[parts->of[i / 3]].length;
  return least < 1 ? least : most;
}

// Whether r·p at the end of a whole step is about what the Jacobian foretold. Without the shift r
// would become r + J p = -shift p.
static bool is_foretold(const StDescentPart *part) {
  return fabs(part->end + part->shift * part->square) <= WELL_TOLD * fabs(part->slope);
}

// By how much of the free path was taken; what cuts that is no fault of the direction. A shortened
// step shows how much stiffer p is than J said, and the shift makes up for it. Where J foretold
// what happened, it needs little shift; going down in small steps would cost an iteration for each.
// In round-off, where changes are within the tolerance, the length of a step says nothing.
static void adapt_shift(StDescentPart *part, bool tells) {
  double taken = part->length / part->most;
  if (taken < SHORTENED && tells)
    part->shift += -part->slope / part->square * (1 / part->length - 1 / part->most);
  else if (part->length >= 1)
    part->shift /= is_foretold(part) ? DROP : SHIFT_FACTOR;
  else if (taken == 1)
    part->shift /= SHIFT_FACTOR;
  if (part->shift < SMALLEST_SHIFT)
    part->shift = 0;
}

void st_descent_parts_adapt_shifts(StDescentParts *parts) {
  StSearch *s = parts->search;
  double length = 1;
  for (int k = 0; k < parts->count; k++)
    length = fmin(length, parts->part[k].length);
  for (int k = 0; k < parts->count; k++)
    adapt_shift(&parts->part[k],
                !parts->part[k].idle && s->result->change > length * s->options->change_tolerance);
  st_descent_parts_share_shifts(parts);
}

void st_descent_parts_release(StDescentParts *parts) {
  StSearch *s = parts->search;
  if (s->problem->park)
    s->problem->park(s->problem->context, NULL, NULL);
}

// Parts with a residual, beside what strains rigid bodies, are not done.
static void find_done(StDescentParts *parts) {
  StSearch *s = parts->search;
  const double *scale = s->problem->scale;
  memcpy(s->t, s->r, (size_t)s->problem->size * sizeof(double));
  if (s->problem->frame_count > 0)
    st_frames_take_strain(s->problem, s->problem->position, s->t);
  for (int row = 0; row < s->problem->size / 3; row++) {
    double square = 0;
    for (int i = 3 * row; i < 3 * row + 3; i++)
      square += scale[i] * s->t[i] * scale[i] * s->t[i];
    if (!(square <= s->goal * s->goal))
      parts->part[parts->of[row]].idle = false;
  }
}

void st_descent_parts_park(StDescentParts *parts) {
  StSearch *s = parts->search;
  int idle = 0;
  if (!s->problem->park || parts->count == 1 || parts->together)
    return;
  find_done(parts);
  for (int k = 0; k < parts->count; k++)
    idle += parts->part[k].idle;
  parts->together = idle == parts->count;
  if (parts->together)
    st_descent_parts_release(parts);
  if (idle == 0 || parts->together)
    return;
  for (int row = 0; row < s->problem->size / 3; row++)
    parts->parked[row] = parts->part[parts->of[row]].idle;
  s->problem->park(s->problem->context, parts->parked, s->r);
}
