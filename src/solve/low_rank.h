// A few dense terms on top of a sparse matrix A: J = A + Σ w u uᵀ. Given A⁻¹ for single vectors,
// J⁻¹ follows by the Sherman-Morrison-Woodbury formula; no dense matrix is ever stored.
#pragma once

#include "base/status.h"

typedef struct StLowRank {
  int count;            // terms
  int size;             // unknowns of this rank
  const double *u;      // [count][size]
  const double *weight; // [count]
  double *solved;       // [count][size] A⁻¹ u, filled by the caller
  double *inner;        // [count][count] (1 + W Uᵀ A⁻¹ U)⁻¹ W, in columns
  double *scratch;      // [count][count + 1]
  int *exchange;        // [count]
} StLowRank;

StStatus st_low_rank_create(int count, int size, StLowRank **terms, StError *error);
void st_low_rank_destroy(StLowRank *terms);

// Once u, weight and solved are those of the present matrix. False when J is singular. Collective.
bool st_low_rank_prepare(StLowRank *terms);

// Adds their part of J x to y. Collective.
void st_low_rank_add(const StLowRank *terms, const double *x, double *y);

// Turns y = A⁻¹ b into J⁻¹ b. Collective.
void st_low_rank_correct(StLowRank *terms, double *y);
