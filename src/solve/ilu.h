// Incomplete LU factors of a block matrix without fill, in single precision: half the memory
// traffic of double, and a preconditioner needs no more digits. Ranks are independent (block
// Jacobi).
#pragma once

#include "math/block_matrix.h"

typedef struct StIlu StIlu;

// Uses the pattern of the square part (columns that are rows too) of the matrix.
StStatus st_ilu_create(const StBlockMatrix *matrix, StIlu **ilu, StError *error);
void st_ilu_destroy(StIlu *ilu);

// Factorises new values. False if a pivot block is singular: the factors are then unusable.
bool st_ilu_factor(StIlu *ilu, const StBlockMatrix *matrix);

// x = (LU)⁻¹ b; both [row_count][3].
void st_ilu_solve(StIlu *ilu, const double *b, double *x);
