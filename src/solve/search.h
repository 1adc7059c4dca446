// The state of a search for the solution of a problem: what Newton's method with its line search
// (solve/newton.h) and descent (solve/descent.h) have in common. The line searches themselves are
// in newton.c and, of descent, in descent_islands.c.
#pragma once

#include "solve/newton.h"

enum { ST_SEARCH_RECENT = 5 };

enum { ST_SEARCH_MAX_CUTS = 30 };

// An estimate of the error, or of a Newton step, may be wrong by this factor.
#define ST_SEARCH_CAUTION 10.0

#define ST_SEARCH_BACKTRACK 0.5      // ρ: fraction of a step that is tried next
#define ST_SEARCH_FORCING_LIMIT 0.01 // σ: the largest forcing term

typedef struct StSearch {
  const StProblem *problem;
  const StNewtonOptions *options;
  StNewtonResult *result;
  double *y, *r;                   // the iterate and its residual
  double *p, *trial, *t;           // direction, trial point and its residual
  double norm, residual;           // of r: its 2-norm, and its magnitude
  double goal;                     // for the latter
  double error;                    // magnitude of what y still has to change: an estimate
  double *shift;                   // [rows] of J's diagonal
  double largest_shift;            // of them
  bool raised;                     // J was taken at y already, with smaller shifts
  double recent[ST_SEARCH_RECENT]; // norms of the last iterates
  int failures;                    // of linear solves
  const bool *waiting;             // [rows] that keep their direction; NULL: none
  // Where the domain has limits:
  double limit;    // fraction of the step that stays inside
  bool curved;     // p is the chord of a curve, …
  double *tangent; // … which starts along this
  double progress; // of continuation
} StSearch;

// Over all ranks.
double st_search_dot(const StProblem *problem, const double *a, const double *b);
double st_search_magnitude(const StProblem *problem, const double *x); // NaN counts as infinite

void st_search_measure(StSearch *search); // norm and magnitude of r

void st_search_note_norm(StNewtonResult *result, double norm);

// The residual is small enough, and so is what is still to change.
bool st_search_converged(const StSearch *search);

// Whether the residual is nothing but round-off, and that does no harm. wanted: magnitude of
// Newton's correction for it.
bool st_search_is_round_off(StSearch *search, double wanted);

// Whether directions still lack the couplings, so that a small one proves nothing.
bool st_search_is_rough(const StSearch *search);

// Whether the residual of the trial point, a whole step away, differs from that of the iterate by
// round-off only, and the step is worth taking all the same.
bool st_search_drowns(StSearch *search, StLinear *linear);

// Whether an iterate that cannot be improved along p is good enough.
bool st_search_stagnated(StSearch *search);

// Notes how it ended: ST_OK if converged, otherwise ST_NOT_SOLVED.
StStatus st_search_stop(StSearch *search, StNewtonReason reason);

// Fills t with the residual at trial, and *norm with its norm. False: outside the domain.
bool st_search_try_trial(StSearch *search, double progress, double *norm);

// The same for the point that far along p, which it puts into trial.
bool st_search_try(StSearch *search, double length, double *norm);

// Trial becomes the iterate. p has become the step there, which is that fraction of the whole one.
void st_search_accept(StSearch *search, double length, double norm);

// p = -J⁻¹ r at y, with the present shifts, to a relative tolerance.
StStatus st_search_find_direction(StSearch *search, StLinear *linear, double tolerance,
                                  StError *error);
