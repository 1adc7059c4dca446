// Factors with or without a reduction.
#include "solve/factors.h"

#include "base/memory.h"
#include "solve/reduction.h"

struct StFactors {
  const StBlockMatrix *matrix; // that is factorised
  StReduction *reduction;      // NULL: it is the problem's own
  StSparseLu *lu;
};

StStatus st_factors_create(const StProblem *problem, bool whole, StFactors **result,
                           StError *error) {
  StFactors *factors = ST_NEW(StFactors, 1);
  StStatus status = factors ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && problem->frame_count > 0 && !whole)
    status = st_reduction_create(problem, &factors->reduction, error);
  if (status == ST_OK) {
    factors->matrix =
        factors->reduction ? st_reduction_matrix(factors->reduction) : problem->matrix;
    status = st_sparse_lu_create(factors->matrix, &factors->lu, error);
  }
  if (status != ST_OK) {
    st_factors_destroy(factors);
    return status;
  }
  *result = factors;
  return ST_OK;
}

void st_factors_destroy(StFactors *factors) {
  if (!factors)
    return;
  st_sparse_lu_destroy(factors->lu);
  st_reduction_destroy(factors->reduction);
  free(factors);
}

const StLuPlan *st_factors_plan(const StFactors *factors) {
  return st_sparse_lu_plan(factors->lu);
}

bool st_factors_are_reduced(const StFactors *factors) {
  return factors->reduction != NULL;
}

bool st_factors_are_rough(const StFactors *factors) {
  return factors->reduction || st_sparse_lu_is_single(factors->lu);
}

StStatus st_factors_make(StFactors *factors, bool single, StError *error) {
  if (factors->reduction)
    ST_TRY(st_reduction_fill(factors->reduction, error));
  return st_sparse_lu_factor(factors->lu, factors->matrix, single, error);
}

void st_factors_solve(StFactors *factors, const double *b, double *x) {
  StReduction *reduction = factors->reduction;
  if (!reduction) {
    st_sparse_lu_solve(factors->lu, b, x);
    return;
  }
  const double *load = st_reduction_load(reduction, b);
  st_sparse_lu_solve(factors->lu, load, st_reduction_motion(reduction));
  st_reduction_expand(reduction, b, x);
}
