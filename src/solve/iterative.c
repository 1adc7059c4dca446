// GMRES with products by the problem, preconditioned by incomplete LU, by PETSc's multigrid, or by
// nothing.
// Tested by tests/solve/test_linear.c.
#include "solve/communicator.h"
#include "solve/linear_parts.h"
#include "solve/runtime.h"
#include "solve/tunables.h"

#include <float.h>
#include <math.h>
#include <mpi.h>

// Products for solutions that need be no better than this do with a matrix in single precision.
static const double ROUGH_TOLERANCE = 2 * FLT_EPSILON;

static bool all_ranks(bool good) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_C_BOOL, MPI_LAND, st_communicator());
  return good;
}

static StStatus apply_multigrid(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  return st_petsc_apply_multigrid(linear->petsc, x, y);
}

static StStatus apply_ilu(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  st_ilu_solve(linear->ilu, x, y);
  if (linear->corrected)
    st_low_rank_correct(linear->dense, y);
  return ST_OK;
}

static StStatus factor_ilu(StLinear *linear, StError *error) {
  if (!linear->ilu)
    ST_TRY(st_ilu_create(linear->problem->matrix, &linear->ilu, error));
  if (!all_ranks(st_ilu_factor(linear->ilu, linear->problem->matrix)))
    return st_fail(error, ST_NOT_SOLVED, "the incomplete factorisation found a singular block");
  return ST_OK;
}

// Dense terms that it cannot take in are left to the iterations.
static StStatus prepare_ilu(StLinear *linear, bool kept, StError *error) {
  if (!kept)
    ST_TRY(factor_ilu(linear, error));
  if (linear->dense)
    st_linear_correct(linear, apply_ilu);
  return ST_OK;
}

static StStatus prepare(StLinear *linear, StLinearMethod method, bool rounded, bool *kept,
                        StError *error) {
  if (method != ST_LINEAR_NONE) {
    ST_TRY(st_linear_assemble(linear, ST_ASSEMBLE_NEAR, error));
    *kept = all_ranks(method == ST_LINEAR_ILU && linear->keeps_ilu);
    ST_TRY(method == ST_LINEAR_GAMG ? st_petsc_make_multigrid(linear->petsc, error)
                                    : prepare_ilu(linear, *kept, error));
  }
  return st_linear_assemble(linear, rounded ? ST_ASSEMBLE_ROUNDED : ST_ASSEMBLE_PRODUCT, error);
}

// Whether the matrix in single precision says as much of a residual as was asked for.
static bool is_certain(const StLinear *linear, const double *b, double tolerance, const double *x) {
  double square = 0;
  for (int i = 0; i < linear->problem->size; i++)
    square += b[i] * b[i];
  return st_runtime_sum(st_block_matrix_doubt(linear->problem->matrix, x)) <=
         tolerance * tolerance * st_runtime_sum(square);
}

static StStatus iterate(StLinear *linear, StLinearMethod method, const double *b, StKrylovGoal aim,
                        double *x, int *iterations, StError *error) {
  StKrylovSystem system = {.context = linear, .product = st_linear_multiply};
  int count = 0;
  if (method != ST_LINEAR_NONE)
    system.precondition = method == ST_LINEAR_GAMG ? apply_multigrid : apply_ilu;
  StStatus status = st_krylov_gmres(linear->krylov, &system, b, aim, x, &count, error);
  *iterations += count;
  if (status != ST_OK || !linear->problem->matrix->rounded ||
      is_certain(linear, b, aim.tolerance, x))
    return status;
  linear->exact = true;
  ST_TRY(st_linear_assemble(linear, ST_ASSEMBLE_PRODUCT, error));
  return iterate(linear, method, b, aim, x, iterations, error);
}

// Incomplete factors are good for the next system while they take hardly more iterations than for
// their own.
static StStatus iterate_rated(StLinear *linear, StLinearMethod method, bool kept, const double *b,
                              StKrylovGoal aim, double *x, int *iterations, StError *error) {
  double digits = -log10(aim.tolerance),
         usual = linear->ilu_pace * digits + st_solve_tunables.ilu_price;
  int count = 0;
  if (kept)
    aim.limit = (int)fmin(aim.limit, 2 * usual);
  StStatus status = iterate(linear, method, b, aim, x, &count, error);
  *iterations += count;
  if (!kept)
    linear->ilu_pace = count / digits;
  linear->keeps_ilu = status == ST_OK && method == ST_LINEAR_ILU && (!kept || count <= usual);
  return status;
}

static StStatus report(StLinear *linear, StLinearMethod method, StLinearGoal goal,
                       const StError *why, StError *error) {
  const char *name = st_linear_method_name(method);
  ST_TRY(st_linear_keep(linear, &(StSystemNote){name, why->text, goal.tolerance}, error));
  return st_fail(error, ST_NOT_SOLVED, "%s did not reach a relative residual of %.1e: %s", name,
                 goal.tolerance, why->text);
}

StStatus st_iterative_solve(StLinear *linear, StLinearMethod method, int limit, const double *b,
                            StLinearGoal goal, double *x, int *iterations, StError *error) {
  bool rounded = goal.tolerance >= ROUGH_TOLERANCE && !linear->exact, kept = false;
  StKrylovGoal aim = {goal.tolerance, limit};
  StError why = {0};
  linear->corrected = false;
  ST_TRY(prepare(linear, method, rounded, &kept, error));
  StStatus status = iterate_rated(linear, method, kept, b, aim, x, iterations, &why);
  if (status == ST_NOT_SOLVED && kept)
    return st_iterative_solve(linear, method, limit, b, goal, x, iterations, error);
  if (status == ST_NOT_SOLVED)
    return report(linear, method, goal, &why, error);
  return status == ST_OK ? ST_OK : st_fail(error, status, "%s", why.text);
}
