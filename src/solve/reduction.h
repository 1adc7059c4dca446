// A system in which rigid bodies have six unknowns each instead of twelve. What keeps four rows in
// shape is so stiff that they move as a whole but for some strain, which hardly depends on other
// bodies: the motions are solved for together, the strain by each body for itself. On one rank.
#pragma once

#include "solve/problem.h"

typedef struct StReduction StReduction;

// For the present pattern of the problem's matrix; its values are not used yet. The problem must
// have frames.
StStatus st_reduction_create(const StProblem *problem, StReduction **reduction, StError *error);
void st_reduction_destroy(StReduction *reduction); // NULL is fine

// The matrix of motions: two rows for each frame, one for each of the other rows.
const StBlockMatrix *st_reduction_matrix(const StReduction *reduction);

// Fills it from the problem's matrix at its present linearisation, but for rows of that which are
// `zero` (see st_factors_make; NULL: none). ST_NOT_SOLVED: a body does not resist strain.
StStatus st_reduction_fill(StReduction *reduction, const bool *zero, StError *error);

// Rows of the matrix of motions that were not filled; NULL: all were.
const bool *st_reduction_zero(const StReduction *reduction);

// Right-hand side of the motions for b, [rows of the problem's matrix][3].
const double *st_reduction_load(StReduction *reduction, const double *b);

// Where their solution goes, in the reduced matrix' rows.
double *st_reduction_motion(StReduction *reduction);

// x of that solution, and the strain that b then asks for: b - A x becomes smaller by the ratio of
// the stiffness of contacts to that of bodies. b and x may be the same array.
void st_reduction_expand(StReduction *reduction, const double *b, double *x);
