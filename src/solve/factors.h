// What solves a problem's system directly on one rank: LU factors of its matrix, or where it has
// rigid bodies and that is cheaper, of the matrix of their motions. The caller refines by the
// residual.
#pragma once

#include "solve/problem.h"
#include "solve/sparse_lu.h"

typedef struct StFactors StFactors;

// Plans for the pattern of the problem's matrix. whole: all unknowns of rigid bodies, too.
StStatus st_factors_create(const StProblem *problem, bool whole, StFactors **factors,
                           StError *error);
void st_factors_destroy(StFactors *factors); // NULL is fine

const StLuPlan *st_factors_plan(const StFactors *factors);
bool st_factors_whole(const StFactors *factors);       // as asked for
bool st_factors_are_reduced(const StFactors *factors); // to motions of rigid bodies
bool st_factors_are_rough(const StFactors *factors);   // reduced, or in single precision

// Of the matrix' present values. zero: [rows] that keep the factors they have, because there is
// nothing to solve for and nothing else is coupled with them; NULL: none. ST_NOT_SOLVED: a pivot is
// zero.
StStatus st_factors_make(StFactors *factors, bool single, const bool *zero, StError *error);

// Whether some rows have none, because there never was anything to solve for. x is 0 there.
bool st_factors_are_partial(const StFactors *factors);

// x ≈ A⁻¹ b, both [rows][3]; they may be the same.
void st_factors_solve(StFactors *factors, const double *b, double *x);
