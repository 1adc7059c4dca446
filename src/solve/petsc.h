// What PETSc solves with: LU by MUMPS, and algebraic multigrid as a preconditioner. Both get a copy
// of the problem's matrix as it was assembled last. All functions are collective.
#pragma once

#include "solve/problem.h"

typedef struct StPetsc StPetsc;

StStatus st_petsc_create(const StProblem *problem, StPetsc **petsc, StError *error);
void st_petsc_destroy(StPetsc *petsc);

// Multigrid is made anew for each step, and everything for another pattern of the matrix.
void st_petsc_forget_multigrid(StPetsc *petsc);
void st_petsc_forget_pattern(StPetsc *petsc);

// Factors of the present matrix, made when st_petsc_solve is called first. ST_NOT_SOLVED: the
// matrix is not finite, or singular.
StStatus st_petsc_factor(StPetsc *petsc, StError *error);
StStatus st_petsc_solve(StPetsc *petsc, const double *b, double *x, StError *error);

StStatus st_petsc_make_multigrid(StPetsc *petsc, StError *error);
StStatus st_petsc_apply_multigrid(StPetsc *petsc, const double *x, double *y);
