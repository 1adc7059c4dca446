// Damped Newton, exact or inexact (docs/physics.md), with residual line search; and a descent for
// where that gets stuck. Reports why it stopped and how it got there.
#ifndef ST_SOLVE_NEWTON_H
#define ST_SOLVE_NEWTON_H

#include "solve/linear.h"

enum { ST_NEWTON_HISTORY = 64 };

typedef enum StNewtonReason {
  ST_NEWTON_CONVERGED,
  ST_NEWTON_BAD_START,     // the first guess lies outside the domain
  ST_NEWTON_TOO_MANY,      // iterations used up
  ST_NEWTON_NO_DESCENT,    // the line search found no smaller residual
  ST_NEWTON_TOO_SLOW,      // it found hardly smaller ones, many times over
  ST_NEWTON_LINEAR_FAILED, // no direction could be had
  ST_NEWTON_BLOCKED,       // no part of the step leads through nothing
} StNewtonReason;

// What is known of the first guess; all zero: nothing. The same on all ranks.
typedef struct StNewtonStart {
  bool evaluated;     // r holds its residual already
  bool extrapolated;  // it is not taken for the solution, however small its residual
  double usual_speed; // m/s: the residual of the usual guess, where this is a better one
} StNewtonStart;

typedef struct StNewtonOptions {
  bool inexact;              // forcing terms for an iterative solver; otherwise solve exactly
  bool descent;              // see below
  bool rough;                // first directions lack the couplings: a small one proves nothing
  bool impatient;            // gives up after a few short steps: descent comes next
  double velocity_tolerance; // m/s on the residual
  double change_tolerance;   // m/s on the last change
  int max_iterations;
  StNewtonStart start;
} StNewtonOptions;

typedef struct StNewtonResult {
  StNewtonReason reason;
  int iterations, linear_iterations, line_search_cuts;
  int evaluations;                // of the residual
  double speed;                   // residual as a speed, m/s
  double change;                  // last change, m/s
  double norm[ST_NEWTON_HISTORY]; // mass-weighted residual norm at each iterate
  int norm_count;
  StError detail; // more words on a failure of the linear solver
} StNewtonResult;

// Where something buckles, the Jacobian is indefinite on the way, and smaller residuals lead to
// places where the residual is smallest but not zero. Most of r is the gradient of a potential,
// though: descent goes along -J⁻¹ r with J's diagonal shifted enough to make that downhill, as far
// as r keeps pointing down it. Near the solution the shift vanishes and it is Newton's method
// again. y: first guess in, solution out (the best iterate on failure). r, of problem->size: the
// first residual in if start.evaluated, the last one out. The residual has to fall by a certain
// part of the first one, or of the usual guess's: a better guess is not asked for more than that.
// ST_NOT_SOLVED when not converged; other codes are faults. Collective.
StStatus st_newton_solve(const StProblem *problem, StLinear *linear, const StNewtonOptions *options,
                         double *y, double *r, StNewtonResult *result, StError *error);

const char *st_newton_reason_text(StNewtonReason reason);

#endif
