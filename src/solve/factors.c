// Factors with or without a reduction.
#include "solve/factors.h"

#include "base/memory.h"
#include "solve/reduction.h"
#include "solve/tunables.h"

struct StFactors {
  const StBlockMatrix *matrix; // that is factorised
  StReduction *reduction;      // NULL: it is the problem's own
  StSparseLu *lu;
  bool whole;   // as asked for
  bool made;    // at least once
  bool partial; // see st_factors_are_partial
};

static void drop(StFactors *factors) {
  st_sparse_lu_destroy(factors->lu);
  st_reduction_destroy(factors->reduction);
  factors->lu = NULL;
  factors->reduction = NULL;
}

// Twice the rows in every front are four times the blocks and eight times the operations. Bodies
// that touch few others are soon eliminated either way.
static bool pays(const StFactors *factors, int bodies) {
  const StLuPlan *plan = st_sparse_lu_plan(factors->lu);
  return st_lu_plan_time(plan, 3, 7) > st_solve_tunables.lu_body_time * bodies;
}

static StStatus plan_motions(StFactors *factors, const StProblem *problem, StError *error) {
  ST_TRY(st_reduction_create(problem, &factors->reduction, error));
  factors->matrix = st_reduction_matrix(factors->reduction);
  ST_TRY(st_sparse_lu_create(factors->matrix, &factors->lu, error));
  if (!pays(factors, problem->group_count))
    drop(factors);
  return ST_OK;
}

static StStatus plan(StFactors *factors, const StProblem *problem, StError *error) {
  if (problem->group_count > 0 && !factors->whole)
    ST_TRY(plan_motions(factors, problem, error));
  if (factors->lu)
    return ST_OK;
  factors->matrix = problem->matrix;
  return st_sparse_lu_create(problem->matrix, &factors->lu, error);
}

StStatus st_factors_create(const StProblem *problem, bool whole, StFactors **result,
                           StError *error) {
  StFactors *factors = ST_NEW(StFactors, 1);
  if (!factors)
    return st_fail_memory(error);
  factors->whole = whole;
  StStatus status = plan(factors, problem, error);
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
  drop(factors);
  free(factors);
}

const StLuPlan *st_factors_plan(const StFactors *factors) {
  return st_sparse_lu_plan(factors->lu);
}

bool st_factors_whole(const StFactors *factors) {
  return factors->whole;
}

bool st_factors_are_reduced(const StFactors *factors) {
  return factors->reduction != NULL;
}

bool st_factors_are_rough(const StFactors *factors) {
  return factors->reduction || st_sparse_lu_is_single(factors->lu);
}

StStatus st_factors_make(StFactors *factors, bool single, const bool *zero, StError *error) {
  factors->partial = zero && (factors->partial || !factors->made);
  if (factors->reduction) {
    ST_TRY(st_reduction_fill(factors->reduction, zero, error));
    zero = st_reduction_zero(factors->reduction);
  }
  factors->made = true;
  return st_sparse_lu_factor(factors->lu, factors->matrix, single, zero, error);
}

bool st_factors_are_partial(const StFactors *factors) {
  return factors->partial;
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
