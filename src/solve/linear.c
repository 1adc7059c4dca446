// Which method solves: the one that was chosen for the run, and where that fails LU, or multigrid
// where LU would be too dear. What failed is tried again after some steps.
#include "solve/linear.h"

#include "base/memory.h"
#include "solve/linear_parts.h"
#include "solve/runtime.h"
#include "solve/tunables.h"

#include <math.h>
#include <string.h>

const char *st_linear_method_name(StLinearMethod method) {
  static const char *const name[] = {"fgmres", "fgmres + ilu", "fgmres + gamg", "lu"};
  return name[method];
}

static bool has_ladder(const StLinearOptions *options) {
  return options->may_change && options->method != ST_LINEAR_LU;
}

static StStatus build(StLinear *linear, StError *error) {
  const StProblem *problem = linear->problem;
  linear->right = ST_NEW(double, problem->size);
  linear->left = ST_NEW(double, problem->size);
  ST_TRY(linear->right && linear->left ? ST_OK : st_fail_memory(error));
  ST_TRY(st_petsc_create(problem, &linear->petsc, error));
  ST_TRY(st_krylov_create(problem->size, problem->matrix->crew, &linear->krylov, error));
  if (problem->coupling_count > 0)
    ST_TRY(st_low_rank_create(problem->coupling_count, problem->size, &linear->dense, error));
  return has_ladder(&linear->options) ? st_direct_find_price(linear, error) : ST_OK;
}

StStatus st_linear_create(const StProblem *problem, const StLinearOptions *options,
                          StLinear **result, StError *error) {
  StLinear *linear = ST_NEW(StLinear, 1);
  if (!linear)
    return st_fail_memory(error);
  linear->problem = problem;
  linear->options = *options;
  StStatus status = build(linear, error);
  if (status != ST_OK) {
    st_linear_destroy(linear);
    return status;
  }
  *result = linear;
  return ST_OK;
}

void st_linear_destroy(StLinear *linear) {
  if (!linear)
    return;
  st_krylov_destroy(linear->krylov);
  st_petsc_destroy(linear->petsc);
  st_factors_destroy(linear->lu);
  st_ilu_destroy(linear->ilu);
  st_low_rank_destroy(linear->dense);
  free(linear->right);
  free(linear->left);
  free(linear->folder);
  free(linear);
}

StLinearMemory st_linear_memory(const StLinear *linear) {
  return linear->memory;
}

static bool is_rest(const StRest *rest) {
  return 0 <= rest->left && rest->left <= rest->last && rest->last <= st_solve_tunables.linear_rest;
}

void st_linear_restore(StLinear *linear, StLinearMemory memory) {
  bool known = is_rest(&memory.iterating) && is_rest(&memory.reuse) && is_rest(&memory.rough) &&
               isfinite(memory.price) && memory.price >= 0;
  linear->memory = known ? memory : (StLinearMemory){.price = linear->memory.price};
}

void st_rest_begin(StRest *rest) {
  rest->last = rest->last == 0 ? 1 : 2 * rest->last;
  if (rest->last > st_solve_tunables.linear_rest)
    rest->last = (int)st_solve_tunables.linear_rest;
  rest->left = rest->last;
}

static void pass_step(StRest *rest) {
  if (rest->left > 0)
    rest->left--;
}

void st_linear_drop_factors(StLinear *linear) {
  st_factors_destroy(linear->lu);
  linear->lu = NULL;
  linear->factored = linear->outgrown = false;
}

void st_linear_begin_step(StLinear *linear) {
  st_petsc_forget_multigrid(linear->petsc);
  linear->keeps_ilu = linear->exact = linear->factored = false;
  if (linear->outgrown)
    st_linear_drop_factors(linear);
  pass_step(&linear->memory.iterating);
  pass_step(&linear->memory.reuse);
  pass_step(&linear->memory.rough);
}

// What was built for another pattern is of no use.
static void follow_pattern(StLinear *linear) {
  if (linear->pattern == linear->problem->pattern)
    return;
  linear->pattern = linear->problem->pattern;
  st_petsc_forget_pattern(linear->petsc);
  linear->outgrown = linear->factored;
  if (!linear->factored)
    st_linear_drop_factors(linear);
  st_ilu_destroy(linear->ilu);
  linear->ilu = NULL;
  linear->keeps_ilu = false;
}

StStatus st_linear_assemble(StLinear *linear, StAssembly what, StError *error) {
  ST_TRY(linear->problem->assemble(linear->problem->context, what, error));
  follow_pattern(linear);
  return ST_OK;
}

StStatus st_linear_keep_failed(StLinear *linear, const char *folder, StError *error) {
  free(linear->folder);
  linear->folder = strdup(folder);
  return linear->folder ? ST_OK : st_fail_memory(error);
}

StStatus st_linear_keep(StLinear *linear, const StSystemNote *note, StError *error) {
  if (!linear->folder || st_runtime_size() > 1)
    return ST_OK;
  ST_TRY(st_linear_assemble(linear, ST_ASSEMBLE_WHOLE, error));
  return st_system_file_write(linear->folder, linear->problem, linear->asked, note, error);
}

void st_linear_multiply(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  linear->problem->product(linear->problem->context, x, y);
}

bool st_linear_correct(StLinear *linear,
                       StStatus (*precondition)(void *, const double *, double *)) {
  StLowRank *dense = linear->dense;
  size_t size = (size_t)dense->size;
  dense->u = linear->problem->coupling;
  dense->weight = linear->problem->coupling_weight;
  linear->corrected = false;
  for (size_t i = 0; i < (size_t)dense->count; i++)
    if (precondition(linear, dense->u + i * size, dense->solved + i * size) != ST_OK)
      return false;
  return linear->corrected = st_low_rank_prepare(dense);
}

static bool can_afford_lu(const StLinear *linear) {
  return linear->memory.price <= st_solve_tunables.lu_dearest;
}

// The method that takes over where the run's own fails.
static StLinearMethod second_method(const StLinear *linear) {
  return can_afford_lu(linear) || linear->options.method == ST_LINEAR_GAMG ? ST_LINEAR_LU
                                                                           : ST_LINEAR_GAMG;
}

// Half of what LU costs, because Newton's method makes more progress with that. On several
// processes LU is not planned and does not repeat its bits: it comes last.
static int patience_of(const StLinear *linear) {
  int most = linear->options.max_iterations;
  if (!linear->options.may_change || linear->options.named)
    return most;
  bool planned = st_runtime_size() == 1 && can_afford_lu(linear);
  double patience = planned ? linear->memory.price / 2 : st_solve_tunables.gmres_patience;
  return (int)fmax(1, fmin(most, patience));
}

// The power of two that scales the right-hand side to about 1, so that no digit changes: single
// precision ends at 1e38, and squares overflow.
static StStatus find_exponent(const StLinear *linear, const double *b, int *exponent,
                              StError *error) {
  double sum = 0; // no NaN is lost in it, as in a maximum over ranks
  for (int i = 0; i < linear->problem->size; i++)
    sum += fabs(b[i]);
  sum = st_runtime_sum(sum);
  if (!isfinite(sum))
    return st_fail(error, ST_NOT_SOLVED, "the right-hand side is not finite");
  frexp(sum, exponent);
  return ST_OK;
}

static void scale_to(double factor, const double *from, double *to, int size) {
  for (int i = 0; i < size; i++)
    to[i] = factor * from[i];
}

static StStatus solve_by(StLinear *linear, StLinearMethod method, int limit, const double *b,
                         StLinearGoal goal, double *x, int *iterations, StError *error) {
  return method == ST_LINEAR_LU
             ? st_direct_solve(linear, b, goal, x, iterations, error)
             : st_iterative_solve(linear, method, limit, b, goal, x, iterations, error);
}

static StStatus solve_scaled(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                             int *iterations, StError *error) {
  StRest *rest = &linear->memory.iterating;
  bool ladder = has_ladder(&linear->options);
  if (rest->left == 0 || !ladder) {
    StStatus status = solve_by(linear, linear->options.method, patience_of(linear), b, goal, x,
                               iterations, error);
    if (status == ST_OK)
      rest->last = 0;
    if (status != ST_NOT_SOLVED || !ladder || (goal.stay && !can_afford_lu(linear)))
      return status;
    st_rest_begin(rest);
  }
  return solve_by(linear, second_method(linear), linear->options.max_iterations, b, goal, x,
                  iterations, error);
}

StStatus st_linear_solve(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error) {
  int exponent, size = linear->problem->size;
  *iterations = 0;
  linear->asked = b;
  ST_TRY(find_exponent(linear, b, &exponent, error));
  scale_to(ldexp(1, -exponent), b, linear->right, size);
  StStatus status = solve_scaled(linear, linear->right, goal, x, iterations, error);
  if (status == ST_OK)
    scale_to(ldexp(1, exponent), x, x, size);
  return status;
}
