// A copy of the matrix, and what PETSc makes of it.
// Tested by tests/solve/test_linear.c.
#include "solve/petsc.h"

#include "base/memory.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <math.h>
#include <petscksp.h>
#include <pthread.h>
#include <string.h>

// PETSc supports one thread, whatever objects it works on. Simulations of one process that need it
// take turns.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void begin(void) {
  pthread_mutex_lock(&turn);
}

static void end(void) {
  pthread_mutex_unlock(&turn);
}

struct StPetsc {
  const StProblem *problem;
  Vec right, solution; // NULL until PETSc is needed
  Mat copy;            // of the blocks; NULL until LU or multigrid needs it
  PC multigrid;
  KSP mumps;
};

#define PETSC_TRY(call, error)                                                                     \
  do {                                                                                             \
    PetscErrorCode petsc_code = (call);                                                            \
    if (petsc_code)                                                                                \
      return st_fail((error), ST_SYSTEM_FAULT, "PETSc failed with code %d in %s (%s:%d)",          \
                     (int)petsc_code, #call, __FILE__, __LINE__);                                  \
  } while (0)

StStatus st_petsc_create(const StProblem *problem, StPetsc **result, StError *error) {
  StPetsc *petsc = ST_NEW(StPetsc, 1);
  if (!petsc)
    return st_fail_memory(error);
  petsc->problem = problem;
  *result = petsc;
  return ST_OK;
}

static void forget_pattern(StPetsc *petsc) {
  PCDestroy(&petsc->multigrid);
  KSPDestroy(&petsc->mumps);
  MatDestroy(&petsc->copy);
}

// Without vectors it has none of the other objects either.
void st_petsc_destroy(StPetsc *petsc) {
  if (petsc && petsc->right) {
    begin();
    forget_pattern(petsc);
    VecDestroy(&petsc->right);
    VecDestroy(&petsc->solution);
    end();
  }
  free(petsc);
}

void st_petsc_forget_multigrid(StPetsc *petsc) {
  if (!petsc->multigrid)
    return;
  begin();
  PCDestroy(&petsc->multigrid);
  end();
}

void st_petsc_forget_pattern(StPetsc *petsc) {
  if (!petsc->right)
    return;
  begin();
  forget_pattern(petsc);
  end();
}

// One process starts PETSc here, when it first needs MUMPS or multigrid.
static StStatus create_vectors(StPetsc *petsc, StError *error) {
  PetscInt local = petsc->problem->size, global = 3 * petsc->problem->global_count;
  ST_TRY(st_runtime_need_mpi(error));
  PETSC_TRY(VecCreateMPI(st_communicator(), local, global, &petsc->right), error);
  PETSC_TRY(VecDuplicate(petsc->right, &petsc->solution), error);
  return ST_OK;
}

static StStatus create_copy(StPetsc *petsc, StError *error) {
  const StBlockMatrix *matrix = petsc->problem->matrix;
  int rows = matrix->row_count;
  PetscInt *inner = ST_NEW(PetscInt, 3 * (size_t)rows), *outer = ST_NEW(PetscInt, 3 * (size_t)rows);
  StStatus status = inner && outer ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < 3 * rows && status == ST_OK; i++) {
    int row = i / 3;
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      *(matrix->column[k] < rows ? &inner[i] : &outer[i]) += 3;
  }
  PetscInt local = petsc->problem->size, global = 3 * petsc->problem->global_count;
  PetscErrorCode code = 0;
  if (status == ST_OK)
    code = MatCreateAIJ(st_communicator(), local, local, global, global, 0, inner, 0, outer,
                        &petsc->copy);
  free(inner);
  free(outer);
  PETSC_TRY(code, error);
  if (status == ST_OK)
    PETSC_TRY(MatSetBlockSize(petsc->copy, 3), error);
  return status;
}

// PETSc does not clean up after itself when it meets a NaN half-way.
static bool is_finite(const StBlockMatrix *matrix) {
  double sum = 0;
  for (size_t i = 0; i < 9 * (size_t)matrix->row_start[matrix->row_count]; i++)
    sum += fabs(matrix->value[i]);
  return isfinite(st_runtime_sum(sum));
}

static StStatus fill_copy(StPetsc *petsc, StError *error) {
  if (!is_finite(petsc->problem->matrix))
    return st_fail(error, ST_NOT_SOLVED, "the Jacobian is not finite");
  if (!petsc->right)
    ST_TRY(create_vectors(petsc, error));
  if (!petsc->copy)
    ST_TRY(create_copy(petsc, error));
  const StBlockMatrix *matrix = petsc->problem->matrix;
  const int *global = petsc->problem->global;
  PetscInt column[256];
  double value[9 * 256];
  for (int row = 0; row < matrix->row_count; row++) {
    PetscInt where = global[row];
    for (int k = matrix->row_start[row], end = matrix->row_start[row + 1]; k < end;) {
      int n = 0, first = k;
      for (; k < end && n < 256; k++)
        column[n++] = global[matrix->column[k]];
      // PETSc takes the whole strip row-major: three scalar rows of n blocks each.
      for (int b = 0; b < n; b++)
        for (int i = 0; i < 9; i++)
          value[(i / 3) * 3 * n + 3 * b + i % 3] = matrix->value[9 * (size_t)(first + b) + i];
      PETSC_TRY(MatSetValuesBlocked(petsc->copy, 1, &where, n, column, value, INSERT_VALUES),
                error);
    }
  }
  PETSC_TRY(MatAssemblyBegin(petsc->copy, MAT_FINAL_ASSEMBLY), error);
  PETSC_TRY(MatAssemblyEnd(petsc->copy, MAT_FINAL_ASSEMBLY), error);
  return ST_OK;
}

static StStatus create_mumps(StPetsc *petsc, StError *error) {
  PC pc;
  PETSC_TRY(KSPCreate(st_communicator(), &petsc->mumps), error);
  PETSC_TRY(KSPSetType(petsc->mumps, KSPPREONLY), error);
  PETSC_TRY(KSPSetOperators(petsc->mumps, petsc->copy, petsc->copy), error);
  PETSC_TRY(KSPGetPC(petsc->mumps, &pc), error);
  PETSC_TRY(PCSetType(pc, PCLU), error);
  PETSC_TRY(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS), error);
  // MUMPS' settings go by options: set on the factor itself they are lost before it starts. The
  // prefix keeps them from factors of the host program. 40 % of room to pivot.
  PETSC_TRY(PCSetOptionsPrefix(pc, "stiction_"), error);
  PETSC_TRY(PetscOptionsSetValue(NULL, "-stiction_mat_mumps_icntl_14", "40"), error);
  return ST_OK;
}

static StStatus copy_in(const double *from, Vec to, StError *error) {
  double *array;
  PetscInt size;
  PETSC_TRY(VecGetLocalSize(to, &size), error);
  PETSC_TRY(VecGetArrayWrite(to, &array), error);
  memcpy(array, from, (size_t)size * sizeof(double));
  PETSC_TRY(VecRestoreArrayWrite(to, &array), error);
  return ST_OK;
}

static StStatus copy_out(Vec from, double *to, StError *error) {
  const double *array;
  PetscInt size;
  PETSC_TRY(VecGetLocalSize(from, &size), error);
  PETSC_TRY(VecGetArrayRead(from, &array), error);
  memcpy(to, array, (size_t)size * sizeof(double));
  PETSC_TRY(VecRestoreArrayRead(from, &array), error);
  return ST_OK;
}

static StStatus solve(StPetsc *petsc, const double *b, double *x, StError *error) {
  KSPConvergedReason reason = 0;
  ST_TRY(copy_in(b, petsc->right, error));
  double sum = NAN;
  PetscErrorCode code = KSPSolve(petsc->mumps, petsc->right, petsc->solution);
  if (!code)
    KSPGetConvergedReason(petsc->mumps, &reason);
  if (!code && reason >= 0)
    PETSC_TRY(VecNorm(petsc->solution, NORM_1, &sum), error);
  if (!isfinite(sum)) {
    // MUMPS would refuse all that comes after, too.
    KSPDestroy(&petsc->mumps);
    return st_fail(error, ST_NOT_SOLVED, "the Jacobian could not be factorised (singular?)");
  }
  return copy_out(petsc->solution, x, error);
}

StStatus st_petsc_solve(StPetsc *petsc, const double *b, double *x, StError *error) {
  begin();
  StStatus status = solve(petsc, b, x, error);
  end();
  return status;
}

static StStatus factor(StPetsc *petsc, StError *error) {
  ST_TRY(fill_copy(petsc, error));
  if (!petsc->mumps)
    ST_TRY(create_mumps(petsc, error));
  PETSC_TRY(KSPSetOperators(petsc->mumps, petsc->copy, petsc->copy), error);
  return ST_OK;
}

StStatus st_petsc_factor(StPetsc *petsc, StError *error) {
  begin();
  StStatus status = factor(petsc, error);
  end();
  return status;
}

// Rigid motions in the scaled unknowns y = v/scale: what multigrid must reproduce on coarse levels.
static StStatus attach_rigid_modes(StPetsc *petsc, StError *error) {
  const StProblem *problem = petsc->problem;
  Vec coordinates, mode[6];
  MatNullSpace space;
  const Vec *raw;
  PetscInt count;
  PETSC_TRY(VecDuplicate(petsc->right, &coordinates), error);
  PETSC_TRY(VecSetBlockSize(coordinates, 3), error);
  double *to;
  PETSC_TRY(VecGetArrayWrite(coordinates, &to), error);
  memcpy(to, problem->coordinates, (size_t)problem->size * sizeof(double));
  PETSC_TRY(VecRestoreArrayWrite(coordinates, &to), error);
  PETSC_TRY(MatNullSpaceCreateRigidBody(coordinates, &space), error);
  PETSC_TRY(MatNullSpaceGetVecs(space, NULL, &count, &raw), error);
  for (int m = 0; m < count; m++) {
    PETSC_TRY(VecDuplicate(raw[m], &mode[m]), error);
    PETSC_TRY(VecCopy(raw[m], mode[m]), error);
    PETSC_TRY(VecGetArray(mode[m], &to), error);
    for (int i = 0; i < problem->size; i++)
      to[i] = problem->scale[i] > 0 ? to[i] / problem->scale[i] : 0;
    PETSC_TRY(VecRestoreArray(mode[m], &to), error);
    for (int k = 0; k < m; k++) {
      PetscScalar overlap;
      PETSC_TRY(VecDot(mode[m], mode[k], &overlap), error);
      PETSC_TRY(VecAXPY(mode[m], -overlap, mode[k]), error);
    }
    PETSC_TRY(VecNormalize(mode[m], NULL), error);
  }
  PETSC_TRY(MatNullSpaceDestroy(&space), error);
  PETSC_TRY(MatNullSpaceCreate(st_communicator(), PETSC_FALSE, count, mode, &space), error);
  PETSC_TRY(MatSetNearNullSpace(petsc->copy, space), error);
  PETSC_TRY(MatNullSpaceDestroy(&space), error);
  for (int m = 0; m < count; m++)
    PETSC_TRY(VecDestroy(&mode[m]), error);
  PETSC_TRY(VecDestroy(&coordinates), error);
  return ST_OK;
}

// Its interpolation is good for a step: what it keeps of another matrix would be in its way then.
static StStatus make_multigrid(StPetsc *petsc, StError *error) {
  bool fresh = !petsc->copy;
  ST_TRY(fill_copy(petsc, error));
  if (fresh)
    ST_TRY(attach_rigid_modes(petsc, error));
  if (!petsc->multigrid) {
    PETSC_TRY(PCCreate(st_communicator(), &petsc->multigrid), error);
    PETSC_TRY(PCSetType(petsc->multigrid, PCGAMG), error);
    PETSC_TRY(PCGAMGSetReuseInterpolation(petsc->multigrid, PETSC_TRUE), error);
  }
  PETSC_TRY(PCSetOperators(petsc->multigrid, petsc->copy, petsc->copy), error);
  PetscErrorCode code = PCSetUp(petsc->multigrid);
  if (!code)
    return ST_OK;
  PCDestroy(&petsc->multigrid);
  if (code == PETSC_ERR_MEM)
    return st_fail_memory(error);
  return st_fail(error, ST_NOT_SOLVED, "the preconditioner could not be built");
}

StStatus st_petsc_make_multigrid(StPetsc *petsc, StError *error) {
  begin();
  StStatus status = make_multigrid(petsc, error);
  end();
  return status;
}

static StStatus apply_multigrid(StPetsc *petsc, const double *x, double *y) {
  ST_TRY(copy_in(x, petsc->right, NULL));
  if (PCApply(petsc->multigrid, petsc->right, petsc->solution) != 0)
    return ST_NOT_SOLVED;
  return copy_out(petsc->solution, y, NULL);
}

StStatus st_petsc_apply_multigrid(StPetsc *petsc, const double *x, double *y) {
  begin();
  StStatus status = apply_multigrid(petsc, x, y);
  end();
  return status;
}
