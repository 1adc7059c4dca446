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

typedef struct Search {
  const StProblem *problem;
  const StNewtonOptions *options;
  StNewtonResult *result;
  double *y, *r;         // the iterate and its residual
  double *p, *trial, *t; // direction, trial point and its residual
  double norm, speed, goal;
  double left;           // what is still to change, m/s: an estimate
  double shift;          // of J's diagonal
  double end;            // r·p at the trial point, during descent
  double recent[RECENT]; // norms of the last iterates
  int failures;          // of linear solves
  // Where the way may be blocked:
  double free;     // part of the step that leads through nothing
  double *way;     // the straight direction whose arc p is the chord of, or …
  bool round;      // … p is no such chord
  bool whole;      // it is one of all of Newton's step
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
  bool telling = !is_rough(s) && s->shift == 0;
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

// Fills trial and t with the point that far along p and its residual. False when it lies outside
// the domain, which also ends where numbers do.
static bool try_point(Search *s, double length, double *norm) {
  if (!go_along_arc(s, length))
    for (int i = 0; i < s->problem->size; i++)
      s->trial[i] = s->y[i] + length * s->p[i];
  if (s->progress < 1)
    s->problem->set_progress(s->problem->context, s->progress + length * (1 - s->progress));
  s->result->evaluations++;
  if (s->problem->residual(s->problem->context, s->trial, s->t) != ST_OK)
    return false;
  *norm = norm_of(s->problem, s->t);
  return isfinite(*norm);
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
  double contraction = length == 1 && s->shift == 0 ? CAUTION * norm / s->norm : 1;
  return fmin(contraction, 1) * s->result->change;
}

static void accept(Search *s, double length, double norm) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] *= length;
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
  ST_TRY(s->problem->linearise(s->problem->context, s->y, s->shift));
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
    accept(s, length, norm);
    short_steps = length <= SHORT ? short_steps + 1 : 0;
    if (s->options->impatient && short_steps == MAX_SHORT && !converged(s))
      return stop(s, ST_NEWTON_TOO_SLOW);
  }
  return stop(s, ST_NEWTON_CONVERGED);
}

// Shorter steps lead nowhere: r jumps, or has come down to round-off.
static const double LEAST_LENGTH = 1e-9;

// As far along p as r still points down it, or nearly. Whether a point is too far or too near
// follows from how r points there; walls rise so steeply that the place between is best sought on a
// scale of factors.
static bool falls_along(Search *s, double slope, double *length, double *norm) {
  double near = 0, far = s->free;
  *length = s->free;
  for (int cut = 0; cut < MAX_CUTS; cut++) {
    double there = INFINITY;
    if (try_point(s, *length, norm))
      there = dot(s->problem, s->t, s->p);
    s->end = there;
    bool falls = there <= -0.5 * slope && *norm <= WORST * s->norm;
    if (falls && (there >= 0.5 * slope || *length == s->free))
      return true;
    *(falls ? &near : &far) = *length;
    double secant = isfinite(there) && !falls ? *length * slope / (slope - there) : 0;
    *length = near > 0 ? sqrt(near * far) : fmin(fmax(secant, 0.1 * *length), BACKTRACK * *length);
    s->result->line_search_cuts++;
  }
  *length = near;
  return near > LEAST_LENGTH && try_point(s, near, norm);
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

// What nothing is in the way of goes all the way. Each part of p leads down for itself.
static StStatus part_ways(Search *s, double *slope, bool *parted) {
  double free = s->free;
  if (!s->problem->part_ways)
    return ST_OK;
  ST_TRY(s->problem->part_ways(s->problem->context, s->y, s->trial, false, s->way, s->p, parted));
  if (!*parted)
    return ST_OK;
  ST_TRY(s->problem->limit(s->problem->context, s->y, s->p, &s->free));
  double along = dot(s->problem, s->r, s->p);
  s->round = *parted = s->free > free && along < 0;
  if (*parted)
    *slope = along;
  else
    s->free = free;
  return ST_OK;
}

// How far p may lead; where something turns, p becomes the chord of its arc. Of a shorter arc it is
// another one. Near the solution arcs are as good as straight.
static StStatus measure_way(Search *s, double *slope) {
  s->free = 1;
  s->round = s->whole = false;
  if (!s->problem->limit)
    return ST_OK;
  if (!s->problem->turn)
    return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
  memcpy(s->trial, s->p, (size_t)s->problem->size * sizeof(double));
  ST_TRY(go_round(s, 1));
  if (s->progress < 1)
    return ST_OK;
  bool parted = false;
  if (s->free > 0 && s->free < 1)
    ST_TRY(part_ways(s, slope, &parted));
  if (parted)
    return ST_OK;
  bool whole = s->free == 1;
  if (s->free > 0 && s->free < 1)
    ST_TRY(go_round(s, ALMOST * s->free));
  double along = dot(s->problem, s->r, s->p);
  if (along < 0) {
    *slope = along;
    s->round = true;
    s->whole = whole;
    return ST_OK;
  }
  memcpy(s->p, s->trial, (size_t)s->problem->size * sizeof(double));
  return s->problem->limit(s->problem->context, s->y, s->p, &s->free);
}

// A direction p = -J⁻¹ r along which the shifted J is positive, so that r points down it.
static StStatus find_descent(Search *s, StLinear *linear, double *slope, StError *error) {
  for (int raise = 0; raise < MAX_RAISES; raise++) {
    StStatus status = find_direction(s, linear, s->options->inexact ? FORCING_LIMIT : 0, error);
    if (status != ST_OK && status != ST_NOT_SOLVED)
      return status;
    if (status == ST_NOT_SOLVED && ++s->failures > MAX_FAILURES)
      return status;
    double square = dot(s->problem, s->p, s->p);
    *slope = dot(s->problem, s->r, s->p);
    if (status == ST_OK && -*slope >= LEAST_CURVATURE * square)
      return ST_OK;
    s->shift = fmax(SHIFT_FACTOR * s->shift, FIRST_SHIFT);
    if (status == ST_OK && square > 0) // J + shift has the curvature -slope/square along p
      s->shift = fmax(s->shift, 2 * *slope / square);
  }
  return ST_NOT_SOLVED;
}

// Whether r·p at the end of a whole step is about what the Jacobian foretold. Without the shift r
// would become r + J p = -shift p.
static bool is_foretold(const Search *s, double slope, double square) {
  return fabs(s->end + s->shift * square) <= WELL_TOLD * fabs(slope);
}

// By how much of the free path was taken; what cuts that is no fault of the direction. A shortened
// step shows how much stiffer p is than J said, and the shift makes up for it. Where J foretold
// what happened, it needs little shift; going down in small steps would cost an iteration for each.
// In round-off, where changes are within the tolerance, the length of a step says nothing.
static void adapt_shift(Search *s, double length, double slope, double square) {
  double taken = length / s->free;
  bool tells = s->result->change > length * s->options->change_tolerance;
  if (taken < SHORTENED && tells)
    s->shift += -slope / square * (1 / length - 1 / s->free);
  else if (length == 1)
    s->shift /= is_foretold(s, slope, square) ? DROP : SHIFT_FACTOR;
  else if (taken == 1)
    s->shift /= SHIFT_FACTOR;
  if (s->shift < SMALLEST_SHIFT)
    s->shift = 0;
}

// While what is prescribed is on its way, p has to go along with it, up or down.
static StStatus find_step(Search *s, StLinear *linear, double *slope, StError *error) {
  if (s->progress == 1)
    return find_descent(s, linear, slope, error);
  *slope = 0;
  return find_direction(s, linear, s->options->inexact ? FORCING_LIMIT : 0, error);
}

// What Newton's method would still change is small, and so is the residual; or it no longer gets
// smaller, and is within the tolerance or nothing but round-off. Descent itself does not notice: in
// round-off every step seems to lead down.
static bool is_solved(Search *s, double norm_before) {
  if (s->progress < 1 || s->shift > 0)
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
  if (!s->problem->limit || s->progress < 1 || s->shift > 0 || is_rough(s) ||
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

static void scale_way(Search *s, double factor) {
  for (int i = 0; i < s->problem->size; i++)
    s->p[i] = s->way[i] *= factor;
  s->problem->turn(s->problem->context, s->y, s->p);
}

// Whether the way to the end of p is free and r still points down it there, and is smaller.
static bool leads_on(Search *s, double *norm) {
  double part = 0, norm_before = *norm;
  if (s->problem->limit(s->problem->context, s->y, s->p, &part) != ST_OK || part < 1 ||
      !try_point(s, 1, norm))
    return false;
  s->end = dot(s->problem, s->t, s->p);
  return s->end <= 0 && *norm < norm_before;
}

// A barrier that is far too narrow opens by a factor of two per step of Newton's method: where r
// points nearly as far down at the end of a step as at its beginning, the step is doubled instead.
static void go_on(Search *s, double *slope, double *norm) {
  for (int k = 0; k < MAX_DOUBLINGS && s->end <= FAR_DOWN * *slope; k++) {
    scale_way(s, 2);
    if (!leads_on(s, norm)) {
      scale_way(s, 0.5);
      try_point(s, 1, norm); // known to be in the domain
      s->end = dot(s->problem, s->t, s->p);
      return;
    }
    *slope = dot(s->problem, s->r, s->p);
  }
}

static bool take_step(Search *s, double slope) {
  double length, norm = 0;
  bool descends = s->progress == 1;
  if (!(descends ? falls_along(s, slope, &length, &norm) : follow(s, &length, &norm)))
    return false;
  if (descends && s->whole && length == 1)
    go_on(s, &slope, &norm);
  double square = dot(s->problem, s->p, s->p);
  accept(s, length, norm);
  if (descends)
    adapt_shift(s, length, slope, square);
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
    double slope;
    if (is_at_an_end(s))
      return stop(s, ST_NEWTON_TOO_MANY);
    if (is_clearly_solved(s, linear, norm_before))
      return stop(s, ST_NEWTON_CONVERGED);
    StStatus status = find_step(s, linear, &slope, error);
    if (status == ST_NOT_SOLVED)
      return stop(s, ST_NEWTON_LINEAR_FAILED);
    ST_TRY(status);
    if (s->problem->limit && is_solved(s, norm_before))
      return stop(s, ST_NEWTON_CONVERGED);
    norm_before = s->norm;
    ST_TRY(measure_way(s, &slope));
    if (!(s->free > 0))
      return stop(s, ST_NEWTON_BLOCKED);
    if (!take_step(s, slope)) {
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
  size_t n = (size_t)problem->size;
  double *scratch = ST_NEW(double, 4 * n);
  ST_TRY(st_runtime_agree(scratch ? ST_OK : st_fail_memory(error), error));
  Search s = {.problem = problem,
              .options = options,
              .result = result,
              .y = y,
              .r = r,
              .p = scratch,
              .trial = scratch + n,
              .t = scratch + 2 * n,
              .way = scratch + 3 * n};
  StStatus status = start(&s);
  if (status == ST_OK)
    status = options->descent ? descend(&s, linear, error) : iterate(&s, linear, error);
  free(scratch);
  return status;
}
