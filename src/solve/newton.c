// Newton's method with residual line search, and descent by shifted Jacobians.
#include "solve/newton.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "solve/frame.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

static const double FORCING_LIMIT = 0.01;            // σ
static const double GOLDEN = 1.61803398874989484820; // φ: exponent of the forcing term
static const double DECREASE = 1e-4;                 // c₁
static const double BACKTRACK = 0.5;                 // ρ
static const double RELATIVE_GOAL = 1e-3;            // of the first residual, see `goal`
static const double SMALLEST_GOAL = 1e-5;            // of the tolerance, see `goal`
// See `is_round_off`. Sums over a surface gather hundreds of roundings.
static const double ROUND_OFF = 1000;   // roundings
static const double BALANCE = 1e-3;     // of the forces that balance
static const double CAUTION = 10;       // see `estimate_left`
static const double WITHIN_REACH = 100; // see `linear_tolerance`
enum { MAX_CUTS = 30, MAX_SHORT = 3 };
enum { INEXACT_ITERATIONS = 8 };            // then couplings that were to be left out have to be in
static const double SHORT = 0.13;           // of a full step
static const double LEAST_CURVATURE = 0.05; // along a direction of descent; masses alone give 1
static const double FIRST_SHIFT = 1, SHIFT_FACTOR = 4, SMALLEST_SHIFT = 0.05;
static const double SHORTENED = 0.5;            // of the free path: see `adapt_shift`
static const double WELL_TOLD = 0.3, DROP = 64; // see `adapt_shift`
enum { MAX_FAILURES = 6 }; // then it is not the shift that the linear solver lacks
enum { MAX_RAISES = 20 };
enum { RECENT = 5, EXTRA_ITERATIONS = 15 };
static const double ARRIVING = 0.2; // of the norm RECENT iterations ago, see `is_at_an_end`
static const double STUCK = 0.5;    // of the residual before, when descent is in round-off
static const double WORST = 1e4;    // growth of the residual that a step of descent may bring
static const double ALMOST = 0.98;  // of a free way, see `measure_way`
static const double FAR_DOWN = 0.3; // of the slope where a step began, see `go_on`
enum { MAX_DOUBLINGS = 6 };
enum { PATIENCE = 3 };              // rounds, see `is_well_placed`
static const double DOMINANT = 0.5; // part of the residual

// What J does not couple with the rest. Each part goes down for itself, as far as suits it.
typedef struct Part {
  double shift;         // of J's diagonal
  double square;        // p·p
  double slope, end;    // r·p where the step begins and at the trial point
  double before, after; // r·r at the same places
  double length, most;  // of its way: what is tried, and what may be
  double near, far;     // lengths that are too short and too long
  double reached;       // r·r at the last length, while that is doubled
  bool goes_on;         // it may be doubled
  bool idle;            // what it asks for is within the tolerance
  bool settled;         // it stays at its trial point
  bool uneven;          // the trial point is at different lengths of its rows
} Part;

typedef struct Search {
  const StProblem *problem;
  const StNewtonOptions *options;
  StNewtonResult *result;
  double *y, *r;         // the iterate and its residual
  double *p, *trial, *t; // direction, trial point and its residual
  double norm, speed, goal;
  double left;           // what is still to change, m/s: an estimate
  int part_count;        // during descent
  Part *part;            // [part_count]
  int *of, *to;          // [rows] part of each, and [part_count]
  double *sum;           // [part_count]
  double *shift;         // [rows] of J's diagonal
  double shifted;        // the largest of them
  double recent[RECENT]; // norms of the last iterates
  int failures;          // of linear solves
  // Where the way may be blocked:
  double free;     // part of the step that leads through nothing
  double *way;     // the straight direction whose arc p is the chord of, or …
  bool round;      // … p is no such chord
  double progress; // of what is prescribed
} Search;

const char *st_newton_reason_text(StNewtonReason reason) {
  switch (reason) {
  case ST_NEWTON_CONVERGED: return "converged";
  case ST_NEWTON_BAD_START: return "the first guess is not admissible";
  case ST_NEWTON_TOO_MANY: return "Newton's method ran out of iterations";
  case ST_NEWTON_NO_DESCENT: return "the line search found no smaller residual";
  case ST_NEWTON_TOO_SLOW: return "Newton's iteration makes hardly any progress";
  case ST_NEWTON_LINEAR_FAILED: return "the linear solver failed";
  case ST_NEWTON_HOPELESS: return "its solution would be rejected";
  case ST_NEWTON_BLOCKED: return "the path is blocked: bodies are already in contact";
  }
  return "unknown";
}

static double over_ranks(double value, MPI_Op operation) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, st_communicator());
  return value;
}

static double dot(const StProblem *problem, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < problem->size; i++)
    sum += a[i] * b[i];
  return over_ranks(sum, MPI_SUM);
}

// a·b of each part; the next call overwrites the last one's.
static const double *dots(Search *s, const double *a, const double *b) {
  for (int k = 0; k < s->part_count; k++)
    s->sum[k] = 0;
  for (int i = 0; i < s->problem->size; i++)
    s->sum[s->of[i / 3]] += a[i] * b[i];
  if (s->part_count == 1)
    s->sum[0] = over_ranks(s->sum[0], MPI_SUM);
  return s->sum;
}

static double norm_of(const StProblem *problem, const double *r) {
  return sqrt(dot(problem, r, r));
}

// A speed that is no number is larger than any: MPI's maximum would lose it.
static double largest(double speed) {
  return over_ranks(isnan(speed) ? INFINITY : speed, MPI_MAX);
}

static double residual_speed(const StProblem *problem, const double *r) {
  return largest(problem->residual_speed(problem->context, r));
}

static double change_speed(const StProblem *problem, const double *dy) {
  return largest(problem->change_speed(problem->context, dy));
}

static void note_norm(StNewtonResult *result, double norm) {
  if (result->norm_count < ST_NEWTON_HISTORY)
    result->norm[result->norm_count++] = norm;
}

// The tolerance is a speed, but a tiny step changes speeds by less than any fixed tolerance:
// without a relative test a body would hover at h → 0. The floor keeps round-off out of reach of
// the test.
static double goal(const StNewtonOptions *options, double speed) {
  double first = fmax(speed, options->start.usual_speed);
  double wanted = fmin(options->velocity_tolerance, RELATIVE_GOAL * first);
  return fmax(wanted, SMALLEST_GOAL * options->velocity_tolerance);
}

static bool converged(const Search *s) {
  bool moved = s->result->iterations > 0;
  bool settled = moved ? s->left <= s->options->change_tolerance : !s->options->start.extrapolated;
  return s->progress == 1 && s->speed <= s->goal && settled;
}

// Whether the residual is nothing but round-off, and that does no harm. Stiff forces over a long
// step magnify the last digit of a position to more than any tolerance, and no iteration can bring
// the residual below that. The velocity must be known within the tolerance all the same (`wanted`:
// Newton's correction for this residual, m/s), and so must the forces, to some digits: where the
// residual is as large as they are, nothing is in balance.
static bool is_round_off(Search *s, double wanted) {
  const StProblem *problem = s->problem;
  StRoundOff own;
  if (!problem->round_off || problem->round_off(problem->context, s->y, s->r, &own) != ST_OK)
    return false;
  double noise = largest(own.noise), terms = largest(own.terms);
  bool known = noise * wanted <= s->options->velocity_tolerance * s->speed;
  return s->speed <= ROUND_OFF * noise && s->speed <= BALANCE * terms && known;
}

// Whether the couplings are in the directions, whoever left them out at first.
static bool is_coupled(const Search *s) {
  return s->result->iterations >= INEXACT_ITERATIONS;
}

static bool is_rough(const Search *s) {
  return s->options->rough && !is_coupled(s);
}

// Whether an iterate that cannot be improved is good enough: its residual is within the tolerance
// if not as small as hoped for, or as small as numbers allow. That the correction asked for is
// small is not enough: where J is huge it is so however large the residual.
static bool stagnated_at_solution(Search *s) {
  double wanted = change_speed(s->problem, s->p);
  double tolerance = s->options->velocity_tolerance;
  if (s->speed <= tolerance && wanted <= s->options->change_tolerance)
    return true;
  bool telling = !is_rough(s) && s->shifted == 0;
  return telling && wanted <= tolerance && is_round_off(s, wanted);
}

static StStatus stop(Search *s, StNewtonReason reason) {
  s->result->reason = reason;
  s->result->speed = s->speed;
  return reason == ST_NEWTON_CONVERGED ? ST_OK : ST_NOT_SOLVED;
}

// Newton that has lost its way creeps: better to start again from a smaller step.
static bool creeps(const StNewtonResult *result) {
  const int span = 15;
  int last = result->norm_count - 1;
  return last >= span && last < ST_NEWTON_HISTORY - 1 &&
         result->norm[last] > 0.9 * result->norm[last - span];
}

static double forcing_term(const Search *s, double norm_before) {
  if (!s->options->inexact)
    return 0;
  if (norm_before <= 0)
    return FORCING_LIMIT;
  return fmin(pow(s->norm / norm_before, GOLDEN), FORCING_LIMIT);
}

// No use in solving far below what ends the iteration. Where Newton's method, which squares what it
// leaves, is about to come down to that, a few more linear iterations spare another of its own.
static double linear_tolerance(const Search *s, double forcing, double norm_before) {
  double enough = 0.1 * s->goal / fmax(s->speed, s->goal), last = s->norm / norm_before;
  if (norm_before > 0 && last * last <= WITHIN_REACH * enough)
    forcing = fmin(forcing, enough);
  return fmax(fmax(forcing, fmin(enough, FORCING_LIMIT)), 1e-12);
}

// Puts the point that far along the arc whose chord p is into trial, if the way there is free. On
// the chord itself a rigid body that turns is strained, and the residual says nothing else.
static bool go_along_arc(Search *s, double length) {
  double part = 0;
  if (!s->round || !(length < s->free))
    return false;
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] = length * s->way[i];
  s->problem->turn(s->problem->context, s->y, s->trial);
  if (s->problem->limit(s->problem->context, s->y, s->trial, &part) != ST_OK || part < 1)
    return false;
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] += s->y[i];
  return true;
}

// Fills t with the residual at trial.
static bool try_trial(Search *s, double *norm) {
  s->result->evaluations++;
  if (s->problem->residual(s->problem->context, s->trial, s->t) != ST_OK)
    return false;
  *norm = norm_of(s->problem, s->t);
  return isfinite(*norm);
}

// Fills trial and t with the point that far along p and its residual. False when it lies outside
// the domain, which also ends where numbers do.
static bool try_point(Search *s, double length, double *norm) {
  if (!go_along_arc(s, length))
    for (int i = 0; i < s->problem->size; i++)
      s->trial[i] = s->y[i] + length * s->p[i];
  if (s->progress < 1)
    s->problem->set_progress(s->problem->context, s->progress + length * (1 - s->progress));
  return try_trial(s, norm);
}

static bool falls_enough(Search *s, double length, double forcing, double *norm) {
  return try_point(s, length, norm) && *norm <= (1 - DECREASE * length * (1 - forcing)) * s->norm;
}

// Backtracks until the residual falls enough. Fills trial and t; false when nothing helps, or when
// no help is needed because the iterate is the solution (*at_solution).
static bool line_search(Search *s, double forcing, double *length, double *norm,
                        bool *at_solution) {
  *length = 1;
  *at_solution = false;
  for (int cut = 0; cut < MAX_CUTS; cut++, *length *= BACKTRACK) {
    if (falls_enough(s, *length, forcing, norm))
      return true;
    if (cut == 0 && (*at_solution = stagnated_at_solution(s)))
      return false;
    s->result->line_search_cuts++;
  }
  return false;
}

// Close to the solution a whole step of Newton's method brings the error down like the residual.
// The next change is the error of this one: there is no need to make it to see that it is small.
static double estimate_left(const Search *s, double length, double norm) {
  double contraction = length == 1 && s->shifted == 0 ? CAUTION * norm / s->norm : 1;
  return fmin(contraction, 1) * s->result->change;
}

// p has become the way to trial: all of it, or that part.
static void accept(Search *s, double length, double norm) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  s->result->change = change_speed(s->problem, s->p);
  s->left = estimate_left(s, length, norm);
  s->progress += length * (1 - s->progress);
  s->recent[s->result->iterations % RECENT] = s->norm;
  memcpy(s->y, s->trial, bytes);
  memcpy(s->r, s->t, bytes);
  s->norm = norm;
  s->speed = residual_speed(s->problem, s->r);
  s->result->iterations++;
  note_norm(s->result, norm);
}

// Trials may have left what is prescribed elsewhere.
static void restore_progress(const Search *s) {
  if (s->problem->set_progress)
    s->problem->set_progress(s->problem->context, s->progress);
}

static StStatus find_direction(Search *s, StLinear *linear, double tolerance, StError *error) {
  restore_progress(s);
  ST_TRY(s->problem->linearise(s->problem->context, s->y, s->shifted > 0 ? s->shift : NULL));
  for (int i = 0; i < s->problem->size; i++)
    s->t[i] = -s->r[i];
  if (s->progress < 1)
    ST_TRY(s->problem->drive(s->problem->context, s->y, s->r, s->t));
  int iterations = 0;
  StError *detail = &s->result->detail;
  bool walled = s->problem->limit != NULL;
  StLinearGoal wanted = {.tolerance = tolerance,
                         .stay = s->options->impatient || (s->options->descent && !walled),
                         .coupled = is_coupled(s)};
  StStatus status = st_linear_solve(linear, s->t, wanted, s->p, &iterations, detail);
  s->result->linear_iterations += iterations;
  if (status != ST_OK && status != ST_NOT_SOLVED)
    st_fail(error, status, "%s", detail->text);
  return status;
}

static StStatus iterate(Search *s, StLinear *linear, StError *error) {
  double norm_before = 0;
  int short_steps = 0; // in a row
  while (!converged(s)) {
    if (s->result->iterations >= s->options->max_iterations)
      return stop(s, ST_NEWTON_TOO_MANY);
    if (creeps(s->result))
      return stop(s, ST_NEWTON_TOO_SLOW);
    double forcing = forcing_term(s, norm_before);
    StStatus status = find_direction(s, linear, linear_tolerance(s, forcing, norm_before), error);
    if (status == ST_NOT_SOLVED)
      return stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    double length, norm = 0;
    bool at_solution;
    norm_before = s->norm;
    if (!line_search(s, forcing, &length, &norm, &at_solution))
      return stop(s, at_solution ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT);
    for (int i = 0; i < s->problem->size; i++)
      s->p[i] *= length;
    accept(s, length, norm);
    short_steps = length <= SHORT ? short_steps + 1 : 0;
    if (s->options->impatient && short_steps == MAX_SHORT && !converged(s))
      return stop(s, ST_NEWTON_TOO_SLOW);
  }
  return stop(s, ST_NEWTON_CONVERGED);
}

// Shorter steps lead nowhere: r jumps, or has come down to round-off.
static const double LEAST_LENGTH = 1e-9;

static void set_parts(Search *s, double length) {
  for (int k = 0; k < s->part_count; k++) {
    Part *part = &s->part[k];
    part->length = part->most = part->far = length;
    part->near = 0;
  }
}

// Parts that cannot be told apart on the way go as one.
static void join_parts(Search *s) {
  Part all = {.most = s->free, .far = s->free, .length = s->free};
  for (int k = 0; k < s->part_count; k++) {
    const Part *part = &s->part[k];
    all.shift = fmax(all.shift, part->shift);
    all.square += part->square;
    all.slope += part->slope;
    all.before += part->before;
    all.length = fmin(all.length, part->length);
  }
  s->part[0] = all;
  s->part_count = 1;
  memset(s->of, 0, (size_t)s->problem->size / 3 * sizeof(int));
}

static bool go_equally_far(const Search *s) {
  for (int k = 1; k < s->part_count; k++)
    if (s->part[k].length != s->part[0].length)
      return false;
  return true;
}

static void stop_doubling(Part *part) {
  part->length /= 2;
  part->goes_on = false;
}

// Whether all that go farther than their whole way may do so; those that may not no longer do.
static bool may_go_on(Search *s, bool free) {
  bool may = true;
  for (int k = 0; k < s->part_count; k++)
    if (s->part[k].length > 1 && !(free && s->sum[k] == s->part[k].length)) {
      stop_doubling(&s->part[k]);
      may = false;
    }
  return may;
}

// Puts into trial where each part goes its own length, or less where something is in its way.
static bool go_apart(Search *s) {
  bool free;
  do {
    free = false;
    for (int k = 0; k < s->part_count; k++)
      s->sum[k] = s->part[k].length;
    if (s->problem->part_ways(s->problem->context, s->y, s->way, s->sum, s->trial, &free) != ST_OK)
      return false;
  } while (!may_go_on(s, free));
  for (int k = 0; k < s->part_count && free; k++) {
    Part *part = &s->part[k];
    if (s->sum[k] < part->length)
      part->most = part->length = s->sum[k], part->goes_on = false;
  }
  for (int i = 0; i < s->problem->size; i++)
    s->trial[i] += s->y[i];
  return free;
}

static void join_part(Part *part, const Part *other) {
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
static void join_coupled_parts(Search *s) {
  int before = s->part_count, count = s->problem->join_parts(s->problem->context, s->to);
  if (count == before)
    return;
  for (int k = 0, next = 0; k < before; k++)
    if (s->to[k] == next)
      s->part[next++] = s->part[k];
    else
      join_part(&s->part[s->to[k]], &s->part[k]);
  for (int row = 0; row < s->problem->size / 3; row++)
    s->of[row] = s->to[s->of[row]];
  s->part_count = count;
}

// The same as try_point, for lengths of parts.
static bool try_parts(Search *s, double *norm) {
  bool inside;
  if (!go_equally_far(s) && !go_apart(s))
    join_parts(s);
  if (go_equally_far(s))
    inside = try_point(s, s->part[0].length, norm);
  else
    inside = try_trial(s, norm);
  if (!inside)
    return false;
  const double *sum = dots(s, s->t, s->p);
  for (int k = 0; k < s->part_count; k++)
    s->part[k].end = sum[k];
  sum = dots(s, s->t, s->t);
  for (int k = 0; k < s->part_count; k++)
    s->part[k].after = sum[k];
  if (s->part_count > 1)
    join_coupled_parts(s);
  return true;
}

// A barrier that is far too narrow opens by a factor of two per step of Newton's method: where r
// points nearly as far down at the end of a step as at its beginning, the step is doubled instead.
static bool is_far_enough(Part *part, bool inside) {
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
// it, so in a hurry it is enough that it went down.
static bool is_well_placed(Part *part, bool inside, bool hurry) {
  double there = inside ? part->end : INFINITY;
  if (part->uneven)
    return part->uneven = false;
  if (inside && part->idle)
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
  part->length = part->near > 0 ? (hurry ? part->near : sqrt(part->near * part->far))
                                : fmin(fmax(secant, 0.1 * part->length), BACKTRACK * part->length);
  return false;
}

// As far along p as r still points down it, or nearly. Whether a point is too far or too near
// follows from how r points there; walls rise so steeply that the place between is best sought on a
// scale of factors.
static bool falls_along(Search *s, double *norm) {
  set_parts(s, s->free);
  for (int cut = 0; cut < MAX_CUTS; cut++) {
    bool inside = try_parts(s, norm), good = true;
    for (int k = 0; k < s->part_count; k++) {
      s->part[k].settled =
          is_well_placed(&s->part[k], inside, s->part_count > 1 && cut >= PATIENCE);
      good = good && s->part[k].settled;
    }
    if (good)
      return true;
    s->result->line_search_cuts++;
  }
  for (int k = 0; k < s->part_count; k++) {
    Part *part = &s->part[k];
    if (!part->settled && part->length <= 1)
      part->length = part->near;
    if (!(part->length > LEAST_LENGTH))
      return false;
  }
  return try_parts(s, norm);
}

// While what is prescribed is on its way there is no residual to compare with: as far as the way is
// free and inside the domain.
static bool follow(Search *s, double *length, double *norm) {
  *length = s->free;
  for (int cut = 0; cut < MAX_CUTS; cut++, *length *= BACKTRACK)
    if (try_point(s, *length, norm))
      return true;
  return false;
}

// Makes p lead along arcs, a share of the way. The straight p is in `trial`.
static StStatus go_round(Search *s, double share) {
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] = s->way[i] = share * s->trial[i];
  s->problem->turn(s->problem->context, s->y, s->p);
  return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
}

// Of p as a chord.
static void note_slopes(Search *s) {
  const double *sum = dots(s, s->r, s->p);
  for (int k = 0; k < s->part_count; k++)
    if (sum[k] < 0) // of a chord that leads up the straight way may lead down
      s->part[k].slope = sum[k];
}

// What nothing is in the way of goes all the way. Each part of p leads down for itself. All wait
// for a part that goes on, so only one that matters may.
static StStatus part_ways(Search *s, bool *parted) {
  set_parts(s, 1);
  for (int k = 0; k < s->part_count; k++)
    s->sum[k] = 1;
  ST_TRY(s->problem->part_ways(s->problem->context, s->y, s->trial, s->sum, s->p, parted));
  if (!*parted)
    return ST_OK;
  s->round = *parted = dot(s->problem, s->r, s->p) < 0;
  if (!*parted)
    return ST_OK;
  for (int k = 0; k < s->part_count; k++) {
    s->part[k].goes_on = s->sum[k] == 1 && s->part[k].before > DOMINANT * s->norm * s->norm;
    s->part[k].slope *= s->sum[k];
    s->part[k].square *= s->sum[k] * s->sum[k];
  }
  for (int i = 0; i < s->problem->size; i++)
    s->way[i] = s->sum[s->of[i / 3]] * s->trial[i];
  return ST_OK;
}

// How far p may lead; where something turns, p becomes the chord of its arc. Of a shorter arc it is
// another one. Near the solution arcs are as good as straight.
static StStatus measure_way(Search *s) {
  bool parted = false;
  s->free = 1;
  s->round = false;
  for (int k = 0; k < s->part_count; k++)
    s->part[k].goes_on = false;
  const double *sum = dots(s, s->r, s->r);
  for (int k = 0; k < s->part_count; k++)
    s->part[k].before = sum[k];
  if (!s->problem->limit)
    return ST_OK;
  if (!s->problem->turn)
    return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
  memcpy(s->trial, s->p, (size_t)s->problem->size * sizeof(double));
  if (s->progress == 1 && s->part_count > 1)
    ST_TRY(part_ways(s, &parted));
  if (parted) {
    note_slopes(s);
    return ST_OK;
  }
  join_parts(s);
  ST_TRY(go_round(s, 1));
  if (s->progress < 1)
    return ST_OK;
  s->part[0].goes_on = s->free == 1;
  if (s->free > 0 && s->free < 1)
    ST_TRY(go_round(s, ALMOST * s->free));
  s->round = dot(s->problem, s->r, s->p) < 0;
  if (s->round) {
    note_slopes(s);
    return ST_OK;
  }
  memcpy(s->p, s->trial, (size_t)s->problem->size * sizeof(double));
  return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
}

static void share_shifts(Search *s) {
  s->shifted = 0;
  for (int row = 0; row < s->problem->size / 3; row++)
    s->shift[row] = s->part[s->of[row]].shift;
  for (int k = 0; k < s->part_count; k++)
    s->shifted = fmax(s->shifted, s->part[k].shift);
}

// Those of the matrix that was solved for last.
static void find_parts(Search *s) {
  s->part_count = s->problem->find_parts ? s->problem->find_parts(s->problem->context, s->of) : 1;
  for (int k = 0; k < s->part_count; k++)
    s->part[k] = (Part){0};
  for (int row = 0; row < s->problem->size / 3; row++) {
    Part *part = &s->part[s->of[row]];
    part->shift = fmax(part->shift, s->shift[row]);
  }
  if (s->part_count == 1) // a rank may have no rows
    s->part[0].shift = s->shifted;
}

// Whether the shifted J is positive along each part of p. If not, that part gets a larger shift.
static bool leads_down(Search *s, bool solved) {
  bool down = true;
  const double *sum = dots(s, s->p, s->p);
  for (int k = 0; k < s->part_count; k++)
    s->part[k].square = sum[k];
  sum = dots(s, s->r, s->p);
  for (int k = 0; k < s->part_count; k++) {
    Part *part = &s->part[k];
    part->slope = sum[k];
    if (solved && (part->idle || -part->slope >= LEAST_CURVATURE * part->square))
      continue;
    down = false;
    part->shift = fmax(SHIFT_FACTOR * part->shift, FIRST_SHIFT);
    if (solved && part->square > 0) // J + shift has the curvature -slope/square along p
      part->shift = fmax(part->shift, 2 * part->slope / part->square);
  }
  return down;
}

// What a part asks for is within the tolerance: the last digits of r say nothing of its length.
static void find_idle(Search *s) {
  double tolerance = s->options->change_tolerance;
  if (s->part_count == 1)
    return;
  for (int k = 0; k < s->part_count; k++)
    s->part[k].idle = s->part[k].shift == 0;
  for (int row = 0; row < s->problem->size / 3; row++) {
    double square = 0;
    for (int i = 3 * row; i < 3 * row + 3; i++)
      square += s->problem->scale[i] * s->p[i] * s->problem->scale[i] * s->p[i];
    if (square > tolerance * tolerance)
      s->part[s->of[row]].idle = false;
  }
}

// A direction p = -J⁻¹ r along which the shifted J is positive, so that r points down it.
static StStatus find_descent(Search *s, StLinear *linear, StError *error) {
  for (int raise = 0; raise < MAX_RAISES; raise++) {
    StStatus status = find_direction(s, linear, s->options->inexact ? FORCING_LIMIT : 0, error);
    if (status != ST_OK && status != ST_NOT_SOLVED)
      return status;
    if (status == ST_NOT_SOLVED && ++s->failures > MAX_FAILURES)
      return status;
    find_parts(s);
    if (status == ST_OK)
      find_idle(s);
    if (leads_down(s, status == ST_OK))
      return ST_OK;
    share_shifts(s);
  }
  return ST_NOT_SOLVED;
}

// Whether r·p at the end of a whole step is about what the Jacobian foretold. Without the shift r
// would become r + J p = -shift p.
static bool is_foretold(const Part *part) {
  return fabs(part->end + part->shift * part->square) <= WELL_TOLD * fabs(part->slope);
}

// By how much of the free path was taken; what cuts that is no fault of the direction. A shortened
// step shows how much stiffer p is than J said, and the shift makes up for it. Where J foretold
// what happened, it needs little shift; going down in small steps would cost an iteration for each.
// In round-off, where changes are within the tolerance, the length of a step says nothing.
static void adapt_shift(Part *part, bool tells) {
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

static void adapt_shifts(Search *s) {
  double length = 1;
  for (int k = 0; k < s->part_count; k++)
    length = fmin(length, s->part[k].length);
  for (int k = 0; k < s->part_count; k++)
    adapt_shift(&s->part[k],
                !s->part[k].idle && s->result->change > length * s->options->change_tolerance);
  share_shifts(s);
}

// While what is prescribed is on its way, p has to go along with it, up or down.
static StStatus find_step(Search *s, StLinear *linear, StError *error) {
  if (s->progress == 1)
    return find_descent(s, linear, error);
  return find_direction(s, linear, s->options->inexact ? FORCING_LIMIT : 0, error);
}

// What Newton's method would still change is small, and so is the residual; or it no longer gets
// smaller, and is within the tolerance or nothing but round-off. Descent itself does not notice: in
// round-off every step seems to lead down.
static bool is_solved(Search *s, double norm_before) {
  if (s->progress < 1 || s->shifted > 0)
    return false;
  double wanted = change_speed(s->problem, s->p);
  bool stuck = s->norm > STUCK * norm_before;
  bool small = s->speed <= s->goal || (stuck && s->speed <= s->options->velocity_tolerance);
  bool exact = stuck && !is_rough(s);
  return wanted <= s->options->change_tolerance && (small || (exact && is_round_off(s, wanted)));
}

// Whether rigid bodies are in balance as far as they move: within the tolerance, like all else.
// What strains them is a million times stiffer than other forces, and in round-off long before. On
// several ranks, of which some may have no rigid body, nobody asks.
static bool is_balanced(Search *s) {
  if (st_runtime_size() > 1 || s->problem->frame_count == 0)
    return false;
  memcpy(s->t, s->r, (size_t)s->problem->size * sizeof(double));
  st_frames_take_strain(s->problem, s->problem->position, s->t);
  return residual_speed(s->problem, s->t) <= s->goal;
}

// The same by the last Jacobian's factors, where it leaves no doubt: the present one is not needed
// just to see that nothing is left to do. Of bodies that are in balance the strain, too, has to be
// known within the tolerance.
static bool is_clearly_solved(Search *s, StLinear *linear, double norm_before) {
  if (!s->problem->limit || s->progress < 1 || s->shifted > 0 || is_rough(s) ||
      s->result->iterations == 0)
    return false;
  bool stuck = s->norm > STUCK * norm_before, balanced = is_balanced(s);
  if (!(stuck || balanced) || !st_linear_estimate(linear, s->r, s->p))
    return false;
  double wanted = CAUTION * change_speed(s->problem, s->p);
  if (balanced && wanted <= s->options->velocity_tolerance)
    return true;
  return stuck && wanted <= s->options->change_tolerance && is_round_off(s, wanted);
}

// p becomes the way to the trial point. The length of all parts, or of the shortest.
static double take_lengths(Search *s) {
  double least = s->part[0].length, most = least;
  for (int k = 1; k < s->part_count; k++) {
    least = fmin(least, s->part[k].length);
    most = fmax(most, s->part[k].length);
  }
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= s->part[s->of[i / 3]].length;
  return least < 1 ? least : most;
}

static bool take_step(Search *s) {
  double norm = 0, length;
  if (s->progress == 1) {
    if (!falls_along(s, &norm))
      return false;
    accept(s, take_lengths(s), norm);
    adapt_shifts(s);
    return true;
  }
  if (!follow(s, &length, &norm))
    return false;
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= length;
  accept(s, length, norm);
  return true;
}

// Whether the iterations are used up. Descent that has come close enough to fall fast is let go on:
// it is nearly done, and the answer to a failure is to begin again with a smaller step.
static bool is_at_an_end(const Search *s) {
  int iterations = s->result->iterations, extra = iterations - s->options->max_iterations;
  if (extra < 0 || iterations < RECENT)
    return extra >= 0;
  return extra >= EXTRA_ITERATIONS || s->norm > ARRIVING * s->recent[iterations % RECENT];
}

static bool is_hopeless(const Search *s) {
  return s->problem->hopeless && s->progress == 1 && s->problem->hopeless(s->problem->context);
}

static StStatus follow_change(Search *s) {
  const StProblem *problem = s->problem;
  if (!problem->changed || s->progress < 1 || !problem->changed(problem->context))
    return ST_OK;
  s->result->evaluations++;
  ST_TRY(problem->residual(problem->context, s->y, s->r));
  s->norm = norm_of(problem, s->r);
  s->speed = residual_speed(problem, s->r);
  s->left = INFINITY;
  return isfinite(s->norm) ? ST_OK : ST_NOT_SOLVED;
}

static StStatus descend(Search *s, StLinear *linear, StError *error) {
  double norm_before = INFINITY;
  while (!converged(s)) {
    if (is_at_an_end(s))
      return stop(s, ST_NEWTON_TOO_MANY);
    if (is_clearly_solved(s, linear, norm_before))
      return stop(s, ST_NEWTON_CONVERGED);
    StStatus status = find_step(s, linear, error);
    if (status == ST_NOT_SOLVED)
      return stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    if (s->problem->limit && is_solved(s, norm_before))
      return stop(s, ST_NEWTON_CONVERGED);
    norm_before = s->norm;
    ST_TRY(measure_way(s));
    if (!(s->free > 0))
      return stop(s, ST_NEWTON_BLOCKED);
    if (!take_step(s)) {
      restore_progress(s);
      bool done = s->progress == 1 && stagnated_at_solution(s);
      return stop(s, done ? ST_NEWTON_CONVERGED : ST_NEWTON_NO_DESCENT);
    }
    if (is_hopeless(s))
      return stop(s, ST_NEWTON_HOPELESS);
    StStatus changed = follow_change(s);
    if (changed == ST_NOT_SOLVED)
      return stop(s, ST_NEWTON_NO_DESCENT);
    ST_TRY(changed);
  }
  return stop(s, ST_NEWTON_CONVERGED);
}

// A first residual that is no number says no more than one outside the domain.
static StStatus start(Search *s) {
  const StProblem *problem = s->problem;
  s->free = 1;
  s->progress = problem->moves && problem->moves(problem->context) ? 0 : 1;
  restore_progress(s);
  if (!s->options->start.evaluated) {
    s->result->evaluations++;
    StStatus status = problem->residual(problem->context, s->y, s->r);
    if (status == ST_NOT_SOLVED)
      return stop(s, ST_NEWTON_BAD_START);
    ST_TRY(status);
  }
  s->norm = norm_of(s->problem, s->r);
  s->speed = residual_speed(s->problem, s->r);
  s->goal = goal(s->options, s->speed);
  note_norm(s->result, s->norm);
  return isfinite(s->norm) && isfinite(s->speed) ? ST_OK : stop(s, ST_NEWTON_BAD_START);
}

StStatus st_newton_solve(const StProblem *problem, StLinear *linear, const StNewtonOptions *options,
                         double *y, double *r, StNewtonResult *result, StError *error) {
  *result = (StNewtonResult){0};
  size_t n = (size_t)problem->size, rows = n / 3;
  double *scratch = ST_NEW(double, 4 * n + 2 * rows + 1);
  Part *part = ST_NEW(Part, rows + 1);
  int *of = ST_NEW(int, 2 * rows + 1);
  StStatus status = scratch && part && of ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  if (status == ST_OK) {
    Search s = {.problem = problem,
                .options = options,
                .result = result,
                .y = y,
                .r = r,
                .p = scratch,
                .trial = scratch + n,
                .t = scratch + 2 * n,
                .way = scratch + 3 * n,
                .shift = scratch + 4 * n,
                .sum = scratch + 4 * n + rows,
                .part_count = 1,
                .part = part,
                .of = of,
                .to = of + rows};
    status = start(&s);
    if (status == ST_OK)
      status = options->descent ? descend(&s, linear, error) : iterate(&s, linear, error);
  }
  free(scratch);
  free(part);
  free(of);
  return status;
}
