// Every constant by which linear methods are chosen and judged. Times are of one core with AVX-512;
// only their ratios matter, and no clock is read, so that runs repeat.
#ifndef ST_SOLVE_LINEAR_TABLE_H
#define ST_SOLVE_LINEAR_TABLE_H

#include <float.h>

// Prices of LU are counted in iterations, by what both take per block (measured; ns). An iteration
// of GMRES with incomplete factors, per block of the matrix, some directions included:
static const double ITERATION_TIME = 5;
// LU: per block of the factors, per operation, and per rigid body that is reduced to its motions.
static const double BLOCK_TIME = 12, OPERATION_TIME = 0.012, BODY_TIME = 4000;
// On several processes LU is not planned: rows per iteration of its price (fitted: MUMPS was found
// to be too dear from 20 000 vertices on).
static const double ROWS_PER_PRICE = 10;
// LU that costs more iterations than this is too dear (fitted: by then factors take 50 to 100 times
// the memory of the matrix) …
static const double DEAREST_LU = 2000;
// … and what so many iterations do not solve is left to multigrid (fitted).
enum { PATIENCE = 150 };
// Factors of LU: operations from which on single precision is faster (measured).
static const double SINGLE_WORK = 2e8;
// Relative residual that factors are refined to, and the largest that is a solution.
static const double GOOD_RESIDUAL = 1e-11, FAIR_RESIDUAL = 1e-7;
// Factors that take more iterations of GMRES than this are made anew: an LU costs 10 to 30.
enum { FACTOR_ITERATIONS = 10 };
// Factors of an earlier system of the step solve another at least this well: the forcing term of
// an inexact Newton method.
static const double REUSE_TOLERANCE = 1e-2;
// Incomplete factors cost as much as so many iterations (measured).
enum { ILU_PRICE = 5 };
// What failed is not tried again for 1, 2, 4, … steps, this many at most.
enum { LONGEST_REST = 64 };
// Products for solutions that need be no better than this do with a matrix in single precision.
static const double ROUGH_TOLERANCE = 2 * FLT_EPSILON;

#endif
