// Parts that the methods behind solve/linear.h share. LU: solve/direct.c; iterations:
// solve/iterative.c.
#pragma once

#include "solve/factors.h"
#include "solve/ilu.h"
#include "solve/krylov.h"
#include "solve/linear.h"
#include "solve/low_rank.h"
#include "solve/petsc.h"
#include "solve/system_file.h"

struct StLinear {
  const StProblem *problem;
  StLinearOptions options;
  StLinearMemory memory;
  StKrylov *krylov;
  StPetsc *petsc;      // multigrid, and LU on several ranks
  StFactors *lu;       // on one rank
  bool factored;       // it has the factors of a system of this step, …
  bool outgrown;       // … which had another pattern
  StIlu *ilu;          // NULL: none for the present pattern
  bool keeps_ilu;      // the factors are good for another system of this step
  double ilu_pace;     // iterations per digit that they took for their own system
  bool exact;          // products are in double precision for the rest of the step
  const double *asked; // [size] the right-hand side of the present system
  double *right;       // [size] it, scaled to about 1
  double *left;        // [size] what a solution leaves of it
  StLowRank *dense;    // the problem's couplings; NULL: it has none
  bool corrected;      // what preconditions has them too
  char *folder;        // where systems go that a method failed on; NULL: nowhere
  int pattern;         // of the matrix that factors and preconditioner were made for
};

StStatus st_linear_assemble(StLinear *linear, StAssembly what, StError *error);
void st_linear_drop_factors(StLinear *linear);

// Into the folder of failed systems. Whoever goes on assembles anew.
StStatus st_linear_keep(StLinear *linear, const StSystemNote *note, StError *error);

// y = J x, as a Krylov method's product.
void st_linear_multiply(void *linear, const double *x, double *y);

// Makes a preconditioner that corrects by `corrected` take in the dense terms. False: it cannot.
bool st_linear_correct(StLinear *linear,
                       StStatus (*precondition)(void *, const double *, double *));

// A method that failed rests for twice as many steps as the last time.
void st_rest_begin(StRest *rest);

// LU. Its price is that of the present pattern, in iterations.
StStatus st_direct_find_price(StLinear *linear, StError *error);
StStatus st_direct_solve(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error);

// GMRES, with at most so many iterations.
StStatus st_iterative_solve(StLinear *linear, StLinearMethod method, int limit, const double *b,
                            StLinearGoal goal, double *x, int *iterations, StError *error);
