// Which method solves, with which factors, and when another one takes over. Products go through the
// problem; MUMPS and multigrid are PETSc's (solve/petsc.c). One rank factorises by fronts of its
// own.
#include "solve/linear.h"

#include "base/memory.h"
#include "solve/factors.h"
#include "solve/ilu.h"
#include "solve/krylov.h"
#include "solve/low_rank.h"
#include "solve/petsc.h"
#include "solve/runtime.h"
#include "solve/system_file.h"
#include "solve/communicator.h"

#include <float.h>
#include <math.h>
#include <mpi.h>
#include <string.h>

// Beyond this many iterations another method is the better choice, where there is one; where it is
// known what LU takes, beyond half of that, but not before the least.
enum { LEAST_PATIENCE = 25, BICGSTAB_PATIENCE = 150, GMRES_PATIENCE = 400 };
// Nanoseconds (measured; only the ratio to LU's matters) of an iteration of BiCGSTAB per block of
// the matrix. GMRES has one product where BiCGSTAB has two, but works through all directions since
// its last restart.
static const double ITERATION_TIME = 8;
static const double GMRES_PRODUCT = 0.5, GMRES_DIRECTION = 0.02; // of an iteration of BiCGSTAB
// Price of LU on several ranks, which nobody plans; and of a plan that has no contacts yet, in
// its own.
static const double USUAL_PRICE = 150, WITH_CONTACTS = 2;
// Below this many vertices LU is cheaper than finding out whether multigrid works.
enum { SMALL_FOR_LU = 20000 };
// Steps after which a method that failed gets another chance.
enum { DETOUR = 20 };
// Systems after which prices are compared, and how the past fades from step to step. What iterating
// cost before LU took over is remembered when it is tried again, so that two systems are enough.
enum { PRICED_SOLVES = 3 };
static const double FADING = 0.9;
// Residuals of factors, relative: not worth refining, and too large to be called a solution; of
// factors in single precision, so large that others are to be made.
static const double GOOD_RESIDUAL = 1e-11, FAIR_RESIDUAL = 1e-7, SINGLE_RESIDUAL = 1e-9;
enum { REFINEMENTS = 3, ROUGH_REFINEMENTS = 8 };
// Iterations of GMRES with factors of motions, before those of all unknowns are made.
enum { MOTION_ITERATIONS = 20 };
static const double STALLED = 0.3; // of the residual before, when refining no longer helps
// Operations of a factorisation from which on single precision is faster; and steps that are to be
// taken without it where it was not enough.
static const double SINGLE_WORK = 2e8;
enum { PRECISE_STEPS = 64 };
// Products for a solution that need be no better than this do with a matrix in single precision.
static const double ROUGH_TOLERANCE = 2e-7;
// Factors of an earlier system of the step: how many iterations of GMRES they may take for another,
// and how well they solve it at least. Where they do not they rest, each time for twice as many
// steps.
enum { REUSE_ITERATIONS = 8, LONGEST_REST = 64 };
static const double REUSE_TOLERANCE = 1e-2;
// Incomplete factors of an earlier system of the step are good while they take hardly more
// iterations than for their own, and are given up where they take twice as many.
static const double GOOD_PACE = 1.3, BAD_PACE = 2;
enum { GOOD_EXTRA = 2, BAD_EXTRA = 6 }; // iterations

struct StLinear {
  const StProblem *problem;
  StLinearOptions options;
  StLinearMemory memory;
  StKrylov *krylov;
  StPetsc *petsc;   // multigrid, and LU on several ranks
  StFactors *lu;    // on one rank
  bool factored;    // it has the factors of a system of this step, …
  bool outgrown;    // … which had another pattern
  double *residual; // [size] what its solution leaves; and room for a right-hand side
  double *further;  // [size] what is added to a solution; NULL: not needed yet
  StIlu *ilu;
  StIluCare care;   // how the factors are made; sound again in the next step
  bool keeps_ilu;   // the factors are good for another system of this step
  bool kept_ilu;    // the present system has such factors
  double ilu_pace;  // iterations per digit that they took for their own system
  bool exact;       // products are in double precision for the rest of the step
  StLowRank *dense; // the problem's couplings; NULL: it has none
  bool corrected;   // what preconditions has them too
  double lu_price;  // iterations of BiCGSTAB that take as long as LU; 0: not known
  char *folder;     // where systems go that an iteration failed on; NULL: nowhere
  int pattern;      // of the matrix that copy, factors and preconditioner were made for
};

const char *st_linear_method_name(StLinearMethod method) {
  static const char *const name[] = {"bicgstab", "bicgstab + ilu", "fgmres + ilu", "fgmres + gamg",
                                     "lu"};
  return name[method];
}

static double price_of(const StLuPlan *plan, const StBlockMatrix *matrix) {
  return st_lu_plan_time(plan, 1, 1) / (ITERATION_TIME * matrix->row_start[matrix->row_count]);
}

// What LU would take, of the matrix without contacts: the same for a run and its continuation.
static StStatus find_lu_price(StLinear *linear, StError *error) {
  const StBlockMatrix *matrix = linear->problem->matrix;
  const StLinearOptions *options = &linear->options;
  bool choice = options->may_change && !options->named && options->method != ST_LINEAR_LU;
  if (!choice || linear->problem->global_count >= SMALL_FOR_LU)
    return ST_OK;
  linear->lu_price = USUAL_PRICE;
  if (st_runtime_size() > 1)
    return ST_OK;
  StLuPlan *plan;
  ST_TRY(st_lu_plan_create(matrix, &plan, error));
  linear->lu_price = price_of(plan, matrix);
  st_lu_plan_destroy(plan);
  return ST_OK;
}

// Contacts couple what was apart, and nobody knows by how much before LU has been used.
static double present_price(const StLinear *linear) {
  return linear->memory.price > 0 ? linear->memory.price : WITH_CONTACTS * linear->lu_price;
}

StStatus st_linear_create(const StProblem *problem, const StLinearOptions *options,
                          StLinear **result, StError *error) {
  StLinear *linear = ST_NEW(StLinear, 1);
  if (!linear)
    return st_fail_memory(error);
  linear->problem = problem;
  linear->options = *options;
  linear->memory.method = options->method;
  linear->residual = ST_NEW(double, problem->size);
  StStatus status = linear->residual ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_petsc_create(problem, &linear->petsc, error);
  if (status == ST_OK)
    status = st_krylov_create(problem->size, problem->matrix->crew, &linear->krylov, error);
  if (status == ST_OK && problem->coupling_count > 0)
    status = st_low_rank_create(problem->coupling_count, problem->size, &linear->dense, error);
  if (status == ST_OK)
    status = find_lu_price(linear, error);
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
  free(linear->residual);
  free(linear->further);
  free(linear->folder);
  st_ilu_destroy(linear->ilu);
  st_low_rank_destroy(linear->dense);
  free(linear);
}

StLinearMemory st_linear_memory(const StLinear *linear) {
  return linear->memory;
}

void st_linear_restore(StLinear *linear, StLinearMemory memory) {
  StLinearMethod first = linear->options.method;
  bool ours = memory.method == first || (linear->options.may_change && memory.method > first);
  bool known = ours && memory.method <= ST_LINEAR_LU && isfinite(memory.spent) &&
               isfinite(memory.solves) && isfinite(memory.price) && memory.rest >= 0 &&
               memory.last_rest >= 0 && memory.precise >= 0;
  linear->memory = known ? memory : (StLinearMemory){.method = linear->options.method};
}

static void drop_fronts(StLinear *linear) {
  st_factors_destroy(linear->lu);
  linear->lu = NULL;
  linear->factored = linear->outgrown = false;
}

void st_linear_begin_step(StLinear *linear) {
  st_petsc_forget_multigrid(linear->petsc);
  linear->care = ST_ILU_SOUND;
  linear->keeps_ilu = false;
  linear->exact = false;
  linear->factored = false;
  if (linear->outgrown)
    drop_fronts(linear);
  if (linear->memory.rest > 0)
    linear->memory.rest--;
  if (linear->memory.precise > 0)
    linear->memory.precise--;
  linear->memory.spent *= FADING;
  linear->memory.solves *= FADING;
  if (linear->memory.detour > 0 && --linear->memory.detour == 0)
    linear->memory.method = linear->options.method;
}

// The next sturdier method, for a while.
static void take_detour(StLinear *linear) {
  linear->memory.method++;
  if (linear->memory.method == ST_LINEAR_GAMG && linear->problem->global_count < SMALL_FOR_LU)
    linear->memory.method = ST_LINEAR_LU;
  linear->memory.detour = DETOUR;
}

// What was built for another pattern is of no use.
static void follow_pattern(StLinear *linear) {
  if (linear->pattern == linear->problem->pattern)
    return;
  linear->pattern = linear->problem->pattern;
  st_petsc_forget_pattern(linear->petsc);
  linear->outgrown = linear->factored;
  if (!linear->factored)
    drop_fronts(linear);
  st_ilu_destroy(linear->ilu);
  linear->ilu = NULL;
  linear->keeps_ilu = false;
}

static StStatus assemble(StLinear *linear, StAssembly what, StError *error) {
  ST_TRY(linear->problem->assemble(linear->problem->context, what, error));
  follow_pattern(linear);
  return ST_OK;
}

StStatus st_linear_keep_failed(StLinear *linear, const char *folder, StError *error) {
  free(linear->folder);
  linear->folder = strdup(folder);
  return linear->folder ? ST_OK : st_fail_memory(error);
}

// Whoever goes on assembles anew.
static StStatus keep_failed(StLinear *linear, const double *b, const StSystemNote *note,
                            StError *error) {
  if (!linear->folder || st_runtime_size() > 1)
    return ST_OK;
  ST_TRY(assemble(linear, ST_ASSEMBLE_WHOLE, error));
  return st_system_file_write(linear->folder, linear->problem, b, note, error);
}

static double norm(const double *x, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

// What is left of b, relative to it.
static double find_residual(StLinear *linear, const double *b, const double *x) {
  int size = linear->problem->size;
  st_block_matrix_multiply(linear->problem->matrix, x, linear->residual);
  for (int i = 0; i < size; i++)
    linear->residual[i] = b[i] - linear->residual[i];
  return norm(linear->residual, size) / norm(b, size);
}

// The residual below which no solution can be known: what rounding A x leaves.
static double round_off(const StBlockMatrix *matrix, const double *b, const double *x) {
  double largest = 0;
  int size = 3 * matrix->row_count;
  for (size_t i = 0; i < 9 * (size_t)matrix->row_start[matrix->row_count]; i++)
    largest = fmax(largest, fabs(matrix->value[i]));
  return DBL_EPSILON * largest * norm(x, size) / norm(b, size);
}

static void multiply_matrix(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  st_block_matrix_multiply(linear->problem->matrix, x, y);
}

static StStatus apply_factors(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  st_factors_solve(linear->lu, x, y);
  return ST_OK;
}

// Where some bodies press each other so hard that their strain depends on each other's.
static StStatus iterate_motions(StLinear *linear, const double *b, double *x, StError *error) {
  StKrylovSystem system = {linear, multiply_matrix, apply_factors};
  StKrylovGoal aim = {FAIR_RESIDUAL, MOTION_ITERATIONS};
  int count = 0;
  return st_krylov_gmres(linear->krylov, &system, b, aim, x, &count, error);
}

// A solve with the factors, and some more with what is left where pivots were poor or the factors
// are rough.
static StStatus apply_fronts(StLinear *linear, const double *b, double *x, StError *error) {
  int size = linear->problem->size;
  bool rough = st_factors_are_rough(linear->lu), reduced = st_factors_are_reduced(linear->lu);
  st_factors_solve(linear->lu, b, x);
  if (norm(b, size) == 0)
    return ST_OK;
  double left = find_residual(linear, b, x), before = INFINITY;
  double fair = rough && !reduced ? SINGLE_RESIDUAL : FAIR_RESIDUAL;
  int most = rough ? ROUGH_REFINEMENTS : REFINEMENTS;
  for (int k = 0; k < most && left > GOOD_RESIDUAL && left < STALLED * before; k++) {
    before = left;
    st_factors_solve(linear->lu, linear->residual, linear->residual);
    for (int i = 0; i < size; i++)
      x[i] += linear->residual[i];
    left = find_residual(linear, b, x);
  }
  if (left <= fair || left <= round_off(linear->problem->matrix, b, x))
    return ST_OK;
  if (reduced)
    return iterate_motions(linear, b, x, error);
  return st_fail(error, ST_NOT_SOLVED, "the pivots of the Jacobian are too poor");
}

static StStatus apply_lu(StLinear *linear, const double *b, double *x, StError *error) {
  return linear->lu ? apply_fronts(linear, b, x, error)
                    : st_petsc_solve(linear->petsc, b, x, error);
}

static void take_couplings(StLinear *linear) {
  linear->dense->u = linear->problem->coupling;
  linear->dense->weight = linear->problem->coupling_weight;
}

// The dense terms, by a solve with the factors for each.
static StStatus correct_lu(StLinear *linear, double *x, StError *error) {
  StLowRank *dense = linear->dense;
  size_t size = (size_t)dense->size;
  take_couplings(linear);
  for (size_t i = 0; i < (size_t)dense->count; i++)
    ST_TRY(apply_lu(linear, dense->u + i * size, dense->solved + i * size, error));
  if (!st_low_rank_prepare(dense))
    return st_fail(error, ST_NOT_SOLVED, "the Jacobian of a volume or a bearing is singular");
  st_low_rank_correct(dense, x);
  return ST_OK;
}

static StStatus factor_fronts(StLinear *linear, const bool *zero, StError *error) {
  bool precise = linear->memory.precise > 0;
  if (linear->outgrown || (linear->lu && st_factors_whole(linear->lu) != precise))
    drop_fronts(linear);
  if (!linear->lu)
    ST_TRY(st_factors_create(linear->problem, precise, &linear->lu, error));
  const StLuPlan *plan = st_factors_plan(linear->lu);
  if (linear->lu_price > 0)
    linear->memory.price = price_of(plan, linear->problem->matrix);
  ST_TRY(st_factors_make(linear->lu, plan->work >= SINGLE_WORK && !precise, zero, error));
  linear->factored = true;
  return ST_OK;
}

// With the factors, whichever method made them.
static StStatus solve_factors(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                              StError *error) {
  ST_TRY(apply_lu(linear, b, x, error));
  if (!linear->dense || (linear->options.inexact_coupling && !goal.coupled))
    return ST_OK;
  return correct_lu(linear, x, error);
}

// By fronts of our own; where rough ones are not enough, by those of the whole matrix in double
// precision.
static StStatus solve_fronts(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                             StError *error) {
  for (;;) {
    StStatus status = factor_fronts(linear, goal.zero, error);
    if (status == ST_OK)
      status = solve_factors(linear, b, goal, x, error);
    if (status != ST_NOT_SOLVED || !st_factors_are_rough(linear->lu))
      return status;
    linear->memory.precise = PRECISE_STEPS;
    StSystemNote note = {"rough lu", "refinement stalled", goal.tolerance};
    ST_TRY(keep_failed(linear, b, &note, error));
  }
}

static void multiply(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  linear->problem->product(linear->problem->context, x, y);
}

static StStatus apply_reused(void *context, const double *x, double *y) {
  const StLinear *linear = context;
  st_factors_solve(linear->lu, x, y);
  if (linear->corrected)
    st_low_rank_correct(linear->dense, y);
  return ST_OK;
}

// From one iteration of Newton's method to the next a matrix changes little, or in few places.
// Factors of an earlier one then precondition it so well that a handful of solves with them does
// for a factorisation, which takes as long as 10 to 30.
static StStatus reuse_factors(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                              int *iterations, StError *error) {
  StLowRank *dense = linear->dense;
  int count = 0;
  ST_TRY(assemble(linear, ST_ASSEMBLE_PRODUCT, error));
  if (dense) {
    take_couplings(linear);
    for (size_t i = 0; i < (size_t)dense->count; i++)
      st_factors_solve(linear->lu, dense->u + i * (size_t)dense->size,
                       dense->solved + i * (size_t)dense->size);
    linear->corrected = st_low_rank_prepare(dense);
  }
  StKrylovSystem system = {linear, multiply, apply_reused};
  StKrylovGoal aim = {fmin(goal.tolerance, REUSE_TOLERANCE), REUSE_ITERATIONS};
  StStatus status = st_krylov_gmres(linear->krylov, &system, b, aim, x, &count, error);
  *iterations += count;
  return status;
}

// Factors of motions alone are soon made.
static bool can_reuse(const StLinear *linear, StLinearGoal goal) {
  return linear->factored && !st_factors_are_reduced(linear->lu) && linear->memory.rest == 0 &&
         st_runtime_size() == 1 && (goal.zero || !st_factors_are_partial(linear->lu));
}

static void rest(StLinearMemory *memory) {
  memory->last_rest = memory->last_rest > 0 ? 2 * memory->last_rest : 1;
  if (memory->last_rest > LONGEST_REST)
    memory->last_rest = LONGEST_REST;
  memory->rest = memory->last_rest;
}

static StStatus solve_lu(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error) {
  if (can_reuse(linear, goal)) {
    StStatus status = reuse_factors(linear, b, goal, x, iterations, error);
    if (status == ST_OK)
      linear->memory.last_rest = 0;
    if (status != ST_NOT_SOLVED)
      return status;
    rest(&linear->memory);
  }
  ST_TRY(assemble(linear, ST_ASSEMBLE_WHOLE, error));
  *iterations += 1;
  if (st_runtime_size() == 1) {
    StStatus status = solve_fronts(linear, b, goal, x, error);
    if (status != ST_NOT_SOLVED)
      return status;
    drop_fronts(linear); // MUMPS looks for pivots everywhere
  }
  ST_TRY(st_petsc_factor(linear->petsc, error));
  return solve_factors(linear, b, goal, x, error);
}

bool st_linear_estimate(StLinear *linear, const double *b, double *x) {
  if (!linear->factored || linear->dense || st_runtime_size() > 1 ||
      st_factors_are_partial(linear->lu))
    return false;
  st_factors_solve(linear->lu, b, x);
  return true;
}

// Incomplete factors take the dense terms like complete ones; where that fails, iterations find
// them.
static void correct_ilu(StLinear *linear) {
  StLowRank *dense = linear->dense;
  size_t size = (size_t)dense->size;
  take_couplings(linear);
  for (size_t i = 0; i < (size_t)dense->count; i++)
    st_ilu_solve(linear->ilu, dense->u + i * size, dense->solved + i * size);
  linear->corrected = st_low_rank_prepare(dense);
}

static bool all_ranks(bool good) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_C_BOOL, MPI_LAND, st_communicator());
  return good;
}

static StStatus factor_ilu(StLinear *linear, StError *error) {
  if (!linear->ilu)
    ST_TRY(st_ilu_create(linear->problem->matrix, &linear->ilu, error));
  if (!all_ranks(st_ilu_factor(linear->ilu, linear->problem->matrix, linear->care)))
    return st_fail(error, ST_NOT_SOLVED, "the incomplete factorisation found a singular block");
  return ST_OK;
}

static StStatus prepare_ilu(StLinear *linear, StError *error) {
  linear->kept_ilu = all_ranks(linear->keeps_ilu);
  if (!linear->kept_ilu)
    ST_TRY(factor_ilu(linear, error));
  if (linear->dense)
    correct_ilu(linear);
  return ST_OK;
}

static bool uses_ilu(const StLinear *linear) {
  return linear->memory.method == ST_LINEAR_ILU || linear->memory.method == ST_LINEAR_GMRES;
}

// Whether the factors are worth keeping follows from the iterations they took.
static void rate_ilu(StLinear *linear, StLinearGoal goal, StStatus status, int iterations) {
  double digits = -log10(goal.tolerance);
  if (!uses_ilu(linear))
    return;
  if (!linear->kept_ilu)
    linear->ilu_pace = iterations / digits;
  linear->keeps_ilu =
      status == ST_OK && iterations <= GOOD_PACE * linear->ilu_pace * digits + GOOD_EXTRA;
}

static StStatus prepare(StLinear *linear, StLinearGoal goal, StError *error) {
  StLinearMethod method = linear->memory.method;
  linear->kept_ilu = false;
  if (method != ST_LINEAR_NONE) {
    ST_TRY(assemble(linear, ST_ASSEMBLE_NEAR, error));
    ST_TRY(method == ST_LINEAR_GAMG ? st_petsc_make_multigrid(linear->petsc, error)
                                    : prepare_ilu(linear, error));
  }
  bool rough = goal.tolerance >= ROUGH_TOLERANCE && !linear->exact;
  return assemble(linear, rough ? ST_ASSEMBLE_ROUNDED : ST_ASSEMBLE_PRODUCT, error);
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

// Whether there are other incomplete factors to try.
static bool can_loosen(const StLinear *linear) {
  return uses_ilu(linear) && linear->care == ST_ILU_SOUND;
}

// The power of two that scales the right-hand side to about 1, so that no digit changes: the
// factors' single precision ends at 1e38.
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

// What some iterations cost, in iterations of BiCGSTAB.
static double cost_of(StLinearMethod method, int iterations) {
  if (method < ST_LINEAR_GMRES)
    return iterations;
  return iterations * (GMRES_PRODUCT + GMRES_DIRECTION * fmin(iterations, ST_GMRES_RESTART));
}

static int patience_of(const StLinear *linear, StLinearGoal goal) {
  if (linear->options.named && linear->memory.method == linear->options.method)
    return linear->options.max_iterations;
  bool short_try = linear->memory.method <= ST_LINEAR_ILU || goal.stay;
  int patience = short_try ? BICGSTAB_PATIENCE : GMRES_PATIENCE;
  while (linear->lu_price > 0 && patience > LEAST_PATIENCE &&
         cost_of(linear->memory.method, patience) > present_price(linear) / 2)
    patience--;
  return patience;
}

static StStatus iterate(StLinear *linear, const double *b, StKrylovGoal goal, double *x,
                        int *iterations, StError *error) {
  StLinearMethod method = linear->memory.method;
  StKrylovSystem system = {.context = linear, .product = multiply};
  if (method != ST_LINEAR_NONE)
    system.precondition = method == ST_LINEAR_GAMG ? apply_multigrid : apply_ilu;
  return method < ST_LINEAR_GMRES
             ? st_krylov_bicgstab(linear->krylov, &system, b, goal, x, iterations, error)
             : st_krylov_gmres(linear->krylov, &system, b, goal, x, iterations, error);
}

// Whether the matrix in single precision says as much of a residual as was asked for.
static bool is_certain(const StLinear *linear, const double *b, StLinearGoal goal,
                       const double *x) {
  double enough = goal.tolerance * norm(b, linear->problem->size);
  double doubt = st_block_matrix_doubt(linear->problem->matrix, x);
  return st_runtime_sum(doubt) <= st_runtime_sum(enough * enough);
}

// The right-hand side in `residual` becomes what x leaves of it. *share: of its norm.
static void take_from_residual(StLinear *linear, const double *x, double *share) {
  int size = linear->problem->size;
  double *r = linear->residual, before = norm(r, size);
  multiply(linear, x, linear->further);
  for (int i = 0; i < size; i++)
    r[i] -= linear->further[i];
  double after = norm(r, size);
  *share = sqrt(st_runtime_sum(after * after) / st_runtime_sum(before * before));
}

// Goes on in double precision from a solution in single precision, with the same preconditioner.
// The right-hand side is in `residual`.
static StStatus go_on_exactly(StLinear *linear, StKrylovGoal goal, double *x, int *iterations,
                              StError *error) {
  int size = linear->problem->size;
  double share;
  linear->exact = true;
  if (!linear->further)
    linear->further = ST_NEW(double, size);
  ST_TRY(st_runtime_agree(linear->further ? ST_OK : st_fail_memory(error), error));
  ST_TRY(assemble(linear, ST_ASSEMBLE_PRODUCT, error));
  take_from_residual(linear, x, &share);
  goal.tolerance /= share;
  if (!(goal.tolerance < 1))
    return ST_OK;
  ST_TRY(iterate(linear, linear->residual, goal, linear->further, iterations, error));
  for (int i = 0; i < size; i++)
    x[i] += linear->further[i];
  return ST_OK;
}

static StStatus solve_krylov(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                             int *iterations, StError *error) {
  int exponent, count = 0, size = linear->problem->size, patience = patience_of(linear, goal);
  StKrylovGoal aim = {goal.tolerance, linear->options.max_iterations};
  StError why = {0};
  ST_TRY(prepare(linear, goal, error));
  ST_TRY(find_exponent(linear, b, &exponent, error));
  if ((linear->options.may_change || can_loosen(linear)) && aim.limit > patience)
    aim.limit = patience;
  if (linear->kept_ilu)
    aim.limit =
        (int)fmin(aim.limit, BAD_EXTRA - BAD_PACE * linear->ilu_pace * log10(goal.tolerance));
  scale_to(ldexp(1, -exponent), b, linear->residual, size);
  StStatus status = iterate(linear, linear->residual, aim, x, &count, &why);
  *iterations += count;
  rate_ilu(linear, goal, status, count);
  if (status == ST_NOT_SOLVED && linear->kept_ilu)
    return solve_krylov(linear, b, goal, x, iterations, error);
  if (status == ST_OK && !is_certain(linear, linear->residual, goal, x)) {
    status = go_on_exactly(linear, aim, x, &count, &why);
    *iterations += count;
  }
  if (status == ST_OK)
    scale_to(ldexp(1, exponent), x, x, size);
  if (status == ST_NOT_SOLVED) {
    const char *method = st_linear_method_name(linear->memory.method);
    ST_TRY(keep_failed(linear, b, &(StSystemNote){method, why.text, goal.tolerance}, error));
    return st_fail(error, ST_NOT_SOLVED, "%s did not reach a relative residual of %.1e: %s", method,
                   goal.tolerance, why.text);
  }
  return status == ST_OK ? ST_OK : st_fail(error, status, "%s", why.text);
}

// Where the price of LU is known: it solves what defeats an iteration, and takes over for a while
// when iterating has recently cost half as much, because Newton's method makes more progress with
// it.
static StStatus weigh_price(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                            StStatus status, int *iterations, StError *error) {
  StLinearMemory *memory = &linear->memory;
  memory->solves++;
  memory->spent += cost_of(memory->method, *iterations);
  if (status == ST_NOT_SOLVED) {
    status = solve_lu(linear, b, goal, x, iterations, error);
    memory->spent += present_price(linear);
  }
  if (memory->solves >= PRICED_SOLVES &&
      memory->spent > memory->solves * present_price(linear) / 2) {
    memory->method = ST_LINEAR_LU;
    memory->detour = DETOUR;
  }
  return status;
}

// GMRES solves much that defeats BiCGSTAB, and cheaply: it is tried before LU.
static bool knows_price(const StLinear *linear, StStatus status) {
  bool defeated = status == ST_NOT_SOLVED && linear->memory.method == ST_LINEAR_GMRES;
  return linear->lu_price > 0 && uses_ilu(linear) && (status == ST_OK || defeated);
}

StStatus st_linear_solve(StLinear *linear, const double *b, StLinearGoal goal, double *x,
                         int *iterations, StError *error) {
  *iterations = 0;
  for (;;) {
    bool lu = linear->memory.method == ST_LINEAR_LU;
    StStatus status = lu ? solve_lu(linear, b, goal, x, iterations, error)
                         : solve_krylov(linear, b, goal, x, iterations, error);
    if (status == ST_NOT_SOLVED && can_loosen(linear)) {
      linear->care = ST_ILU_LOOSE;
      linear->keeps_ilu = false;
      continue;
    }
    if (knows_price(linear, status))
      return weigh_price(linear, b, goal, x, status, iterations, error);
    bool settled = goal.stay && linear->memory.method >= ST_LINEAR_GMRES;
    if (status != ST_NOT_SOLVED || !linear->options.may_change || lu || settled)
      return status;
    take_detour(linear);
  }
}
