// Start and stop of MPI and PETSc.
#include "solve/runtime.h"

#include <errno.h>
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Present when the BLAS or an OpenMP runtime is loaded; both default to one thread per core, which
// makes the small kernels of a sparse factorisation crawl.
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern void omp_set_num_threads(int count) __attribute__((weak));

extern void dgemm_(const char *, const char *, const int *, const int *, const int *,
                   const double *, const double *, const int *, const double *, const int *,
                   const double *, double *, const int *) __attribute__((weak));

// OpenBLAS works in a buffer it maps with its first product (128 MB on most machines) and asks for
// without end when it gets none: a run under a limit of memory would hang in the middle. So there
// must be room for it, with some to spare, and it is taken at once; the library then keeps it.
enum { BLAS_ROOM = 192 << 20, PRODUCT = 128 };

static void multiply_once(double *room) {
  static const int n = PRODUCT;
  static const double one = 1, zero = 0;
  size_t size = (size_t)PRODUCT * PRODUCT;
  dgemm_("N", "N", &n, &n, &n, &one, room, &n, room + size, &n, &zero, room + 2 * size, &n);
}

static StStatus take_blas_buffer(StError *error) {
  if (!openblas_set_num_threads || !dgemm_)
    return ST_OK; // another BLAS
  void *room = mmap(NULL, BLAS_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    return st_fail(error, ST_SYSTEM_FAULT,
                   "out of memory: linear algebra (OpenBLAS) needs %d MB to start with: %s; raise "
                   "the limit of memory (ulimit -v), if there is one",
                   BLAS_ROOM >> 20, strerror(errno));
  munmap(room, BLAS_ROOM);
  double *factors = calloc(3 * (size_t)PRODUCT * PRODUCT, sizeof(double));
  if (!factors)
    return st_fail_memory(error);
  multiply_once(factors);
  free(factors);
  return ST_OK;
}

static bool started_alone(void) {
  return !getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMI_SIZE") && !getenv("PMIX_RANK");
}

// A process started without mpiexec needs no daemon and no network: 0.1 s instead of 0.4 s.
static void prepare_environment(void) {
  if (started_alone()) {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("OMPI_MCA_btl", "self", 0);
  }
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  if (omp_set_num_threads)
    omp_set_num_threads(1);
}

StStatus st_runtime_start(StError *error) {
  PetscBool running = PETSC_FALSE;
  PetscInitialized(&running);
  if (running)
    return ST_OK;
  int stopped = 0;
  MPI_Finalized(&stopped);
  if (stopped)
    return st_fail(error, ST_SYSTEM_FAULT,
                   "MPI has been stopped in this process and cannot be started again");
  prepare_environment();
  PETSC_MPI_THREAD_REQUIRED = MPI_THREAD_SERIALIZED; // calls may come from several threads in turn
  ST_TRY(take_blas_buffer(error));
  // The user's PETSc settings for other programs must not change our results.
  PetscOptionsSetValue(NULL, "-skip_petscrc", "true");
  PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
  if (PetscInitializeNoArguments() != 0)
    return st_fail(error, ST_SYSTEM_FAULT, "PETSc and MPI could not be started");
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  return ST_OK;
}

void st_runtime_stop(void) {
  PetscBool running = PETSC_FALSE;
  PetscInitialized(&running);
  if (running)
    PetscFinalize();
}

static bool mpi_running(void) {
  int started = 0, stopped = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&stopped);
  return started && !stopped;
}

int st_runtime_rank(void) {
  int rank = 0;
  if (mpi_running())
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int st_runtime_size(void) {
  int size = 1;
  if (mpi_running())
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

StStatus st_runtime_agree(StStatus mine, StError *error) {
  if (!mpi_running())
    return mine;
  struct {
    int status, rank;
  } local = {(int)mine, st_runtime_rank()}, worst;
  MPI_Allreduce(&local, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (worst.status == ST_OK)
    return ST_OK;
  StError scratch = {0};
  StError *told = error ? error : &scratch;
  MPI_Bcast(told->text, (int)sizeof told->text, MPI_CHAR, worst.rank, MPI_COMM_WORLD);
  told->status = (StStatus)worst.status;
  return told->status;
}

double st_runtime_sum(double mine) {
  double sum = mine;
  if (mpi_running())
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

void st_runtime_versions(char *petsc, char *mpi, size_t size) {
  char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0, major = 0, minor = 0, patch = 0;
  PetscGetVersionNumber(&major, &minor, &patch, NULL);
  MPI_Get_library_version(words, &length);
  snprintf(petsc, size, "%d.%d.%d", major, minor, patch);
  snprintf(mpi, size, "%.*s", (int)strcspn(words, ","), words);
}
