// Incomplete LU factors of a block matrix without fill, in single precision: half the memory
// traffic of double, and a preconditioner needs no more digits. Ranks are independent (block
// Jacobi).
#ifndef ST_SOLVE_ILU_H
#define ST_SOLVE_ILU_H

#include "math/block_matrix.h"

typedef struct StIlu StIlu;

// Uses the pattern of the square part (columns that are rows too) of the matrix.
StStatus st_ilu_create(const StBlockMatrix *matrix, StIlu **ilu, StError *error);
void st_ilu_destroy(StIlu *ilu);

// Fill that is dropped makes pivots too small, so the diagonal is raised by a tenth first, and by
// more until all pivots are sound. A single row among many thousands that is not can spoil an
// iteration; such rows keep their own diagonal. Where contact is what ruins pivots, it is better to
// put up with few.
typedef enum StIluCare { ST_ILU_SOUND, ST_ILU_LOOSE } StIluCare;

// Factorises new values. False if a pivot block is singular: the factors are then unusable.
bool st_ilu_factor(StIlu *ilu, const StBlockMatrix *matrix, StIluCare care);

// x = (LU)⁻¹ b; both [row_count][3].
void st_ilu_solve(StIlu *ilu, const double *b, double *x);

#endif
