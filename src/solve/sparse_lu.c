// A plan for the pattern, and fronts of the precision asked for last.
#include "solve/sparse_lu.h"

#include "base/memory.h"
#include "solve/fronts.h"
#include "solve/runtime.h"

struct StSparseLu {
  StLuPlan *plan;
  StCrew *crew;
  const StFrontsType *type;
  void *fronts; // NULL: not factorised yet
};

StStatus st_sparse_lu_create(const StBlockMatrix *matrix, StSparseLu **result, StError *error) {
  StSparseLu *lu = ST_NEW(StSparseLu, 1);
  if (!lu)
    return st_fail_memory(error);
  lu->crew = st_runtime_blas_is_shared() ? matrix->crew : NULL;
  StStatus status = st_lu_plan_create(matrix, &lu->plan, error);
  if (status != ST_OK) {
    st_sparse_lu_destroy(lu);
    return status;
  }
  *result = lu;
  return ST_OK;
}

static void drop_fronts(StSparseLu *lu) {
  if (lu->fronts)
    lu->type->destroy(lu->fronts);
  lu->fronts = NULL;
}

void st_sparse_lu_destroy(StSparseLu *lu) {
  if (!lu)
    return;
  drop_fronts(lu);
  st_lu_plan_destroy(lu->plan);
  free(lu);
}

const StLuPlan *st_sparse_lu_plan(const StSparseLu *lu) {
  return lu->plan;
}

bool st_sparse_lu_is_single(const StSparseLu *lu) {
  return lu->type == &st_single_fronts;
}

StStatus st_sparse_lu_factor(StSparseLu *lu, const StBlockMatrix *matrix, bool single,
                             const bool *zero, StError *error) {
  const StFrontsType *type = single ? &st_single_fronts : &st_double_fronts;
  ST_CHECK(!matrix->rounded, error);
  if (type != lu->type)
    drop_fronts(lu);
  lu->type = type;
  if (!lu->fronts)
    lu->fronts = type->create(lu->plan, lu->crew);
  if (!lu->fronts)
    return st_fail_memory(error);
  return type->factor(lu->fronts, matrix, zero)
             ? ST_OK
             : st_fail(error, ST_NOT_SOLVED, "the Jacobian could not be factorised (singular?)");
}

void st_sparse_lu_solve(StSparseLu *lu, const double *b, double *x) {
  lu->type->solve(lu->fronts, b, x);
}
