// Solves S p = -r, S the Jacobian of the residual: by GMRES, preconditioned by incomplete LU or by
// multigrid, or by sparse LU (our own, or MUMPS). Where allowed, LU or multigrid takes over when an
// iteration fails, and it is tried again after a while.
#pragma once

#include "solve/problem.h"

typedef enum StLinearMethod {
  ST_LINEAR_NONE, // GMRES without a preconditioner
  ST_LINEAR_ILU,  // GMRES with incomplete LU: the least memory and work per iteration
  ST_LINEAR_GAMG, // GMRES with algebraic multigrid
  ST_LINEAR_LU,
} StLinearMethod;

typedef struct StLinear StLinear;

typedef struct StLinearOptions {
  StLinearMethod method;
  bool may_change; // to LU or multigrid
  bool named;      // asked for by name: it has all of max_iterations before another is tried
  int max_iterations;
  bool inexact_coupling; // LU leaves the problem's dense terms out, and Newton makes do with that
} StLinearOptions;

StStatus st_linear_create(const StProblem *problem, const StLinearOptions *options,
                          StLinear **linear, StError *error);
void st_linear_destroy(StLinear *linear);

// From now on every system that an iteration fails on, or that single precision is not enough for,
// is written into a file of the folder (solve/system_file.h), before another method takes it. Only
// on one rank.
StStatus st_linear_keep_failed(StLinear *linear, const char *folder, StError *error);

// Steps for which something that failed is not tried: those left, and how many the last time; 0: it
// has not failed since it was tried last.
typedef struct StRest {
  int left, last;
} StRest;

// What lasts from step to step and must be in a checkpoint.
typedef struct StLinearMemory {
  double price;     // of LU in iterations, with contacts as they were when it was used last
  StRest iterating; // of the method chosen for the run
  StRest reuse;     // of factors of earlier systems
  StRest rough;     // of factors that are not of the whole matrix in double precision
} StLinearMemory;

StLinearMemory st_linear_memory(const StLinear *linear);
void st_linear_restore(StLinear *linear, StLinearMemory memory);

// A new step begins: nothing built for the last one may be reused.
void st_linear_begin_step(StLinear *linear);

typedef struct StLinearGoal {
  double tolerance; // relative
  bool stay;        // with the method chosen unless LU is cheap: the caller has a better idea
  bool coupled;     // take in couplings that LU was told to leave out
  // [rows] where b is zero and J couples nothing else, so that LU need not look at them; NULL:
  // none.
  const bool *zero;
} StLinearGoal;

// Solves to ‖b - J x‖ ≤ tolerance ‖b‖ at the problem's present linearisation; LU solves exactly
// (but for couplings it was told to leave out, unless the goal asks for them), or with factors of
// an earlier system of the step to 1e-2 or better. iterations: Krylov iterations, 1 for factors.
// ST_NOT_SOLVED when it cannot. Collective.
StStatus st_linear_solve(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error);

// About what the last system's factors say to another right-hand side: x ≈ J⁻¹ b, for the price of
// a solve. False: there are none of this step. Not collective: on one rank.
bool st_linear_estimate(StLinear *linear, const double *b, double *x);

const char *st_linear_method_name(StLinearMethod method);
