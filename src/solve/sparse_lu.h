// Complete LU factors of a block matrix on one rank, by dense fronts. Pivoting only within a front:
// the caller checks the residual.
#pragma once

#include "solve/lu_plan.h"

typedef struct StSparseLu StSparseLu;

// Plans for the matrix' pattern; its values are not used yet.
StStatus st_sparse_lu_create(const StBlockMatrix *matrix, StSparseLu **lu, StError *error);
void st_sparse_lu_destroy(StSparseLu *lu);

const StLuPlan *st_sparse_lu_plan(const StSparseLu *lu);

// Factorises the current values of the matrix, in single or double precision. zero: [row_count]
// rows that keep the factors they have, where nothing else is coupled with them; without any, x is
// 0 there. NULL: none. ST_NOT_SOLVED: a pivot is zero.
StStatus st_sparse_lu_factor(StSparseLu *lu, const StBlockMatrix *matrix, bool single,
                             const bool *zero, StError *error);
bool st_sparse_lu_is_single(const StSparseLu *lu); // the factors it has

// x = A⁻¹ b; both [row_count][3].
void st_sparse_lu_solve(StSparseLu *lu, const double *b, double *x);
