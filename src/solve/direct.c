// LU: by fronts of our own on one rank, refined by GMRES, and by MUMPS on several. Factors of an
// earlier system of the step may do for another.
// Tested by tests/solve/test_linear.c.
#include "math/vec3.h"
#include "solve/linear_parts.h"
#include "solve/runtime.h"
#include "solve/tunables.h"

#include <float.h>
#include <math.h>

static void set_price(StLinear *linear, const StLuPlan *plan) {
  const StBlockMatrix *matrix = linear->problem->matrix;
  linear->memory.price = st_lu_plan_time(plan, 1, 1) / matrix->row_start[matrix->row_count];
}

StStatus st_direct_find_price(StLinear *linear, StError *error) {
  StLuPlan *plan;
  linear->memory.price = linear->problem->global_count / st_solve_tunables.lu_rows_per_price;
  if (st_runtime_size() > 1)
    return ST_OK;
  ST_TRY(st_lu_plan_create(linear->problem->matrix, &plan, error));
  set_price(linear, plan);
  st_lu_plan_destroy(plan);
  return ST_OK;
}

static double norm(const double *x, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

// The whole matrix, and the dense terms where they are to be solved for.
static void multiply_whole(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  st_block_matrix_multiply(linear->problem->matrix, x, y);
  if (linear->corrected)
    st_low_rank_add(linear->dense, x, y);
}

static StStatus apply_factors(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  if (st_runtime_size() > 1)
    ST_TRY(st_petsc_solve(linear->petsc, x, y, NULL));
  else
    st_factors_solve(linear->lu, x, y);
  if (linear->corrected)
    st_low_rank_correct(linear->dense, y);
  return ST_OK;
}

// Round-off of the product A x: up to ε of each term, for each of the terms in a row
// (Higham, Accuracy and Stability of Numerical Algorithms, chapter 7). An x within that solves a
// system whose entries differ from A's in their last places, and no better one can be told from it.
static double round_off(const StBlockMatrix *matrix, const double *x) {
  double sum = 0;
  for (int row = 0; row < matrix->row_count; row++) {
    double terms[3] = {0};
    int first = matrix->row_start[row], end = matrix->row_start[row + 1];
    for (int k = first; k < end; k++)
      for (int e = 0; e < 9; e++)
        terms[e / 3] +=
            fabs(matrix->value[9 * (size_t)k + (size_t)e] * x[3 * matrix->column[k] + e % 3]);
    double share = 3 * (end - first) * DBL_EPSILON;
    sum += share * share * vec3_dot(terms, terms);
  }
  return sqrt(sum);
}

static bool is_solution(StLinear *linear, const double *b, const double *x) {
  int size = linear->problem->size;
  multiply_whole(linear, x, linear->left);
  for (int i = 0; i < size; i++)
    linear->left[i] = b[i] - linear->left[i];
  double left = norm(linear->left, size);
  return left <= st_solve_tunables.lu_fair_residual * norm(b, size) ||
         left <= round_off(linear->problem->matrix, x);
}

// Factors in single precision, and those of motions alone, leave more than round-off.
static StStatus refine(StLinear *linear, const double *b, double *x, StError *error) {
  StKrylovSystem system = {linear, multiply_whole, apply_factors};
  StKrylovGoal aim = {st_solve_tunables.lu_good_residual,
                      (int)st_solve_tunables.lu_reuse_iterations};
  int iterations;
  StStatus status = st_krylov_gmres(linear->krylov, &system, b, aim, x, &iterations, error);
  if (status == ST_NOT_SOLVED)
    return is_solution(linear, b, x)
               ? ST_OK
               : st_fail(error, ST_NOT_SOLVED, "the pivots of the Jacobian are too poor");
  return status;
}

static StStatus take_couplings(StLinear *linear, StLinearGoal goal, StError *error) {
  linear->corrected = false;
  if (!linear->dense || (linear->options.inexact_coupling && !goal.coupled) ||
      st_linear_correct(linear, apply_factors))
    return ST_OK;
  return st_fail(error, ST_NOT_SOLVED, "the Jacobian of a volume or a bearing is singular");
}

static StStatus factor(StLinear *linear, const bool *zero, StError *error) {
  bool precise = linear->memory.rough.left > 0;
  if (linear->outgrown || (linear->lu && st_factors_whole(linear->lu) != precise))
    st_linear_drop_factors(linear);
  if (!linear->lu)
    ST_TRY(st_factors_create(linear->problem, precise, &linear->lu, error));
  const StLuPlan *plan = st_factors_plan(linear->lu);
  set_price(linear, plan);
  ST_TRY(st_factors_make(linear->lu, plan->work >= st_solve_tunables.lu_single_work && !precise,
                         zero, error));
  linear->factored = true;
  return ST_OK;
}

// Where rough factors are not enough, by those of the whole matrix in double precision.
static StStatus solve_fronts(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                             StError *error) {
  StRest *rest = &linear->memory.rough;
  for (;;) {
    StStatus status = factor(linear, goal.zero, error);
    if (status == ST_OK)
      status = take_couplings(linear, goal, error);
    if (status == ST_OK)
      status = refine(linear, b, x, error);
    bool rough = linear->lu && st_factors_are_rough(linear->lu); // NULL: no memory
    if (status == ST_OK && rough)
      rest->last = 0;
    if (status != ST_NOT_SOLVED || !rough)
      return status;
    st_rest_begin(rest);
    StSystemNote note = {"rough lu", "refinement stalled", goal.tolerance};
    ST_TRY(st_linear_keep(linear, &note, error));
  }
}

static StStatus solve_mumps(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                            StError *error) {
  ST_TRY(st_petsc_factor(linear->petsc, error));
  ST_TRY(take_couplings(linear, goal, error));
  ST_TRY(st_petsc_solve(linear->petsc, b, x, error));
  if (linear->corrected)
    st_low_rank_correct(linear->dense, x);
  return ST_OK;
}

// From one iteration of Newton's method to the next a matrix changes little, or in few places.
// Factors of an earlier one then precondition it so well that a handful of solves with them does.
static StStatus reuse_factors(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                              int *iterations, StError *error) {
  ST_TRY(st_linear_assemble(linear, ST_ASSEMBLE_PRODUCT, error));
  linear->corrected = false;
  if (linear->dense)
    st_linear_correct(linear, apply_factors);
  StKrylovSystem system = {linear, st_linear_multiply, apply_factors};
  StKrylovGoal aim = {fmin(goal.tolerance, st_solve_tunables.lu_reuse_tolerance),
                      (int)st_solve_tunables.lu_reuse_iterations};
  return st_krylov_gmres(linear->krylov, &system, b, aim, x, iterations, error);
}

// Factors of motions alone are soon made.
static bool can_reuse(const StLinear *linear, StLinearGoal goal) {
  return linear->factored && !st_factors_are_reduced(linear->lu) &&
         linear->memory.reuse.left == 0 && goal.tolerance > 0 &&
         (goal.zero || !st_factors_are_partial(linear->lu));
}

StStatus st_direct_solve(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error) {
  StRest *rest = &linear->memory.reuse;
  if (can_reuse(linear, goal)) {
    int count = 0;
    StStatus status = reuse_factors(linear, b, goal, x, &count, error);
    *iterations += count;
    if (status == ST_OK)
      rest->last = 0;
    if (status != ST_NOT_SOLVED)
      return status;
    st_rest_begin(rest);
  }
  ST_TRY(st_linear_assemble(linear, ST_ASSEMBLE_WHOLE, error));
  *iterations += 1;
  return st_runtime_size() > 1 ? solve_mumps(linear, b, goal, x, error)
                               : solve_fronts(linear, b, goal, x, error);
}

bool st_linear_estimate(StLinear *linear, const double *b, double *x) {
  if (!linear->factored || linear->dense || st_factors_are_partial(linear->lu))
    return false;
  st_factors_solve(linear->lu, b, x);
  return true;
}
