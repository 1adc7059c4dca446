// The state of a search for the solution of a problem: what Newton's method with its line search
// (solve/newton.h) and descent (solve/descent.h) have in common.
#ifndef ST_SOLVE_SEARCH_H
#define ST_SOLVE_SEARCH_H

#include "solve/newton.h"

enum { ST_SEARCH_RECENT = 5 };

enum { ST_SEARCH_MAX_CUTS = 30 };

// An estimate of how much is left, or of what is asked for, may be wrong by so much.
#define ST_SEARCH_CAUTION 10.0

#define ST_SEARCH_BACKTRACK 0.5      // ρ: part of a step that is tried next
#define ST_SEARCH_FORCING_LIMIT 0.01 // σ: the largest forcing term

typedef struct StSearch {
  const StProblem *problem;
  const StNewtonOptions *options;
  StNewtonResult *result;
  double *y, *r;         // the iterate and its residual
  double *p, *trial, *t; // direction, trial point and its residual
  double norm, speed, goal;
  double left;                     // what is still to change, m/s: an estimate
  double *shift;                   // [rows] of J's diagonal
  double shifted;                  // the largest of them
  bool raised;                     // J was taken at y already, with smaller ones
  double recent[ST_SEARCH_RECENT]; // norms of the last iterates
  int failures;                    // of linear solves
  const bool *waiting;             // [rows] that have their direction; NULL: none
  // Where the way may be blocked:
  double free;     // part of the step that leads through nothing
  double *way;     // the straight direction whose arc p is the chord of, or …
  bool round;      // … p is no such chord
  double progress; // of what is prescribed
} StSearch;

// Over all ranks.
double st_search_dot(const StProblem *problem, const double *a, const double *b);
double st_search_norm(const StProblem *problem, const double *r);
double st_search_residual_speed(const StProblem *problem, const double *r);
double st_search_change_speed(const StProblem *problem, const double *dy);

void st_search_note_norm(StNewtonResult *result, double norm);

// The residual is small enough, and so is what is still to change.
bool st_search_converged(const StSearch *search);

// Whether the residual is nothing but round-off, and that does no harm. wanted: Newton's correction
// for it, m/s.
bool st_search_is_round_off(StSearch *search, double wanted);

// Whether directions still lack the couplings, so that a small one proves nothing.
bool st_search_is_rough(const StSearch *search);

// Whether an iterate that cannot be improved along p is good enough.
bool st_search_stagnated(StSearch *search);

// Notes how it ended: ST_OK if converged, otherwise ST_NOT_SOLVED.
StStatus st_search_stop(StSearch *search, StNewtonReason reason);

// Fill t with the residual at trial, and *norm with its norm. False: outside the domain. The second
// first puts the point that far along p into trial.
bool st_search_try_trial(StSearch *search, double *norm);
bool st_search_try(StSearch *search, double length, double *norm);

// Trial becomes the iterate. p has become the way there, which is that part of the whole one.
void st_search_accept(StSearch *search, double length, double norm);

// Trials may have left what is prescribed elsewhere.
void st_search_restore_progress(const StSearch *search);

// p = -J⁻¹ r at y, with the present shifts, to a relative tolerance.
StStatus st_search_find_direction(StSearch *search, StLinear *linear, double tolerance,
                                  StError *error);

#endif
