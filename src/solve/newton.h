// Damped Newton, exact or inexact (docs/physics.md), with residual line search; and a descent for
// where that gets stuck. Reports why it stopped and how it got there.
#pragma once

#include "solve/linear.h"

enum { ST_NEWTON_HISTORY = 64 };

typedef enum StNewtonReason {
  ST_NEWTON_CONVERGED,
  ST_NEWTON_BAD_START,     // the first guess lies outside the domain
  ST_NEWTON_TOO_MANY,      // iterations used up
  ST_NEWTON_NO_DESCENT,    // the line search found no smaller residual
  ST_NEWTON_TOO_SLOW,      // it found hardly smaller ones, many times over
  ST_NEWTON_LINEAR_FAILED, // the linear solver found no direction
  ST_NEWTON_BLOCKED,       // the limit of the domain leaves no step
} StNewtonReason;

// What is known of the first guess; all zero: nothing. The same on all ranks.
typedef struct StNewtonStart {
  bool evaluated;        // r holds its residual already
  bool extrapolated;     // a small residual does not prove that it is the solution
  bool continued;        // the problem's progress begins at 0, not at 1
  double usual_residual; // magnitude for the usual guess, where this is a better one
} StNewtonStart;

// Residuals and changes are measured by st_problem_magnitude.
typedef struct StNewtonOptions {
  bool inexact;              // forcing terms for an iterative solver; otherwise solve exactly
  bool descent;              // see below
  bool rough;                // first directions lack the couplings: a small one proves nothing
  bool impatient;            // gives up after a few short steps: descent comes next
  double residual_tolerance; // on the residual
  double change_tolerance;   // on the last change
  int max_iterations;
  StNewtonStart start;
} StNewtonOptions;

typedef struct StNewtonResult {
  StNewtonReason reason;
  int iterations, linear_iterations, line_search_cuts;
  int evaluations;                // of the residual
  int uphill;                     // directions of descent along which J was negative
  double residual;                // the last one
  double change;                  // the last one
  double norm[ST_NEWTON_HISTORY]; // 2-norm of the residual at each iterate
  int norm_count;
  StError detail; // more words on a failure of the linear solver
} StNewtonResult;

// Where J is indefinite, smaller residuals may lead to places where the residual is smallest but
// not zero. Most of r is the gradient of a potential, though: descent goes along -J⁻¹ r with J's
// diagonal shifted enough to make that downhill, as far as r keeps pointing down it. Near the
// solution the shift vanishes and it is Newton's method again. y: first guess in, solution out (the
// best iterate on failure). r, of problem->size: the first residual in if start.evaluated, the last
// one out. The residual has to fall by a certain fraction of the first one, or of the usual
// guess's: a better guess need not fall by as much. ST_NOT_SOLVED when not converged; other codes
// are faults. Collective.
StStatus st_newton_solve(const StProblem *problem, StLinear *linear, const StNewtonOptions *options,
                         double *y, double *r, StNewtonResult *result, StError *error);

const char *st_newton_reason_text(StNewtonReason reason);
