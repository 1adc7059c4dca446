// Dense fronts of a planned LU, in double or in single precision. Single precision takes half the
// memory and about half the time, and leaves a residual that the caller has to refine.
#pragma once

#include "solve/lu_plan.h"

typedef struct StFrontsType {
  void *(*create)(const StLuPlan *plan, StCrew *crew); // NULL: no memory
  void (*destroy)(void *fronts);
  // zero: [row_count] rows that keep the factors they have, where nothing else is coupled with
  // them; without any, solving for them gives 0. NULL: none. False: a pivot is zero.
  bool (*factor)(void *fronts, const StBlockMatrix *matrix, const bool *zero);
  void (*solve)(void *fronts, const double *b, double *x); // both [row_count][3]
} StFrontsType;

extern const StFrontsType st_double_fronts, st_single_fronts;
