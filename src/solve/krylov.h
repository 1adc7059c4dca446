// Flexible GMRES for A x = b: the preconditioner may change from one application to the next, as
// single-precision factors and multigrid do. Preconditioned from the right, so that the
// residual it stops by is the true one. Sums go over fixed parts of the vectors: the same bits for
// any number of threads.
#pragma once

#include "base/crew.h"

enum { ST_GMRES_RESTART = 40 }; // directions before GMRES restarts

typedef struct StKrylov StKrylov;

// size: unknowns of this rank. Vectors are allocated on demand.
StStatus st_krylov_create(int size, StCrew *crew, StKrylov **krylov, StError *error);
void st_krylov_destroy(StKrylov *krylov);

typedef struct StKrylovSystem {
  void *context;
  void (*product)(void *context, const double *x, double *y);          // y = A x
  StStatus (*precondition)(void *context, const double *x, double *y); // y ≈ A⁻¹ x; NULL: y = x
} StKrylovSystem;

typedef struct StKrylovGoal {
  double tolerance; // ‖b - A x‖ ≤ tolerance ‖b‖
  int limit;        // iterations
} StKrylovGoal;

// Starts with x = 0. iterations: how many were made. ST_NOT_SOLVED: the limit was reached, the
// residual diverged, or the method broke down; the text says which. Collective.
StStatus st_krylov_gmres(StKrylov *krylov, const StKrylovSystem *system, const double *b,
                         StKrylovGoal goal, double *x, int *iterations, StError *error);
