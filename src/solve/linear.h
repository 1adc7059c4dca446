// Solves J p = -r: sparse LU (MUMPS), or BiCGSTAB preconditioned by incomplete LU or by multigrid.
// `auto` starts with what suits the size and moves to sturdier methods by what it sees.
#ifndef ST_SOLVE_LINEAR_H
#define ST_SOLVE_LINEAR_H

#include "solve/problem.h"

// In order of sturdiness; auto only ever moves down the list.
typedef enum StLinearMethod {
  ST_LINEAR_NONE, // BiCGSTAB without a preconditioner
  ST_LINEAR_ILU,
  ST_LINEAR_GAMG,
  ST_LINEAR_LU,
} StLinearMethod;

typedef struct StLinear StLinear;

StStatus st_linear_create(const StProblem *problem, StLinearMethod method, bool may_change,
                          int max_iterations, StLinear **linear, StError *error);
void st_linear_destroy(StLinear *linear);

// The method in use; setting it restores what a checkpoint remembered.
StLinearMethod st_linear_method(const StLinear *linear);
void st_linear_set_method(StLinear *linear, StLinearMethod method);

// A new step begins: what was built for the last one is not to be relied upon.
void st_linear_begin_step(StLinear *linear);

// Solves to ‖b - J x‖ ≤ tolerance ‖b‖ at the problem's present linearisation; LU solves exactly.
// iterations: Krylov iterations, 1 for LU. ST_NOT_SOLVED when it cannot. Collective.
StStatus st_linear_solve(StLinear *linear, const double *b, double tolerance, double *x,
                         int *iterations, StError *error);

const char *st_linear_method_name(StLinearMethod method);

#endif
